import type { ChannelId, GuildId, MessageId, UserId } from '@guildhall/wire/id.ts'
import type { MessageKind } from '@guildhall/wire/message/kind.ts'
import type { Emoji, KmarkdownPart, Message, Reaction } from '@guildhall/wire/message/message.ts'
import { UNREAD_MAX } from '@guildhall/wire/message/reading.ts'
import { sql } from 'kysely'
import { builtOnce, type Db, keptPlan, type Tx } from '../../kit/db.ts'
import type { Face } from '../../user/user.ts'

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
  /** What its addresses lead to; null until that is known. */
  readonly embeds: unknown[] | null
  /** ms */
  readonly create_at: number
  /** ms; 0 when never edited. */
  readonly updated_at: number
  readonly revision: number
  readonly is_pinned: boolean
}

/** A message with its author's face, nickname and roles as they are now. */
export interface AuthoredRow extends MessageRow, Omit<Face, 'id'> {
  /** Null when the author has left. */
  readonly nickname: string | null
  readonly roles: number[]
  readonly reactions: Reaction[]
}

/** What a message answers; of what was removed since nothing but whose it was. */
const quoteNow = sql`case when message.quote is not null and exists (
    select 1 from message quoted
    where quoted.id = (message.quote->>'id')::uuid and quoted.deleted_at is not null)
  then message.quote || '{"content": "", "can_jump": false}' else message.quote end as quote`

const columns = sql`message.id, message.guild_id, message.channel_id, message.author_id,
  message.seq::float8 as seq, message.nonce, message.kind, message.content, message.mention, message.mention_roles,
  message.mention_all, message.mention_here, message.kmarkdown, ${quoteNow}, message.attachments,
  message.embeds,
  message.create_at::float8 as create_at, message.updated_at::float8 as updated_at,
  message.revision, message.pinned_at > 0 as is_pinned`

/** Messages as one person reads them: which reactions are their own depends on it. */
const authoredFor = (readerId: string) => sql`
  select ${columns}, coalesce((
      select json_agg(json_build_object('emoji', json_build_object('id', it.emoji_id, 'name', it.name),
        'count', it.count, 'me', exists (
          select 1 from reaction_user mine where mine.message_id = it.message_id
            and mine.emoji_id = it.emoji_id and mine.user_id = ${readerId}::bigint)) order by it.since)
      from reaction it where it.message_id = message.id), '[]') as reactions,
    "user".username, "user".identify_num, "user".avatar, "user".vip_avatar, "user".is_vip,
    "user".bot, "user".status, membership.nickname,
    array(select role_id from membership_role it
          where it.guild_id = message.guild_id and it.user_id = message.author_id order by role_id) as roles
  from message
  join "user" on "user".id = message.author_id
  left join membership on membership.guild_id = message.guild_id and membership.user_id = message.author_id`

