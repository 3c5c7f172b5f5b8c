import type { AnswerOf, InputOf, Route } from '@guildhall/wire/route.ts'
import { vi } from 'vitest'
import { answers } from './answers.ts'

/** A server for tests of screens: it stands in for `fetch` until globals are restored. */
export function fakeServer() {
  const { on, calls, fetch } = answers()
  vi.stubGlobal('fetch', fetch)
  return {
    on,
    /** A call that waits: what answers it. */
    waits<R extends Route>(route: R): (answer: AnswerOf<R>) => void {
      const { promise, resolve } = Promise.withResolvers<AnswerOf<R>>()
      on(route, () => promise)
      return resolve
    },
    /** The inputs of a call so far. */
    received: <R extends Route>(route: R): InputOf<R>[] =>
      calls.filter((one) => one.route === route).map((one) => one.input as InputOf<R>),
  }
}
