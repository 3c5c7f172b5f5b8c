import type { GuildId } from '@guildhall/wire/id.ts'
import { GuildPane, Rail, type RailSheet, RailSheets } from '../../channel/ChannelsScreen.tsx'
import { useText } from '../../kit/i18n.ts'
import { Column } from './Column.tsx'
import { deskText } from './deskText.ts'
import { guildSheets } from './guildSheets.ts'
import type { Columns } from './useColumns.ts'

/** The rail with its sheets, and the channels of the open guild. */
export default function LeftColumns(props: {
  guildId: GuildId | null
  isDiscovering: boolean
  columns: Columns
  sheet: RailSheet | null
  onSheet: (open: RailSheet | null) => void
}) {
  const { guildId, onSheet } = props
  const { NewGuild, InviteFriends, LastWords } = guildSheets
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
          <GuildPane key={guildId} guildId={guildId} InviteFriends={InviteFriends} LastWords={LastWords} />
        </Column>
      )}
      <RailSheets
        open={props.sheet}
        NewGuild={NewGuild}
        InviteFriends={InviteFriends}
        onClose={() => onSheet(null)}
      />
    </>
  )
}
