import type { GuildEmoji } from '@guildhall/wire/emoji/emoji.ts'
import type { Emoji } from '@guildhall/wire/message/message.ts'
import type { CatalogueEmoji } from './catalogue.ts'

/** Limit of results. */
export const RESULTS_MAX = 200

/**
 * Searches emoji by name and keyword, best match first: the whole name, a whole keyword, the beginning of the
 * name, inside the name, inside a keyword. Names in all locales and shortcodes match, whatever the page's
 * locale. The guild's own come first among equals. Empty input finds nothing.
 */
export function searchEmoji(
  catalogue: readonly CatalogueEmoji[],
  own: readonly GuildEmoji[],
  input: string,
): Emoji[] {
  const wanted = input.trim().toLowerCase().replace(/^:|:$/g, '')
  if (wanted === '') return []
  const ranked: Emoji[][] = [[], [], [], [], []]
  for (const it of own) {
    const rank = rankOf(it.name.toLowerCase(), '', wanted)
    if (rank !== null) ranked[rank]?.push({ id: it.id, name: it.name })
  }
  for (const it of catalogue) {
    if (it.name === input.trim()) ranked[0]?.push(it)
    else {
      const ranks = Object.values(it.labels).map((label) => rankOf(label, it.keywords, wanted))
      const known = ranks.filter((rank) => rank !== null)
      if (known.length > 0) ranked[Math.min(...known)]?.push(it)
    }
  }
  return ranked.flat().slice(0, RESULTS_MAX)
}

function rankOf(name: string, keywords: string, wanted: string): number | null {
  const all = ` ${keywords} `
  if (name === wanted) return 0
  if (all.includes(` ${wanted} `)) return 1
  if (name.startsWith(wanted)) return 2
  // A single Latin letter is in nearly every name.
  const isLetter = /^[\x20-\x7e]$/.test(wanted)
  if (isLetter) return null
  if (name.includes(wanted)) return 3
  return all.includes(` ${wanted}`) || !/^[\x20-\x7e]+$/.test(wanted)
    ? all.includes(wanted)
      ? 4
      : null
    : null
}
