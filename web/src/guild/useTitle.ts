import type { GuildId } from '@guildhall/wire/id.ts'
import { listUnread } from '@guildhall/wire/message/reading.ts'
import { useEffect } from 'react'
import { useRouteQuery } from '../kit/routeQuery.ts'

/** Sets the title of the tab: the guild's unread messages in front, then the names that are loaded, the nearest first. */
export function useTitle(guildId: GuildId | null, ...names: readonly string[]): void {
  const unread = useRouteQuery(listUnread, { guild_id: guildId as GuildId }, guildId !== null)
  const count = (unread.answer ?? []).reduce((sum, it) => sum + it.unread_count, 0)
  const title = names.filter((it) => it !== '').join(' · ')
  useEffect(() => {
    if (title) document.title = count > 0 ? `(${count > 99 ? '99+' : count}) ${title}` : title
  }, [title, count])
}