/** At most `limit` messages of a channel before number `before` (the newest without), oldest first. */
export async function page(
  db: Db,
  readerId: string,
  channelId: string,
  before: number | null,
  limit: number,
): Promise<AuthoredRow[]> {
  const { rows } = await sql<AuthoredRow>`
    ${authoredFor(readerId)}
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

/** At most `limit` messages of a channel after number `after`, oldest first. */
export async function pageAfter(
  db: Db,
  readerId: string,
  channelId: string,
  after: number,
  limit: number,
): Promise<AuthoredRow[]> {
  const { rows } = await sql<AuthoredRow>`
    ${authoredFor(readerId)}
    where message.channel_id = ${channelId} and message.deleted_at is null and message.seq > ${after}
    order by message.seq limit ${limit}`.execute(db)
  return rows
}

/** The pinned messages of a channel, the one pinned last being the last. */
export async function pinned(
  db: Db,
  readerId: string,
  channelId: string,
  limit: number,
): Promise<AuthoredRow[]> {
  const { rows } = await sql<AuthoredRow>`
    ${authoredFor(readerId)}
    where message.channel_id = ${channelId} and message.pinned_at > 0 and message.deleted_at is null
    order by message.pinned_at desc, message.seq desc limit ${limit}`.execute(db)
  return rows.reverse()
}

/** When each pinned message of a channel was pinned, and by whom, as they are called there now. */
export async function pinnings(
  db: Db,
  channelId: string,
): Promise<
  { readonly id: string; readonly at: number; readonly by: UserId | null; readonly name: string }[]
> {
  const { rows } = await sql<{ id: string; at: number; by: UserId | null; name: string }>`
    select message.id, message.pinned_at::float8 as at, "user".id as by,
      coalesce(nullif(membership.nickname, ''), "user".username, '') as name
    from message
    left join "user" on "user".id = message.pinned_by
    left join membership on membership.guild_id = message.guild_id and membership.user_id = message.pinned_by
    where message.channel_id = ${channelId} and message.pinned_at > 0`.execute(db)
  return rows
}

export async function byId(
  db: Db,
  readerId: string,
  channelId: string,
  id: string,
): Promise<AuthoredRow | null> {
  const { rows } = await sql<AuthoredRow>`
    ${authoredFor(readerId)} where message.id = ${id} and message.channel_id = ${channelId}
      and message.deleted_at is null`.execute(db)
  return rows[0] ?? null
}

/** The message an author sent under a nonce; its row stays when it is deleted, so that it is not sent again. */
export async function byNonce(
  db: Db,
  channelId: string,
  authorId: string,
  nonce: string,
): Promise<AuthoredRow | 'deleted' | null> {
  const { rows } = await sql<AuthoredRow>`
    ${authoredFor(authorId)} where message.channel_id = ${channelId} and message.author_id = ${authorId}
      and message.nonce = ${nonce} and message.nonce <> '' and message.deleted_at is null`.execute(db)
  if (rows[0]) return rows[0]
  const { rows: gone } = await sql`
    select 1 from message where channel_id = ${channelId} and author_id = ${authorId} and nonce = ${nonce}
      and nonce <> ''`.execute(db)
  return gone.length > 0 ? 'deleted' : null
}

/** A message on its way: the event it will be, whole except for its number and time. */
export interface Draft {
  readonly kind: MessageKind
  /** When it was said, ms. */
  readonly now: number
  /** The event's body; the message's columns are read out of it. */
  readonly event: {
    readonly message: Message
    readonly channel: { readonly name: string; readonly type: number }
  }
}

export interface Added {
  readonly seq: number
  /** ms */
  readonly at: number
}

/** Whom a message calls on. Role 0 is everyone: those of `mention_here` count as it. chat.md §4 "Mentioned". */
interface Calls {
  readonly mention: readonly string[]
  readonly mention_roles: readonly number[]
  readonly mention_all: boolean
  readonly mention_here: boolean
}
interface Target {
  readonly is_user: boolean
  readonly target_id: string | number
}

function targetsOf({ mention, mention_roles, mention_all, mention_here }: Calls): Target[] {
  const roles = new Set(mention_all || mention_here ? [0, ...mention_roles] : mention_roles)
  return [
    ...[...roles].map((target_id) => ({ is_user: false, target_id })),
    ...[...new Set(mention)].map((target_id) => ({ is_user: true, target_id })),
  ]
}

/** Remembers whom the messages of a batch call on, for their badges. Only in batches where one does. */
const calledOn = sql`, called as (
      insert into mention (channel_id, is_user, target_id, seq, author_id, at)
      select channel_id, (it->>'is_user')::boolean, (it->>'target_id')::bigint, seq, author_id, at
      from numbered, jsonb_array_elements(calls) it
    )`

type Numbered = Added & { readonly place: number }

/** Where the drafts stand in the statement below. */
const DRAFTS = ''
const storing = (isCalling: boolean) => sql<Numbered>`${keptPlan}
    with draft as materialized (
      select place, it->>'kind' as kind, (it->>'now')::bigint as now, it->'event' as event,
        message->>'id' as id, (message->>'guild_id')::bigint as guild_id,
        (message->>'channel_id')::bigint as channel_id, (message#>>'{author,id}')::bigint as author_id,
        message->>'nonce' as nonce${isCalling ? sql`, it->'calls' as calls` : sql``}
      from jsonb_array_elements(${DRAFTS}::jsonb) with ordinality as list(it, place),
        lateral (select it->'event'->'message' as message) whole
    ), locked as materialized (
      select guild_id from guild_counter where guild_id in (select guild_id from draft) order by guild_id for update
    ), fresh as materialized (
      select each.*, row_number() over (partition by guild_id order by place) as step
      from (
        select draft.*, row_number() over (partition by channel_id, author_id, nonce order by place) as time
        from draft join locked using (guild_id)
        join channel on channel.id = draft.channel_id and channel.deleted_at is null
      ) each
      -- With a limit it is looked up row by row, and never by reading the whole table for all of them.
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
    )${isCalling ? calledOn : sql``}
    select place::int as place, seq::float8 as seq, at::float8 as at from numbered`

const store = builtOnce(() => storing(false))
/** What calls on nobody is stored by a statement that knows nothing of calling. */
const storeCalling = builtOnce(() => storing(true))

/**
 * Takes the next numbers of the guilds, stores the messages and logs their events, in one statement: all or none.
 * Numbers follow the order of `drafts` and have no holes; guilds are locked in the order of their ids. One answer per
 * draft, in order: null, and no number is taken, when its author used its nonce in this channel before, be it earlier
 * in `drafts`, and when its guild or channel is gone. Another process with the same nonce at the same moment: the later
 * statement fails on `message_nonce`.
 */
export async function add(db: Db, drafts: readonly Draft[]): Promise<(Added | null)[]> {
  const calling = drafts.map(({ event }) => targetsOf(event.message))
  const isCalling = calling.some((targets) => targets.length > 0)
  const { rows } = isCalling
    ? await storeCalling(db, [JSON.stringify(drafts.map((draft, at) => ({ ...draft, calls: calling[at] })))])
    : await store(db, [JSON.stringify(drafts)])
  const answers = drafts.map((): Added | null => null)
  for (const { place, seq, at } of rows) answers[place - 1] = { seq, at }
  return answers
}

/** Stores a message that calls on nobody, under the number its event will have. */
export async function addNumbered(tx: Tx, it: MessageRow): Promise<void> {
  await sql`
    insert into message (id, guild_id, channel_id, author_id, seq, nonce, kind, content, kmarkdown, create_at)
    values (${it.id}, ${it.guild_id}, ${it.channel_id}, ${it.author_id}, ${it.seq}, ${it.nonce}, ${it.kind},
            ${it.content}, ${JSON.stringify(it.kmarkdown)}::jsonb, ${it.create_at})`.execute(tx)
}

/** A message that something is about to be done to. */
export interface HeldRow extends Calls {
  readonly id: MessageId
  readonly guild_id: GuildId
  readonly channel_id: ChannelId
  readonly author_id: UserId
  readonly seq: number
  readonly kind: MessageKind
  readonly content: string
  readonly quote: unknown
  readonly is_deleted: boolean
  readonly is_pinned: boolean
  readonly is_embedded: boolean
}

/** A message by its id, deleted or not, held until the transaction ends: acts on one message come one by one. */
export async function hold(tx: Tx, id: string): Promise<HeldRow | null> {
  const { rows } = await sql<HeldRow>`
    select id, guild_id, channel_id, author_id, seq::float8 as seq, kind, content, ${quoteNow}, mention, mention_roles,
      mention_all, mention_here, deleted_at is not null as is_deleted, pinned_at > 0 as is_pinned,
      embeds is not null as is_embedded
    from message where id = ${id} for update`.execute(tx)
  return rows[0] ?? null
}

/** Where a message stands that is not deleted, and how often it changed; null when there is none. */
export async function placeOf(
  db: Db,
  id: string,
): Promise<{ readonly channel_id: ChannelId; readonly seq: number } | null> {
  const { rows } = await sql<{ channel_id: ChannelId; seq: number }>`
    select channel_id, seq::float8 as seq from message where id = ${id} and deleted_at is null`.execute(db)
  return rows[0] ?? null
}

export async function revisionOf(tx: Tx, id: string): Promise<number> {
  const { rows } = await sql<{ revision: number }>`select revision from message where id = ${id}`.execute(tx)
  return rows[0]!.revision
}

/** New words for a held message; answers its revision. */
export async function change(
  tx: Tx,
  held: HeldRow,
  to: Calls & {
    readonly content: string
    readonly kmarkdown: KmarkdownPart
    readonly quote: unknown
    readonly now: number
  },
): Promise<number> {
  const quote = to.quote === null ? null : JSON.stringify(to.quote)
  const { rows } = await sql<{ revision: number }>`
    update message set content = ${to.content}, kmarkdown = ${JSON.stringify(to.kmarkdown)}::jsonb,
      mention = ${JSON.stringify(to.mention)}::jsonb, mention_roles = ${JSON.stringify(to.mention_roles)}::jsonb,
      mention_all = ${to.mention_all}, mention_here = ${to.mention_here}, quote = ${quote}::jsonb,
      updated_at = ${to.now}, embeds = null, revision = revision + 1
    where id = ${held.id} returning revision`.execute(tx)
  await forgetCalls(tx, held)
  await sql`
    insert into mention (channel_id, is_user, target_id, seq, author_id, at)
    select channel_id, (it->>'is_user')::boolean, (it->>'target_id')::bigint, seq, author_id, create_at
    from message, jsonb_array_elements(${JSON.stringify(targetsOf(to))}::jsonb) it
    where id = ${held.id}`.execute(tx)
  return rows[0]!.revision
}

async function forgetCalls(tx: Tx, held: HeldRow): Promise<void> {
  const targets = targetsOf(held)
  if (targets.length === 0) return
  await sql`
    delete from mention using jsonb_array_elements(${JSON.stringify(targets)}::jsonb) it
    where channel_id = ${held.channel_id} and seq = ${held.seq}
      and is_user = (it->>'is_user')::boolean and target_id = (it->>'target_id')::bigint`.execute(tx)
}

/** Takes everything out of a held message but its place, its author and its nonce; answers its revision. */
export async function remove(tx: Tx, held: HeldRow, now: number): Promise<number> {
  const { rows } = await sql<{ revision: number }>`
    update message set deleted_at = ${now}, content = '', kmarkdown = '{}', mention = '[]', mention_roles = '[]',
      mention_all = false, mention_here = false, quote = null, embeds = null, pinned_at = 0, revision = revision + 1
    where id = ${held.id} returning revision`.execute(tx)
  await forgetCalls(tx, held)
  await sql`delete from reaction where message_id = ${held.id}`.execute(tx)
  return rows[0]!.revision
}

/** The kind and the channel of somebody's own message that was not deleted; null when there is none. */
export async function ownPlace(
  db: Db,
  authorId: string,
  id: string,
): Promise<{ readonly kind: MessageKind; readonly channel_id: ChannelId } | null> {
  const { rows } = await sql<{ kind: MessageKind; channel_id: ChannelId }>`
    select kind, channel_id from message
    where id = ${id} and author_id = ${authorId} and deleted_at is null`.execute(db)
  return rows[0] ?? null
}

/** What the addresses in a held message lead to; answers its revision. */
export async function embed(tx: Tx, id: string, embeds: readonly object[]): Promise<number> {
  await sql`update message set embeds = ${JSON.stringify(embeds)}::jsonb where id = ${id}`.execute(tx)
  return touch(tx, id)
}

async function touch(tx: Tx, id: string): Promise<number> {
  const { rows } = await sql<{ revision: number }>`
    update message set revision = revision + 1 where id = ${id} returning revision`.execute(tx)
  return rows[0]!.revision
}

/** The emoji on a held message, and whether somebody is among those who reacted with one of them. */
export async function reactionsOn(
  tx: Tx,
  id: string,
  emojiId: string,
  userId: string,
): Promise<{ readonly kinds: number; readonly isThere: boolean; readonly isMine: boolean }> {
  const { rows } = await sql<{ kinds: number; isThere: boolean; isMine: boolean }>`
    select count(*)::int as kinds, coalesce(bool_or(emoji_id = ${emojiId}), false) as "isThere",
      exists (select 1 from reaction_user where message_id = ${id} and emoji_id = ${emojiId}
              and user_id = ${userId}) as "isMine"
    from reaction where message_id = ${id}`.execute(tx)
  return rows[0]!
}

/** Counts a reaction of somebody who had not reacted so; answers the message's revision. */
export async function react(
  tx: Tx,
  it: { readonly id: string; readonly emoji: Emoji; readonly userId: string; readonly now: number },
): Promise<number> {
  const revision = await touch(tx, it.id)
  await sql`
    insert into reaction as known (message_id, emoji_id, name, count, since)
    values (${it.id}, ${it.emoji.id}, ${it.emoji.name}, 1, ${revision})
    on conflict (message_id, emoji_id) do update set count = known.count + 1`.execute(tx)
  await sql`
    insert into reaction_user (message_id, emoji_id, user_id, at)
    values (${it.id}, ${it.emoji.id}, ${it.userId}, ${it.now})`.execute(tx)
  return revision
}

/** Takes a reaction back; answers the message's revision and the emoji's name, or null when there was none. */
export async function unreact(
  tx: Tx,
  id: string,
  emojiId: string,
  userId: string,
): Promise<{ readonly revision: number; readonly name: string } | null> {
  const { rows } = await sql<{ name: string }>`
    select name from reaction join reaction_user using (message_id, emoji_id)
    where message_id = ${id} and emoji_id = ${emojiId} and user_id = ${userId}`.execute(tx)
  const [known] = rows
  if (!known) return null
  await sql`delete from reaction where message_id = ${id} and emoji_id = ${emojiId} and count = 1`.execute(tx)
  await sql`
    with gone as (
      delete from reaction_user where message_id = ${id} and emoji_id = ${emojiId} and user_id = ${userId}
      returning 1)
    update reaction set count = count - 1
    where message_id = ${id} and emoji_id = ${emojiId} and exists (select 1 from gone)`.execute(tx)
  return { revision: await touch(tx, id), name: known.name }
}

/** What was said to one person alone, as far as it is kept. */
export interface QuietRow {
  readonly id: MessageId
  readonly target_id: UserId
  readonly guild_id: GuildId
  readonly channel_id: ChannelId
  readonly author_id: UserId
  readonly nonce: string
  /** Their JSON; empty when it is no card. */
  readonly cards: string
  /** ms */
  readonly at: number
}

/** Keeps it unless its author used its nonce for this person in this channel: then answers the first one. */
export async function addQuiet(
  tx: Tx,
  it: QuietRow,
): Promise<{ readonly id: MessageId; readonly at: number } | null> {
  const { rows: added } = await sql`
    insert into quiet_message (id, target_id, guild_id, channel_id, author_id, nonce, cards, at)
    values (${it.id}, ${it.target_id}, ${it.guild_id}, ${it.channel_id}, ${it.author_id}, ${it.nonce}, ${it.cards},
            ${it.at})
    on conflict (channel_id, author_id, target_id, nonce) where nonce <> '' do nothing returning 1`.execute(
    tx,
  )
  return added.length > 0 ? null : firstQuiet(tx, it)
}

/** What was said to somebody alone under a nonce. */
export async function firstQuiet(
  db: Db,
  it: Pick<QuietRow, 'author_id' | 'target_id' | 'nonce'> & { readonly channel_id: string },
): Promise<{ readonly id: MessageId; readonly at: number } | null> {
  const { rows } = await sql<{ id: MessageId; at: number }>`
    select id, at::float8 as at from quiet_message
    where channel_id = ${it.channel_id} and author_id = ${it.author_id} and target_id = ${it.target_id}
      and nonce = ${it.nonce} and nonce <> ''`.execute(db)
  return rows[0] ?? null
}

/** Keeps the other cards that one person is shown in place of a message's, for their buttons. */
export async function keepQuietView(tx: Tx, it: Omit<QuietRow, 'nonce'>): Promise<void> {
  await sql`
    insert into quiet_message (id, target_id, guild_id, channel_id, author_id, cards, at)
    values (${it.id}, ${it.target_id}, ${it.guild_id}, ${it.channel_id}, ${it.author_id}, ${it.cards}, ${it.at})
    on conflict (id, target_id) do update set cards = excluded.cards, at = excluded.at`.execute(tx)
}

/** What somebody alone was told or shown under a message's id. */
export async function quietFor(db: Db, id: string, userId: string): Promise<QuietRow | null> {
  const { rows } = await sql<QuietRow>`
    select id, target_id, guild_id, channel_id, author_id, nonce, cards, at::float8 as at from quiet_message
    where id = ${id} and target_id = ${userId}`.execute(db)
  return rows[0] ?? null
}

export async function forgetQuiet(db: Db, before: number): Promise<number> {
  const { numAffectedRows } = await sql`delete from quiet_message where at < ${before}`.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** The number of a guild's last event that is committed. */
export async function lastEvent(db: Db, guildId: string): Promise<number> {
  const { rows } = await sql<{ seq: number }>`
    select event_seq::float8 as seq from guild_counter where guild_id = ${guildId}`.execute(db)
  return rows[0]?.seq ?? 0
}

/** A person who reacted. */
export interface ReactorRow extends Face {
  readonly reaction_time: number
}

/** The first `limit` who reacted with an emoji, in their order. */
export async function reactors(db: Db, id: string, emojiId: string, limit: number): Promise<ReactorRow[]> {
  const { rows } = await sql<ReactorRow>`
    select "user".id, username, identify_num, avatar, vip_avatar, is_vip, bot, status, it.at::float8 as reaction_time
    from reaction_user it join "user" on "user".id = it.user_id
    where it.message_id = ${id} and it.emoji_id = ${emojiId}
    order by it.at, it.user_id limit ${limit}`.execute(db)
  return rows
}

/**
 * Pins a held message, 0 unpins; answers its revision, or null when its channel has `most` pinned ones. The channel's
 * pins come one by one.
 */
export async function pin(
  tx: Tx,
  held: HeldRow,
  { now, by, most }: { readonly now: number; readonly by: string; readonly most: number },
): Promise<number | null> {
  if (now > 0) {
    await sql`select pg_advisory_xact_lock(${PIN_LOCK}, hashint8(${held.channel_id}::bigint))`.execute(tx)
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from message
      where channel_id = ${held.channel_id} and pinned_at > 0`.execute(tx)
    if (rows[0]!.count >= most) return null
  }
  await sql`update message set pinned_at = ${now}, pinned_by = ${now > 0 ? by : 0} where id = ${held.id}`.execute(
    tx,
  )
  return touch(tx, held.id)
}

