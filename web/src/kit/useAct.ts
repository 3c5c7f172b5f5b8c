import type { AnswerOf, Route } from '@guildhall/wire/route.ts'
import { useRef, useState } from 'react'
import { CallFailure, type CallInput, call } from './call.ts'

/**
 * A call that the user starts, of something that its own event may take away before the answer, as a row of a
 * list: unlike that of `useCall` it goes on, and what came of it is told. `run` returns the answer, or null
 * when it failed; a second one while one is pending does nothing and returns null.
 */
export function useAct<R extends Route>(route: R) {
  const [isBusy, setBusy] = useState(false)
  const busy = useRef(false)
  const run = async (
    input: CallInput<R>,
    onFailure: (failure: CallFailure) => void,
  ): Promise<AnswerOf<R> | null> => {
    if (busy.current) return null
    busy.current = true
    setBusy(true)
    try {
      return await call(route, input)
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error
      onFailure(error)
      return null
    } finally {
      busy.current = false
      setBusy(false)
    }
  }
  return { isBusy, run }
}
