import { listGuildEmoji } from '@guildhall/wire/emoji/emoji.ts'
import { indexGuilds } from '@guildhall/wire/guild/publicGuild.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import type { Emoji } from '@guildhall/wire/message/message.ts'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { useMe } from '../auth/auth.ts'
import { useLocale } from '../kit/i18n.ts'
import { loadPart } from '../kit/lazy/lazyPart.ts'
import { useRouteQuery } from '../kit/routeQuery.ts'
import { type CatalogueEmoji, loadCatalogue } from './catalogue.ts'
import { addRecentEmoji, recentEmoji } from './recentEmoji.ts'
import { searchEmoji } from './search.ts'

export { recentEmoji }

/** An emoji that was found; `label`: its name in the page's language. */
export interface FoundEmoji {
  readonly emoji: Emoji
  readonly label: string
}

/** Gives what it finds to `children`, and what notes that one of them was picked. */
export default function EmojiFinder(props: {
  guildId: GuildId | null
  wanted: string
  children: (found: readonly FoundEmoji[], onPicked: (emoji: Emoji) => void) => ReactNode
}) {
  return props.children(useFoundEmoji(props.guildId, props.wanted), addRecentEmoji)
}

let loaded: readonly CatalogueEmoji[] | null = null

/**
 * What the picker finds for a name: Unicode's emoji, the guild's own, and those of a member of BUFF's other
 * guilds; picked lately first. Nothing until all of them are loaded. `guildId` null: none of a guild.
 */
function useFoundEmoji(guildId: GuildId | null, wanted: string): readonly FoundEmoji[] {
  const isMember = useMe().is_vip
  const locale = useLocale()
  const own = useRouteQuery(listGuildEmoji, { guild_id: guildId as GuildId }, guildId !== null)
  const all = useRouteQuery(indexGuilds, {}, isMember)
  const [catalogue, setCatalogue] = useState(loaded)
  const [recent] = useState(recentEmoji)
  useEffect(() => {
    void loadPart(loadCatalogue).then((parts) => {
      loaded = parts
      setCatalogue(parts)
    })
  }, [])
  const isWaiting = (guildId !== null && own.status === 'loading') || (isMember && all.status === 'loading')
  return useMemo(() => {
    if (!catalogue || isWaiting) return []
    const others = all.answer?.filter(({ id }) => id !== guildId).flatMap(({ emojis }) => emojis)
    const labels = new Map(catalogue.map((it) => [it.id, it.labels[locale]]))
    const found = searchEmoji(catalogue, [...(own.answer?.items ?? []), ...(others ?? [])], wanted)
    const isRecent = ({ id }: Emoji) => recent.some((it) => it.id === id)
    return [...found.filter(isRecent), ...found.filter((it) => !isRecent(it))].map(({ id, name }) => ({
      emoji: { id, name },
      label: labels.get(id) || name,
    }))
  }, [catalogue, isWaiting, own.answer, all.answer, guildId, wanted, recent, locale])
}