const PIN_LOCK = 7_146

/** The number of a channel's newest message, deleted or not; 0 when there never was one. */
export async function lastSeq(db: Db, channelId: string): Promise<number> {
  const { rows } = await sql<{ seq: number }>`
    select seq::float8 as seq from message where channel_id = ${channelId}
    order by message.seq desc limit 1`.execute(db)
  return rows[0]?.seq ?? 0
}

/** Moves a mark on, never back; false when it was there or further. */
export async function moveMark(tx: Tx, userId: string, channelId: string, seq: number): Promise<boolean> {
  const { rows } = await sql`
    insert into read_mark as it (user_id, channel_id, seq) values (${userId}, ${channelId}, ${seq})
    on conflict (user_id, channel_id) do update set seq = excluded.seq where it.seq < excluded.seq
    returning 1`.execute(tx)
  return rows.length > 0
}

export interface UnreadRow {
  readonly channel_id: ChannelId
  readonly guild_id: GuildId
  readonly read_seq: number
  readonly last_seq: number
  readonly unread_count: number
  readonly mention_count: number
}

/**
 * What waits for a member in some channels of their guilds, counted up to `most`, and mentions up to `UNREAD_MAX`. Never more than the newest messages of a
 * channel are looked at and, for the mentions, `most` for the person and each of their roles: a channel of ten
 * messages costs what one of ten million does. When the person alone wrote the newest ones, they have read it.
 */
