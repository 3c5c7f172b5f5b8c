import type { ChannelId, GuildId, MessageId, UserId } from '@guildhall/wire/id.ts'
import type { MessageKind } from '@guildhall/wire/message/kind.ts'
import type { KmarkdownPart } from '@guildhall/wire/message/message.ts'
import { sql } from 'kysely'
import type { Db } from '../kit/db.ts'
import type { Face } from '../user/user.ts'

export interface MessageRow {
  readonly id: MessageId
  readonly guild_id: GuildId
  readonly channel_id: ChannelId
  readonly author_id: UserId
  readonly seq: number
  readonly nonce: string
  readonly kind: MessageKind
  readonly content: string
  readonly mention: UserId[]
  readonly mention_roles: number[]
  readonly mention_all: boolean
  readonly mention_here: boolean
  readonly kmarkdown: KmarkdownPart
  readonly quote: unknown
  /** ms */
  readonly create_at: number
  /** ms; 0 when never edited. */
  readonly updated_at: number
}

/** A message with its author's face, nickname and roles as they are now. */
export interface AuthoredRow extends MessageRow, Omit<Face, 'id'> {
  /** Null when the author has left. */
  readonly nickname: string | null
  readonly roles: number[]
}

const columns = sql`message.id, message.guild_id, message.channel_id, message.author_id,
  message.seq::float8 as seq, message.nonce, message.kind, message.content, message.mention, message.mention_roles,
  message.mention_all, message.mention_here, message.kmarkdown, message.quote,
  message.create_at::float8 as create_at, message.updated_at::float8 as updated_at`

const authored = sql`
  select ${columns}, "user".username, "user".identify_num, "user".avatar, "user".vip_avatar, "user".is_vip,
    "user".bot, "user".status, membership.nickname,
    array(select role_id from membership_role it
          where it.guild_id = message.guild_id and it.user_id = message.author_id order by role_id) as roles
  from message
  join "user" on "user".id = message.author_id
  left join membership on membership.guild_id = message.guild_id and membership.user_id = message.author_id`

/** At most `limit` messages of a channel before number `before` (the newest without), oldest first. */
export async function page(
  db: Db,
  channelId: string,
  before: number | null,
  limit: number,
): Promise<AuthoredRow[]> {
  const { rows } = await sql<AuthoredRow>`
    ${authored}
    where message.channel_id = ${channelId} and message.deleted_at is null
      and message.seq < coalesce(${before}::bigint, 9223372036854775807)
    order by message.seq desc limit ${limit}`.execute(db)
  return rows.reverse()
}

/** Where a message stands in its channel, also when it was deleted; null when it never was in this channel. */
export async function seqOf(db: Db, channelId: string, id: string): Promise<number | null> {
  const { rows } = await sql<{ seq: number }>`
    select seq::float8 as seq from message where id = ${id} and channel_id = ${channelId}`.execute(db)
  return rows[0]?.seq ?? null
}

export async function byId(db: Db, channelId: string, id: string): Promise<AuthoredRow | null> {
  const { rows } = await sql<AuthoredRow>`
    ${authored} where message.id = ${id} and message.channel_id = ${channelId}
      and message.deleted_at is null`.execute(db)
  return rows[0] ?? null
}

export async function byNonce(
  db: Db,
  channelId: string,
  authorId: string,
  nonce: string,
): Promise<AuthoredRow | null> {
  const { rows } = await sql<AuthoredRow>`
    ${authored} where message.channel_id = ${channelId} and message.author_id = ${authorId}
      and message.nonce = ${nonce} and message.nonce <> ''`.execute(db)
  return rows[0] ?? null
}

/**
 * Takes the guild's next number, stores the message and logs its event, in one statement. `event` is the event's
 * body; its message's `seq` and `create_at` are filled in here. Null, and no number is taken, when the author's
 * nonce was used in this channel before. Two statements with one nonce at the same moment: the later one fails on
 * `message_nonce`, see `isRepeat`.
 */
export async function add(
  db: Db,
  it: Omit<MessageRow, 'seq' | 'create_at' | 'updated_at'> & {
    readonly now: number
    readonly event: { readonly message: object; readonly channel: object }
  },
): Promise<{ seq: number; at: number } | null> {
  const { rows } = await sql<{ seq: number; at: number }>`
    with counter as (
      update guild_counter set event_seq = event_seq + 1, last_at = greatest(last_at, ${it.now}::bigint)
      where guild_id = ${it.guild_id} and not exists (
        select 1 from message where channel_id = ${it.channel_id} and author_id = ${it.author_id}
          and nonce = ${it.nonce} and nonce <> '')
      returning event_seq, last_at
    ), added as (
      insert into message (id, guild_id, channel_id, author_id, seq, nonce, kind, content, mention, mention_roles,
                           mention_all, mention_here, kmarkdown, quote, create_at)
      select ${it.id}::uuid, ${it.guild_id}::bigint, ${it.channel_id}::bigint, ${it.author_id}::bigint,
        counter.event_seq, ${it.nonce}::text, ${it.kind}::text, ${it.content}::text,
        ${JSON.stringify(it.mention)}::jsonb, ${JSON.stringify(it.mention_roles)}::jsonb,
        ${it.mention_all}::boolean, ${it.mention_here}::boolean, ${JSON.stringify(it.kmarkdown)}::jsonb,
        ${it.quote === null ? null : JSON.stringify(it.quote)}::jsonb, counter.last_at
      from counter
    )
    insert into event_log (guild_id, seq, kind, channel_id, body, at)
    select ${it.guild_id}::bigint, counter.event_seq, 'message', ${it.channel_id}::bigint,
      jsonb_build_object(
        'message', ${JSON.stringify(it.event.message)}::jsonb
          || jsonb_build_object('seq', counter.event_seq, 'create_at', counter.last_at),
        'channel', ${JSON.stringify(it.event.channel)}::jsonb),
      counter.last_at
    from counter
    returning seq::float8 as seq, at::float8 as at`.execute(db)
  return rows[0] ?? null
}
