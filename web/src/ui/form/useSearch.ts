import { useState } from 'react'
import { useDebounced } from '../../kit/useDebounced.ts'

/** After the last key of a search, ms. */
const SEARCH_AFTER_MS = 250

/** What is typed into a search, and what is searched for: the same without spaces around it, soon after. */
export interface Search {
  readonly typed: string
  readonly setTyped: (typed: string) => void
  readonly search: string
}

/** `first`: what is searched for at once. */
export function useSearch(first = ''): Search {
  const [typed, setTyped] = useState(first)
  return { typed, setTyped, search: useDebounced(typed.trim(), SEARCH_AFTER_MS) }
}
