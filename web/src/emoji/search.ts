import type { GuildEmoji } from '@guildhall/wire/emoji/emoji.ts'
import type { Emoji } from '@guildhall/wire/message/message.ts'
import type { CatalogueEmoji } from './catalogue.ts'

/** More finds than this say only that the question was too short. */
export const FOUND_MAX = 200

/**
 * The emoji that a few letters mean, the likeliest first: called exactly so, beginning so, with it in the name, with it
 * among the words they are found by. Chinese and English names and shortcodes, whatever the page speaks. Those of the
 * guild come first among equals. Nothing typed finds nothing.
 */
export function searchEmoji(
  catalogue: readonly CatalogueEmoji[],
  own: readonly GuildEmoji[],
  typed: string,
): Emoji[] {
  const wanted = typed.trim().toLowerCase().replace(/^:|:$/g, '')
  if (wanted === '') return []
  const ranked: Emoji[][] = [[], [], [], []]
  for (const it of own) {
    const rank = rankOf(it.name.toLowerCase(), '', wanted)
    if (rank !== null) ranked[rank]?.push({ id: it.id, name: it.name })
  }
  for (const it of catalogue) {
    if (it.name === typed.trim()) ranked[0]?.push(it)
    else {
      const ranks = Object.values(it.labels).map((label) => rankOf(label, it.words, wanted))
      const known = ranks.filter((rank) => rank !== null)
      if (known.length > 0) ranked[Math.min(...known)]?.push(it)
    }
  }
  return ranked.flat().slice(0, FOUND_MAX)
}

function rankOf(name: string, words: string, wanted: string): number | null {
  const all = ` ${words} `
  if (name === wanted || all.includes(` ${wanted} `)) return 0
  if (name.startsWith(wanted)) return 1
  // One Latin letter is in nearly every word.
  const isLetter = /^[\x20-\x7e]$/.test(wanted)
  if (isLetter) return null
  if (name.includes(wanted)) return 2
  return all.includes(` ${wanted}`) || !/^[\x20-\x7e]+$/.test(wanted)
    ? all.includes(wanted)
      ? 3
      : null
    : null
}
