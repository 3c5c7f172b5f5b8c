/** The last messages of a guild with what decides whether its rules concern their authors. */
import type { ChannelId, GuildId, MessageId, UserId } from '@guildhall/wire/id.ts'
import type { MessageKind } from '@guildhall/wire/message/kind.ts'
import { sql } from 'kysely'
import type { Db } from '../../kit/database/db.ts'
import type { MessageRow } from './message.ts'

export interface LatelyRow
  extends Pick<MessageRow, 'mention' | 'mention_roles' | 'mention_all' | 'mention_here'> {
  readonly id: MessageId
  readonly channel_id: ChannelId
  readonly channel_name: string
  /** The category of the channel. */
  readonly parent_id: ChannelId | null
  readonly user_id: UserId
  readonly username: string
  readonly bot: boolean
  readonly kind: MessageKind
  readonly content: string
  readonly attachments: unknown
  /** ms */
  readonly create_at: number
  readonly joined_at: number
  readonly roles: readonly number[]
}

/** The newest first. Only numbers are read of more than `most`. */
export async function lately(
  db: Db,
  guildId: GuildId,
  channelIds: readonly ChannelId[],
  most: number,
): Promise<LatelyRow[]> {
  const { rows } = await sql<LatelyRow>`
    select message.id, message.channel_id::text, channel.name as channel_name,
      channel.parent_id::text, message.author_id::text as user_id,
      "user".username, "user".bot, message.kind, message.content, message.attachments, message.mention,
      message.mention_roles, message.mention_all, message.mention_here,
      message.create_at::float8 as create_at, coalesce(membership.joined_at, 0)::float8 as joined_at,
      array(select role_id from membership_role it
            where it.guild_id = ${guildId} and it.user_id = message.author_id) as roles
    from (
      select asked.channel_id, last.seq from unnest(${[...channelIds]}::bigint[]) as asked(channel_id)
      cross join lateral (
        select seq from message where message.channel_id = asked.channel_id order by seq desc limit ${most}) last
      order by last.seq desc limit ${most}) it
    join message on message.channel_id = it.channel_id and message.seq = it.seq
    join channel on channel.id = message.channel_id
    join "user" on "user".id = message.author_id
    left join membership on membership.guild_id = ${guildId} and membership.user_id = message.author_id
    where message.deleted_at is null and message.kind <> 'welcome'
    order by message.seq desc`.execute(db)
  return rows
}
