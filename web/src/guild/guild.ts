import { viewChannel, viewGuild } from '@guildhall/wire/channel/channel.ts'
import { listGuildEmoji } from '@guildhall/wire/emoji/emoji.ts'
import { listGuilds } from '@guildhall/wire/guild/guild.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import { shownCounts } from '@guildhall/wire/message/notify.ts'
import { listUnread, listWaiting } from '@guildhall/wire/message/readMark.ts'
import { cache, invalidateRoute, useRouteQuery } from '../kit/routeQuery.ts'
import { usePageTitle } from '../ui/page/usePageTitle.ts'

export { useMutedUntil } from './useMutedUntil.ts'

/** The reader is no longer in a guild: what is on screen of it is asked for again, and refused. */
export function guildLeft(guildId: string): void {
  void cache.resetQueries({ queryKey: [viewGuild.method, viewGuild.path, { id: guildId }] })
  guildsChanged()
}

/** A guild, its roles or its channels changed: its cached answers are outdated. */
export function guildChanged(guildId: string): void {
  invalidateRoute(viewGuild, { id: guildId })
  invalidateRoute(viewChannel)
  invalidateRoute(listGuilds)
  // Unread counts depend on the visible channels and on the user's roles.
  invalidateRoute(listUnread, { guild_id: guildId })
  invalidateRoute(listWaiting)
}

/** The user's guilds changed, or it is unknown what changed. */
export function guildsChanged(): void {
  invalidateRoute(listGuilds)
  invalidateRoute(viewGuild)
  invalidateRoute(viewChannel)
  invalidateRoute(listUnread)
  invalidateRoute(listGuildEmoji)
  invalidateRoute(listWaiting)
}

/** The emoji of a guild changed. */
export const emojiChanged = (guildId: string): void => invalidateRoute(listGuildEmoji, { guild_id: guildId })

/**
 * Sets the title of the tab: the guild's unread messages in front, then the names that are loaded, the
 * nearest first.
 */
export function useTitle(guildId: GuildId | null, ...names: readonly string[]): void {
  const unread = useRouteQuery(listUnread, { guild_id: guildId as GuildId }, guildId !== null)
  const count = (unread.answer ?? []).reduce((sum, it) => sum + shownCounts(it).unread, 0)
  const title = names.filter((it) => it !== '').join(' · ')
  usePageTitle(title === '' ? null : title, count)
}
