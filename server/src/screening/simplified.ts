/// <reference path="./opencc.d.ts" />
/** Traditional and simplified characters. The table is read when there are word rules, and not before. */
import type { Simplified } from './fold.ts'

let table: Promise<Simplified> | null = null

/** From OpenCC: the simplified form of each traditional character. */
export function readSimplified(): Promise<Simplified> {
  table ??= import('opencc-js/dict/TSCharacters').then(({ default: pairs }) => {
    const all = new Map<number, number>()
    for (const pair of pairs.split('|')) {
      const [from = '', to = ''] = pair.split(' ')
      if (from !== '' && to !== '') all.set(from.codePointAt(0)!, to.codePointAt(0)!)
    }
    return all
  })
  return table
}
