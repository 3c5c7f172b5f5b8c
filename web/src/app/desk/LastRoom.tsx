import { channelType, type Guild, viewGuild } from '@guildhall/wire/channel/channel.ts'
import { flat } from '@guildhall/wire/channel/flat.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import { has, permission } from '@guildhall/wire/permission/permission.ts'
import { Navigate, useLocation } from 'react-router'
import { useTitle } from '../../guild/guild.ts'
import { readStored } from '../../kit/browser/storage.ts'
import { useText } from '../../kit/i18n.ts'
import { paths } from '../../kit/paths.ts'
import { useRouteQuery } from '../../kit/routeQuery.ts'
import { EmptyState } from '../../ui/state/EmptyState.tsx'
import styles from './DeskFrame.module.css'
import { deskText } from './deskText.ts'
import { RoomDrawing } from './drawings.tsx'

/**
 * In place of a guild's own page, whose channels stand beside it: the room that was open last, or the
 * first.
 */
export default function LastRoom({ guildId }: { guildId: GuildId }) {
  const t = useText(deskText)
  const { search } = useLocation()
  const guild = useRouteQuery(viewGuild, { id: guildId })
  useTitle(guildId, guild.answer?.name ?? '')
  const room = guild.answer && roomOf(guild.answer)
  if (room) return <Navigate to={paths.room(guildId, room) + search} replace />
  return (
    <main className={styles.nothing}>
      {guild.answer && <EmptyState icon={<RoomDrawing />} title={t.noRoom} message={t.noRoomWhy} />}
    </main>
  )
}

function roomOf(guild: Guild): string | undefined {
  const rooms = flat(guild.channels).filter(
    (it) => it.type === channelType.text && !it.is_category && has(it.permissions, permission.view_channel),
  )
  const last = readStored('last_channels')?.[guild.id]
  return (rooms.find(({ id }) => id === last) ?? rooms[0])?.id
}
