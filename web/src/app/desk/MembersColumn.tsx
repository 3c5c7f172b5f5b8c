import { viewGuild } from '@guildhall/wire/channel/channel.ts'
import type { ChannelId, GuildId } from '@guildhall/wire/id.ts'
import { useText } from '../../kit/i18n.ts'
import { useRouteQuery } from '../../kit/routeQuery.ts'
import { Members, type PersonSheet } from '../../member/MemberListScreen.tsx'
import { text as memberText } from '../../member/text.ts'
import { Column } from './Column.tsx'
import styles from './DeskFrame.module.css'
import type { Columns } from './useColumns.ts'

/** Those who may view a room, beside it. */
export default function MembersColumn(props: {
  guildId: GuildId
  channelId: ChannelId
  columns: Columns
  PersonSheet: PersonSheet
}) {
  const { guildId, channelId, PersonSheet } = props
  const t = useText(memberText)
  const guild = useRouteQuery(viewGuild, { id: guildId })
  return (
    <Column side="members" label={t.members} columns={props.columns}>
      <div className={styles.members}>
        <Members guildId={guildId} channelId={channelId} guild={guild.answer} PersonSheet={PersonSheet} />
      </div>
    </Column>
  )
}
