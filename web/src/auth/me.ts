import type { Self } from '@guildhall/wire/user/user.ts'
import { createContext, useContext } from 'react'

const Context = createContext<Self | null>(null)

/** Says who is logged in to everything inside. */
export const Me = Context.Provider

/** Who is logged in. Only inside of the shell. */
export function useMe(): Self {
  const me = useContext(Context)
  if (!me) throw new Error('nobody is logged in out here')
  return me
}
