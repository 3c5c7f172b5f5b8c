/** Messages of channels. */
import type { ChannelId, GuildId, MessageId, UserId } from '@guildhall/wire/id.ts'
import type { MessageKind } from '@guildhall/wire/message/kind.ts'
import type { KmarkdownPart, Reaction } from '@guildhall/wire/message/message.ts'
import { type Selectable, sql } from 'kysely'
import { asNumber, int8 } from '../../kit/database/columns.ts'
import type { Db, Tx } from '../../kit/database/db.ts'
import type { MessageTable } from '../../kit/database/tables.ts'
import { firstUuidOf, timeOfUuid } from '../../kit/ids.ts'
import { type Identity, identityColumns } from '../../user/user.ts'
import { messageTable } from '../core/table.ts'
import { addMentions, deleteMentions, type MentionTargets } from './mention.ts'

/**
 * A message. `attachments`: what is known of its file, null for text; `embeds`: the previews of its
 * addresses, null until they are known.
 */
export interface MessageRow
  extends Readonly<
    Pick<
      Selectable<MessageTable>,
      | 'id'
      | 'guild_id'
      | 'channel_id'
      | 'author_id'
      | 'nonce'
      | 'kind'
      | 'content'
      | 'mention_all'
      | 'mention_here'
      | 'quote'
      | 'attachments'
      | 'revision'
    >
  > {
  readonly seq: number
  readonly mention: UserId[]
  readonly mention_roles: number[]
  readonly kmarkdown: KmarkdownPart
  readonly embeds: unknown[] | null
  /** ms */
  readonly create_at: number
  /** ms; 0 when never edited. */
  readonly updated_at: number
  readonly is_pinned: boolean
}

/** A message with its author's present name, avatar, nickname and roles. */
export interface AuthoredRow extends MessageRow, Omit<Identity, 'id'> {
  /** Null when the author has left. */
  readonly nickname: string | null
  readonly roles: number[]
  readonly reactions: Reaction[]
}

/** The quote of a message; of a quoted message that was deleted since, only its author. */
export const quoteNow = sql`case when message.quote is not null and exists (
    select 1 from message quoted
    where quoted.id = (message.quote->>'id')::uuid and quoted.deleted_at is not null)
  then (message.quote - 'kmarkdown') || '{"content": "", "can_jump": false}' else message.quote end as quote`

export const columns = sql`message.id, message.guild_id, message.channel_id, message.author_id,
  message.seq::float8 as seq, message.nonce, message.kind, message.content, message.mention, message.mention_roles,
  message.mention_all, message.mention_here, message.kmarkdown, ${quoteNow}, message.attachments,
  message.embeds,
  message.create_at::float8 as create_at, message.updated_at::float8 as updated_at,
  message.revision, message.pinned_at > 0 as is_pinned`

/** Messages as one person reads them: which reactions are their own depends on it. */
export const selectFor = (readerId: UserId) => sql`
  select ${columns}, coalesce((
      select json_agg(json_build_object('emoji', json_build_object('id', it.emoji_id, 'name', it.name),
        'count', it.count, 'me', exists (
          select 1 from reaction_user mine where mine.message_id = it.message_id
            and mine.emoji_id = it.emoji_id and mine.user_id = ${readerId}::bigint)) order by it.since)
      from reaction it where it.message_id = message.id), '[]') as reactions,
    ${identityColumns}, membership.nickname,
    array(select role_id from membership_role it
          where it.guild_id = message.guild_id and it.user_id = message.author_id order by role_id) as roles
  from message
  join "user" on "user".id = message.author_id
  left join membership on membership.guild_id = message.guild_id and membership.user_id = message.author_id`

/** Pages and single messages of channels. */
export const table = messageTable<AuthoredRow>({
  name: 'message',
  conversation: 'channel_id',
  select: selectFor,
})

/**
 * The message an author sent under a nonce. The row of a deleted message stays, so that it is not sent again.
 */
export async function byNonce(
  db: Db,
  channelId: ChannelId,
  authorId: UserId,
  nonce: string,
): Promise<AuthoredRow | 'deleted' | null> {
  const { rows } = await sql<AuthoredRow>`
    ${selectFor(authorId)} where message.channel_id = ${channelId} and message.author_id = ${authorId}
      and message.nonce = ${nonce} and message.nonce <> '' and message.deleted_at is null`.execute(db)
  if (rows[0]) return rows[0]
  return (await idOfNonce(db, channelId, authorId, nonce)) ? 'deleted' : null
}

