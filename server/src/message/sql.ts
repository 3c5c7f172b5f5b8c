import type { ChannelId, GuildId, MessageId, UserId } from '@guildhall/wire/id.ts'
import type { MessageKind } from '@guildhall/wire/message/kind.ts'
import type { KmarkdownPart, Message } from '@guildhall/wire/message/message.ts'
import { sql } from 'kysely'
import { type Db, keptPlan } from '../kit/db.ts'
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
  /** What is known of its file; null for words. */
  readonly attachments: unknown
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
  message.mention_all, message.mention_here, message.kmarkdown, message.quote, message.attachments,
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

/** A message on its way: the event it will be, whole except for its number and time. */
export interface Draft {
  readonly kind: MessageKind
  /** When it was said, ms. */
  readonly now: number
  /** The event's body; the message's columns are read out of it. */
  readonly event: { readonly message: Message; readonly channel: object }
}

export interface Added {
  readonly seq: number
  /** ms */
  readonly at: number
}

/**
 * Takes the next numbers of the guilds, stores the messages and logs their events, in one statement: all or none.
 * Numbers follow the order of `drafts` and have no holes; guilds are locked in the order of their ids. One answer per
 * draft, in order: null, and no number is taken, when its author used its nonce in this channel before, be it earlier
 * in `drafts`, and when its guild is gone. Another process with the same nonce at the same moment: the later
 * statement fails on `message_nonce`.
 */
export async function add(db: Db, drafts: readonly Draft[]): Promise<(Added | null)[]> {
  const { rows } = await sql<Added & { readonly place: number }>`${keptPlan}
    with draft as materialized (
      select place, it->>'kind' as kind, (it->>'now')::bigint as now, it->'event' as event,
        message->>'id' as id, (message->>'guild_id')::bigint as guild_id,
        (message->>'channel_id')::bigint as channel_id, (message#>>'{author,id}')::bigint as author_id,
        message->>'nonce' as nonce
      from jsonb_array_elements(${JSON.stringify(drafts)}::jsonb) with ordinality as list(it, place),
        lateral (select it->'event'->'message' as message) whole
    ), locked as materialized (
      select guild_id from guild_counter where guild_id in (select guild_id from draft) order by guild_id for update
    ), fresh as materialized (
      select each.*, row_number() over (partition by guild_id order by place) as step
      from (
        select draft.*, row_number() over (partition by channel_id, author_id, nonce order by place) as time
        from draft join locked using (guild_id)
      ) each
      -- With a limit it can only be looked up by its index, row by row, and never by reading the whole table.
      left join lateral (
        select it.id from message it
        where it.channel_id = each.channel_id and it.author_id = each.author_id
          and it.nonce = each.nonce and it.nonce <> '' limit 1
      ) first on true
      where first.id is null and (nonce = '' or time = 1)
    ), counter as (
      update guild_counter it
      set event_seq = it.event_seq + taken.count, last_at = greatest(it.last_at, taken.now)
      from (select guild_id, count(*) as count, max(now) as now from fresh group by guild_id) taken
      where it.guild_id = taken.guild_id
      returning it.guild_id, it.event_seq - taken.count as before, it.last_at as at
    ), numbered as materialized (
      select fresh.*, counter.before + fresh.step as seq, counter.at,
        fresh.event->'message' || jsonb_build_object('seq', counter.before + fresh.step, 'create_at', counter.at)
          as message
      from fresh join counter using (guild_id)
    ), added as (
      insert into message (id, guild_id, channel_id, author_id, seq, nonce, kind, content, mention, mention_roles,
                           mention_all, mention_here, kmarkdown, quote, attachments, create_at)
      select id::uuid, guild_id, channel_id, author_id, seq, nonce, kind, message->>'content', message->'mention',
        message->'mention_roles', (message->>'mention_all')::boolean, (message->>'mention_here')::boolean,
        message->'kmarkdown', nullif(message->'quote', 'null'), nullif(message->'attachments', 'null'), at
      from numbered
    ), logged as (
      insert into event_log (guild_id, seq, kind, channel_id, body, at)
      select guild_id, seq, 'message', channel_id,
        jsonb_build_object('message', message, 'channel', event->'channel'), at
      from numbered
    )
    select place::int as place, seq::float8 as seq, at::float8 as at from numbered`.execute(db)
  const answers = drafts.map((): Added | null => null)
  for (const { place, seq, at } of rows) answers[place - 1] = { seq, at }
  return answers
}
