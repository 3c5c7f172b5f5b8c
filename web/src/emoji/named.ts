import { emojiToken, type ListedEmoji, listGuildEmoji } from '@guildhall/wire/emoji/emoji.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import { useMemo, useState } from 'react'
import { useAsk } from '../kit/ask.ts'

/** A colon a name may follow: `12:30` is one too, and then the list was fetched for nothing, once. */
const MAY_NAME = /:[\p{L}\p{N}_-]/u

/** What is sent for each emoji that its name alone tells from all others; names of unicode's stay unicode's. */
export function tokensByName(all: readonly ListedEmoji[]): ReadonlyMap<string, string> {
  const times = new Map<string, number>()
  for (const { name } of all) times.set(name, (times.get(name) ?? 0) + 1)
  return new Map(
    all
      .filter((it) => times.get(it.name) === 1 && !it.is_shortcode)
      .map((it) => [it.name, emojiToken(it)] as const),
  )
}

const NOBODY: ReadonlyMap<string, string> = new Map()

/** A guild's own emoji by the names one can type for them; asked for when somebody begins to type one. */
export function useNamedEmoji(guildId: GuildId, words: string): ReadonlyMap<string, string> {
  const [wasWanted, setWasWanted] = useState(false)
  const isWanted = wasWanted || MAY_NAME.test(words)
  if (isWanted !== wasWanted) setWasWanted(isWanted)
  const { answer } = useAsk(listGuildEmoji, { guild_id: guildId }, isWanted)
  const items = answer?.items
  return useMemo(() => (items ? tokensByName(items) : NOBODY), [items])
}