/** The message of a nonce, deleted or not; null: none. */
export async function idOfNonce(
  db: Db,
  channelId: ChannelId,
  authorId: UserId,
  nonce: string,
): Promise<MessageId | null> {
  const row = await db
    .selectFrom('message')
    .select('id')
    .where('channel_id', '=', channelId)
    .where('author_id', '=', authorId)
    .where('nonce', '=', nonce)
    .where('nonce', '<>', sql.lit(''))
    .executeTakeFirst()
  return row?.id ?? null
}

/** A message locked until the transaction ends. */
export interface LockedMessage
  extends MentionTargets,
    Pick<
      MessageRow,
      'id' | 'guild_id' | 'channel_id' | 'author_id' | 'seq' | 'kind' | 'content' | 'quote' | 'is_pinned'
    > {
  readonly is_deleted: boolean
  readonly is_embedded: boolean
}

/**
 * A message by its id, deleted or not, locked until the transaction ends, so that changes of one message are
 * serial.
 */
export async function lockMessage(tx: Tx, id: MessageId): Promise<LockedMessage | null> {
  const { rows } = await sql<LockedMessage>`
    select id, guild_id, channel_id, author_id, seq::float8 as seq, kind, content, ${quoteNow}, mention, mention_roles,
      mention_all, mention_here, deleted_at is not null as is_deleted, pinned_at > 0 as is_pinned,
      embeds is not null as is_embedded
    from message where id = ${id} for update`.execute(tx)
  return rows[0] ?? null
}

/** The channel and number of a message that is not deleted; null when there is none. */
export async function positionOf(
  db: Db,
  id: MessageId,
): Promise<{ readonly channel_id: ChannelId; readonly seq: number } | null> {
  const row = await db
    .selectFrom('message')
    .select('channel_id')
    .select((eb) => asNumber(eb, 'seq').as('seq'))
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row ?? null
}

/** Replaces the content of a locked message; returns its revision. */
export async function change(
  tx: Tx,
  locked: LockedMessage,
  to: MentionTargets & {
    readonly content: string
    readonly kmarkdown: KmarkdownPart
    readonly quote: unknown
    readonly now: number
  },
): Promise<number> {
  const { revision } = await tx
    .updateTable('message')
    .set((eb) => ({
      content: to.content,
      kmarkdown: JSON.stringify(to.kmarkdown),
      mention: JSON.stringify(to.mention),
      mention_roles: JSON.stringify(to.mention_roles),
      mention_all: to.mention_all,
      mention_here: to.mention_here,
      quote: to.quote === null ? null : JSON.stringify(to.quote),
      updated_at: to.now,
      embeds: null,
      revision: eb('revision', '+', 1),
    }))
    .where('id', '=', locked.id)
    .returning('revision')
    .executeTakeFirstOrThrow()
  await deleteMentions(tx, locked)
  await addMentions(tx, locked.id, to)
  return revision
}

/** Deletes all of a locked message but its position, its author and its nonce; returns its revision. */
export async function remove(tx: Tx, locked: LockedMessage, now: number): Promise<number> {
  const { revision } = await tx
    .updateTable('message')
    .set((eb) => ({
      deleted_at: now,
      content: '',
      kmarkdown: '{}',
      mention: '[]',
      mention_roles: '[]',
      mention_all: false,
      mention_here: false,
      quote: null,
      attachments: null,
      embeds: null,
      pinned_at: 0,
      revision: eb('revision', '+', 1),
    }))
    .where('id', '=', locked.id)
    .returning('revision')
    .executeTakeFirstOrThrow()
  await deleteMentions(tx, locked)
  await tx.deleteFrom('reaction').where('message_id', '=', locked.id).execute()
  return revision
}

