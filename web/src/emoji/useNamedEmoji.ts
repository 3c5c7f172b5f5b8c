import { emojiToken, type ListedEmoji, listGuildEmoji } from '@guildhall/wire/emoji/emoji.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import { useMemo, useState } from 'react'
import { useRouteQuery } from '../kit/routeQuery.ts'

/** A colon that may begin an emoji's name. `12:30` matches too; the list is then loaded once for nothing. */
const NAME_START = /:[\p{L}\p{N}_-]/u

/** The token by name, for each emoji with a unique name. Names of Unicode emoji are left out. */
export function tokensByName(all: readonly ListedEmoji[]): ReadonlyMap<string, string> {
  const times = new Map<string, number>()
  for (const { name } of all) times.set(name, (times.get(name) ?? 0) + 1)
  return new Map(
    all
      .filter((it) => times.get(it.name) === 1 && !it.is_shortcode)
      .map((it) => [it.name, emojiToken(it)] as const),
  )
}

const NONE: ReadonlyMap<string, string> = new Map()

/**
 * A guild's own emoji by name; loaded when the user begins to type a name. Without a guild there are none.
 */
export function useNamedEmoji(guildId: GuildId | null, text: string): ReadonlyMap<string, string> {
  const [isEnabled, setEnabled] = useState(false)
  const isNeeded = isEnabled || NAME_START.test(text)
  if (isNeeded !== isEnabled) setEnabled(isNeeded)
  const { answer } = useRouteQuery(
    listGuildEmoji,
    { guild_id: guildId as GuildId },
    isNeeded && guildId !== null,
  )
  const items = answer?.items
  return useMemo(() => (items ? tokensByName(items) : NONE), [items])
}
