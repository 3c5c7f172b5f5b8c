import type { AnswerOf, Route } from '@guildhall/wire/route.ts'
import { useCallback, useEffect, useRef, useState } from 'react'
import { CallFailure, type CallInput, type CallOptions, call } from './call.ts'

type Progress<A> =
  | { status: 'idle' }
  | { status: 'busy' }
  | { status: 'done'; answer: A }
  | { status: 'failed'; failure: CallFailure }

/**
 * A call that the user starts: `run` makes it and returns the answer, or null when it failed; the failure is
 * then in
 * `failure` and passed to `onFailure`. `headers` must stay the same object. A second `run` while one is
 * pending does nothing and returns null.
 */
export function useCall<R extends Route>(route: R, headers?: CallOptions['headers']) {
  const [progress, setProgress] = useState<Progress<AnswerOf<R>>>({ status: 'idle' })
  const busy = useRef(false)
  const leaving = useRef<AbortController | null>(null)

  useEffect(() => () => leaving.current?.abort(), [])

  const run = useCallback(
    async (input: CallInput<R>, onFailure?: (failure: CallFailure) => void): Promise<AnswerOf<R> | null> => {
      if (busy.current) return null
      busy.current = true
      leaving.current = new AbortController()
      setProgress({ status: 'busy' })
      try {
        const answer = await call(route, input, {
          signal: leaving.current.signal,
          ...(headers && { headers }),
        })
        setProgress({ status: 'done', answer })
        return answer
      } catch (error) {
        if (!(error instanceof CallFailure)) throw error
        if (leaving.current.signal.aborted) return null
        setProgress({ status: 'failed', failure: error })
        onFailure?.(error)
        return null
      } finally {
        busy.current = false
      }
    },
    [route, headers],
  )
  const reset = useCallback(() => setProgress({ status: 'idle' }), [])
  return { ...progress, failure: progress.status === 'failed' ? progress.failure : null, run, reset }
}

/** Such a call, given to what starts it. */
export type Calling<R extends Route> = ReturnType<typeof useCall<R>>
