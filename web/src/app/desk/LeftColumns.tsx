import type { GuildId } from '@guildhall/wire/id.ts'
import {
  GuildPane,
  type InviteFriendsSheet,
  type NewGuildSheet,
  Rail,
  type RailSheet,
  RailSheets,
} from '../../channel/ChannelsScreen.tsx'
import { useText } from '../../kit/i18n.ts'
import { Column } from './Column.tsx'
import { deskText } from './deskText.ts'
import type { Columns } from './useColumns.ts'

/** The rail with its sheets, and the channels of the open guild. */
export default function LeftColumns(props: {
  guildId: GuildId | null
  isDiscovering: boolean
  columns: Columns
  sheet: RailSheet | null
  onSheet: (open: RailSheet | null) => void
  NewGuild: NewGuildSheet
  InviteFriends: InviteFriendsSheet
}) {
  const { guildId, onSheet } = props
  const t = useText(deskText)
  return (
    <>
      <Rail
        guildId={guildId ?? undefined}
        isDiscovering={props.isDiscovering}
        onMenu={() => onSheet('menu')}
        onAdd={() => onSheet('add')}
        onGuild={(guildId) => onSheet({ guildId })}
      />
      {guildId && (
        <Column side="channels" label={t.channels} columns={props.columns}>
          <GuildPane key={guildId} guildId={guildId} InviteFriends={props.InviteFriends} />
        </Column>
      )}
      <RailSheets
        open={props.sheet}
        NewGuild={props.NewGuild}
        InviteFriends={props.InviteFriends}
        onClose={() => onSheet(null)}
      />
    </>
  )
}
