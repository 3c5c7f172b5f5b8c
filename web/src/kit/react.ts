/**
 * What `react` is in this page: Preact under React's names (`web/preact.ts`, decision 132), with what it
 * lacks or does otherwise.
 */
import { useState } from 'preact/hooks'

// @ts-expect-error: its types are a namespace. The page is checked against React's own.
export * from 'preact/compat'
export { default } from 'preact/compat'

/** React Router imports it, and uses it where it loads data, which this page does not. */
export const useOptimistic = <State>(state: State) => [state, () => undefined] as const

let lastId = 0

/** Preact counts the ids of each root anew; a dialog that is a root of its own must not repeat the page's. */
export const useId = (): string => useState(() => `id${++lastId}`)[0]
