import { createContext, useContext } from 'react'
import type { RoomStore } from './roomStore.ts'

/** Provides the page's room store to its screens. */
export const RoomStoreContext = createContext<RoomStore | null>(null)

/** The page's room store. @throws Error outside of its provider. */
export function useRoomStore(): RoomStore {
  const store = useContext(RoomStoreContext)
  if (!store) throw new Error('RoomStoreContext has no provider')
  return store
}
