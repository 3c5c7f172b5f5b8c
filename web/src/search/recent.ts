/** What was searched for on this device. */
import { writeStored } from '../kit/browser/storage.ts'
import { storedList } from '../kit/browser/storedList.ts'

const KEPT = 12

export const recentSearches = (): readonly string[] => storedList('searches')

/** Puts a search before the others. */
export function rememberSearch(q: string): void {
  const words = q.trim()
  if (words === '') return
  writeStored('searches', [words, ...recentSearches().filter((it) => it !== words)].slice(0, KEPT))
}

/** Forgets one search, or without it all of them. */
export function forgetSearch(q?: string): void {
  const left = q === undefined ? [] : recentSearches().filter((it) => it !== q)
  writeStored('searches', left.length > 0 ? left : null)
}