/** The kind and the channel of a person's own message that is not deleted; null when there is none. */
export async function ownMessage(
  db: Db,
  authorId: UserId,
  id: MessageId,
): Promise<{ readonly kind: MessageKind; readonly channel_id: ChannelId } | null> {
  const row = await db
    .selectFrom('message')
    .select(['kind', 'channel_id'])
    .where('id', '=', id)
    .where('author_id', '=', authorId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row ?? null
}

/** A message of an author, for the author's own copy. Times in ms. */
export interface OwnRow
  extends Pick<MessageRow, 'id' | 'guild_id' | 'channel_id' | 'kind' | 'content' | 'attachments'> {
  readonly create_at: number
  readonly updated_at: number
}

/** Messages of an author that are not deleted, with ids after `after`, the oldest first. */
export async function ofAuthor(db: Db, authorId: UserId, after: string, limit: number): Promise<OwnRow[]> {
  const { rows } = await sql<OwnRow>`
    select id, guild_id, channel_id, kind, content, attachments, create_at::float8 as create_at,
      updated_at::float8 as updated_at
    from message where author_id = ${authorId} and deleted_at is null and id > ${after}::uuid
    order by id limit ${limit}`.execute(db)
  return rows
}

/** The messages that welcomed somebody to guilds and were not deleted. */
export async function welcomesOf(db: Db, userId: UserId): Promise<MessageId[]> {
  const rows = await db
    .selectFrom('message')
    .select('id')
    .where('author_id', '=', userId)
    .where('kind', '=', 'welcome')
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Raises the revision of a message; returns the new one. */
export async function raiseRevision(tx: Tx, id: MessageId): Promise<number> {
  const { revision } = await tx
    .updateTable('message')
    .set((eb) => ({ revision: eb('revision', '+', 1) }))
    .where('id', '=', id)
    .returning('revision')
    .executeTakeFirstOrThrow()
  return revision
}

/** The number of a channel's newest message, deleted or not; 0 when there never was one. */
export async function lastSeq(db: Db, channelId: ChannelId): Promise<number> {
  const row = await db
    .selectFrom('message')
    .select((eb) => asNumber(eb, 'seq').as('seq'))
    .where('channel_id', '=', channelId)
    .orderBy('message.seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.seq ?? 0
}

/** Locks the newest message of a channel that is not deleted; null when there is none. */
export async function newestOf(tx: Tx, channelId: ChannelId): Promise<LockedMessage | null> {
  const row = await tx
    .selectFrom('message')
    .select('id')
    .where('channel_id', '=', channelId)
    .where('deleted_at', 'is', null)
    .orderBy('message.seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ? lockMessage(tx, row.id) : null
}

/** The authors of the last messages of a channel, the latest first. */
export async function lastAuthors(db: Db, channelId: ChannelId, messages: number): Promise<UserId[]> {
  const { rows } = await sql<{ author_id: UserId }>`
    select author_id from (
      select author_id, seq from message where channel_id = ${channelId} order by seq desc limit ${messages}) last
    group by author_id order by max(seq) desc`.execute(db)
  return rows.map((row) => row.author_id)
}

/** Messages of an author in a guild since a time, ms, that are not deleted. */
export async function ofAuthorIn(
  db: Db,
  input: { readonly authorId: UserId; readonly guildId: GuildId; readonly since: number },
  limit: number,
): Promise<MessageId[]> {
  const found = await db
    .selectFrom('message')
    .select('id')
    .where('author_id', '=', input.authorId)
    .where('guild_id', '=', input.guildId)
    .where('create_at', '>=', int8(input.since))
    .where('deleted_at', 'is', null)
    .limit(limit)
    .execute()
  return found.map(({ id }) => id)
}

/**
 * Messages that were written within a time, ms, those deleted since included. Their ids sort by time. Nobody
 * wrote a welcome.
 */
const writtenWithin = (input: { readonly from: number; readonly to: number }) =>
  sql`message.id >= ${firstUuidOf(input.from)}::uuid and message.id < ${firstUuidOf(input.to)}::uuid
    and message.kind <> 'welcome'`

/** How many that are. */
export async function countSent(
  db: Db,
  input: { readonly from: number; readonly to: number },
): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from message where ${writtenWithin(input)}`.execute(db)
  return rows[0]!.n
}

/** The people who sent a message within a time, ms. */
export async function authorsWithin(
  db: Db,
  input: { readonly from: number; readonly to: number },
): Promise<UserId[]> {
  const { rows } = await sql<{ id: UserId }>`
    select distinct author_id::text as id from message
    join "user" on "user".id = author_id and not "user".bot
    where ${writtenWithin(input)}`.execute(db)
  return rows.map(({ id }) => id)
}

/** How much somebody sent into a channel. */
export interface SentRow {
  readonly guild_id: GuildId
  readonly channel_id: ChannelId
  readonly author_id: UserId
  readonly by_bot: boolean
  readonly messages: number
}

/** What was written in channels within a time, ms, what was deleted since included; in no order. */
export async function sentWithin(
  db: Db,
  input: { readonly from: number; readonly to: number },
): Promise<SentRow[]> {
  const { rows } = await sql<SentRow>`
    select it.*, "user".bot as by_bot
    from (
      select guild_id::text, channel_id::text, author_id, count(*)::int as messages from message
      where ${writtenWithin(input)}
      group by guild_id, channel_id, author_id) it
    join "user" on "user".id = it.author_id`.execute(db)
  return rows
}

/** The time in the id of the first message from a moment on, ms; null: there is none. */
export async function firstSentFrom(db: Db, from: number): Promise<number | null> {
  const row = await db
    .selectFrom('message')
    .select('id')
    .where('id', '>=', firstUuidOf(from) as MessageId)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row ? timeOfUuid(row.id) : null
}
