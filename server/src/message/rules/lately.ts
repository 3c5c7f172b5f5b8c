/** What was said last in a guild, as the rules by which it moderates itself are tried on it. */
import type { ChannelId, GuildId, MessageId } from '@guildhall/wire/id.ts'
import type { Db } from '../../kit/database/db.ts'
import { screenedTexts } from '../screenedTexts.ts'
import { type LatelyRow, lately } from '../sql/lately.ts'
import { mentionsOf } from './moderated.ts'

export interface SaidLately
  extends Pick<
    LatelyRow,
    'user_id' | 'username' | 'bot' | 'roles' | 'joined_at' | 'create_at' | 'parent_id'
  > {
  readonly msg_id: MessageId
  readonly channel_id: ChannelId
  readonly channel_name: string
  readonly texts: readonly string[]
  readonly mentions: number
  readonly has_files: boolean
}

/** The last messages of some channels, the newest first. Who left has no roles, and joined long ago. */
export async function saidLately(
  db: Db,
  guildId: GuildId,
  channelIds: readonly ChannelId[],
  most: number,
): Promise<SaidLately[]> {
  const rows = await lately(db, guildId, channelIds, most)
  return rows.map(({ id, kind, content, attachments, ...it }) => ({
    ...it,
    msg_id: id,
    texts: screenedTexts(kind, content, attachments),
    mentions: mentionsOf(it),
    has_files: attachments !== null,
  }))
}
