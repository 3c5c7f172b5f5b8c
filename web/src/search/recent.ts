/** What was searched for on this device, the last first. */
import { writeStored } from '../kit/browser/storage.ts'
import { storedList } from '../kit/browser/storedList.ts'

const MOST = 10

export const recentSearches = (): readonly string[] => storedList('searches')

export function rememberSearch(words: string): void {
  const others = recentSearches().filter((it) => it !== words)
  writeStored('searches', [words, ...others].slice(0, MOST))
}

/** Without words: all of them. Returns what is left. */
export function forgetSearch(words?: string): readonly string[] {
  const left = words === undefined ? [] : recentSearches().filter((it) => it !== words)
  writeStored('searches', left.length === 0 ? null : [...left])
  return left
}