export async function unread(
  db: Db,
  userId: string,
  channels: readonly { readonly id: string; readonly guild_id: string }[],
  most: number,
): Promise<UnreadRow[]> {
  const channelIds = channels.map(({ id }) => id)
  const guildIds = channels.map(({ guild_id }) => guild_id)
  const { rows } = await sql<UnreadRow>`
    select asked.id as channel_id, asked.guild_id, mark.seq::float8 as read_seq,
      coalesce(last.seq, 0)::float8 as last_seq, fresh.count as unread_count, called.count as mention_count
    from unnest(${channelIds}::bigint[], ${guildIds}::bigint[]) asked(id, guild_id)
    join membership member on member.guild_id = asked.guild_id and member.user_id = ${userId}
    cross join lateral (
      select coalesce((select seq from read_mark it where it.user_id = member.user_id
                       and it.channel_id = asked.id), 0) as seq
    ) mark
    left join lateral (
      select message.seq from message where message.channel_id = asked.id order by message.seq desc limit 1
    ) last on true
    cross join lateral (
      select least(count(*), ${most})::int as count from (
        select author_id, deleted_at, create_at from message
        where message.channel_id = asked.id and message.seq > mark.seq
        order by message.seq desc limit ${most * 2}
      ) it
      where author_id <> member.user_id and deleted_at is null and create_at >= member.joined_at
    ) fresh
    cross join lateral (
      select least(count(distinct it.seq), ${UNREAD_MAX})::int as count
      from (
        select true as is_user, member.user_id as target_id
        union all select false, 0
        union all select false, role_id from membership_role mine
          where mine.guild_id = member.guild_id and mine.user_id = member.user_id
      ) target
      cross join lateral (
        select mention.seq from mention
        where mention.channel_id = asked.id and mention.is_user = target.is_user
          and mention.target_id = target.target_id and mention.seq > mark.seq
          and mention.author_id <> member.user_id and mention.at >= member.joined_at
        order by mention.seq desc limit ${UNREAD_MAX}
      ) it
    ) called`.execute(db)
  return rows
}

/** Who wrote the last messages of a channel, the latest first. */
export async function lastSpeakers(db: Db, channelId: string, messages: number): Promise<UserId[]> {
  const { rows } = await sql<{ author_id: UserId }>`
    select author_id from (
      select author_id, seq from message where channel_id = ${channelId} order by seq desc limit ${messages}) last
    group by author_id order by max(seq) desc`.execute(db)
  return rows.map((row) => row.author_id)
}
