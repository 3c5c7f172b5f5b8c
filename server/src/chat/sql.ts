/** Private conversations and their messages. */
import type { MessageId, UserId } from '@guildhall/wire/id.ts'
import type { MessageKind } from '@guildhall/wire/message/kind.ts'
import type { Emoji, KmarkdownPart, Reaction } from '@guildhall/wire/message/message.ts'
import { type Selectable, sql } from 'kysely'
import { asNumber, countRows, int8 } from '../kit/database/columns.ts'
import type { Db, Tx } from '../kit/database/db.ts'
import type { PrivateMessageTable } from '../kit/database/tables.ts'
import { firstUuidOf } from '../kit/ids.ts'
import { messageTable } from '../message/message.ts'
import { IDENTITY_COLUMNS, type Identity, identityColumns } from '../user/user.ts'

/** A conversation from the view of one of the two, with the other person's name and avatar. */
export interface SideRow extends Identity {
  readonly code: string
  /** ms; 0 when nothing was read yet. */
  readonly read_at: number
  readonly read_seq: number
  /** ms; 0 before the first message. */
  readonly last_at: number
  readonly last_seq: number
  readonly unread: number
  /** The newest message that is not deleted; its id is null without one. */
  readonly newest_id: MessageId | null
  readonly newest_author_id: UserId
  readonly newest_kind: MessageKind
  readonly newest_words: string
}

/** A private message with its author's name and avatar. The type in `quote` is the specification's number. */
export interface PrivateRow
  extends Omit<Identity, 'id'>,
    Readonly<
      Pick<
        Selectable<PrivateMessageTable>,
        'id' | 'chat_code' | 'author_id' | 'nonce' | 'kind' | 'content' | 'quote' | 'attachments' | 'revision'
      >
    > {
  readonly seq: number
  readonly mention: UserId[]
  readonly kmarkdown: KmarkdownPart
  /** ms */
  readonly create_at: number
  /** ms; 0 when never edited. */
  readonly updated_at: number
  readonly reactions: Reaction[]
}

/** Creates the conversation of two people unless there is one; returns its code. */
export async function open(
  tx: Tx,
  input: { readonly code: string; readonly userId: UserId; readonly targetId: UserId; readonly now: number },
): Promise<string> {
  const { rows } = await sql<{ code: string }>`
    with two as (
      select least(${input.userId}::bigint, ${input.targetId}::bigint) as low_id,
        greatest(${input.userId}::bigint, ${input.targetId}::bigint) as high_id
    ), added as (
      insert into chat (code, low_id, high_id, created_at)
      select ${input.code}, low_id, high_id, ${input.now}::bigint from two
      on conflict (low_id, high_id) do update set created_at = chat.created_at
      returning code, low_id, high_id
    ), sides as (
      insert into chat_side (user_id, chat_code, target_id)
      select low_id, code, high_id from added union all select high_id, code, low_id from added
      on conflict do nothing
    )
    select code from added`.execute(tx)
  return rows[0]!.code
}

/** A page of somebody's conversations that are not hidden, the most recent first, and how many there are. */
export async function list(
  db: Db,
  userId: UserId,
  input: { readonly limit: number; readonly offset: number; readonly unreadMax: number },
): Promise<{ readonly sides: SideRow[]; readonly total: number }> {
  const { total } = await db
    .selectFrom('chat_side')
    .select((eb) => countRows(eb).as('total'))
    .where('user_id', '=', userId)
    .where((eb) => eb.not('is_hidden'))
    .executeTakeFirstOrThrow()
  const { rows: sides } = await sql<SideRow>`
    ${sidesOf(userId, input.unreadMax)} and not side.is_hidden
    order by greatest(chat.last_at, chat.created_at) desc, chat.code
    limit ${input.limit} offset ${input.offset}`.execute(db)
  return { sides, total }
}

/** The people with whom somebody has a conversation, the newest first, at most `limit`. */
export async function partners(db: Db, userId: UserId, limit: number): Promise<UserId[]> {
  const rows = await db
    .selectFrom('chat_side')
    .innerJoin('chat', 'chat.code', 'chat_side.chat_code')
    .select('chat_side.target_id')
    .where('chat_side.user_id', '=', userId)
    .orderBy('chat.created_at', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ target_id }) => target_id)
}

/**
 * Some of a person's conversations by their codes, in no order; of what is unread it is only known whether.
 */
export async function sidesOfCodes(db: Db, userId: UserId, codes: readonly string[]): Promise<SideRow[]> {
  const { rows } = await sql<SideRow>`
    ${sidesOf(userId, 1)} and side.chat_code = any(${codes}::text[])`.execute(db)
  return rows
}

/** The codes of all conversations of a person, in no order. */
export async function codesOf(db: Db, userId: UserId): Promise<string[]> {
  const rows = await db.selectFrom('chat_side').select('chat_code').where('user_id', '=', userId).execute()
  return rows.map(({ chat_code }) => chat_code)
}

/** When the last message of some conversations was sent, ms; 0: there was none. */
export async function lastAt(db: Db, codes: readonly string[]): Promise<number> {
  const { rows } = await sql<{ at: number }>`
    select coalesce(max(last_at), 0)::float8 as at from chat where code = any(${codes}::text[])`.execute(db)
  return rows[0]!.at
}

/** Null for a person who is not one of the two. */
export async function side(db: Db, userId: UserId, code: string, unreadMax: number): Promise<SideRow | null> {
  const { rows } = await sql<SideRow>`
    ${sidesOf(userId, unreadMax)} and side.chat_code = ${code}`.execute(db)
  return rows[0] ?? null
}

/** Characters of a conversation's newest message in the list. */
const WORDS_MAX = 120

const sidesOf = (userId: UserId, unreadMax: number) => sql`
  select chat.code, side.read_at::float8 as read_at, side.read_seq::float8 as read_seq,
    chat.last_at::float8 as last_at, chat.last_seq::float8 as last_seq, fresh.count as unread,
    newest.id as newest_id, newest.author_id::text as newest_author_id, newest.kind as newest_kind,
    newest.words as newest_words, "user".id, ${identityColumns}
  from chat_side side
  join chat on chat.code = side.chat_code
  join "user" on "user".id = side.target_id
  left join lateral (
    select it.id, it.author_id, it.kind, left(it.kmarkdown->>'raw_content', ${WORDS_MAX}) as words
    from private_message it
    where it.chat_code = side.chat_code and it.deleted_at is null
    order by it.seq desc limit 1
  ) newest on true
  cross join lateral (
    select count(*)::int as count from (
      select 1 from private_message it
      where it.chat_code = side.chat_code and it.seq > side.read_seq and it.author_id <> side.user_id
        and it.deleted_at is null
      order by it.seq desc limit ${unreadMax}
    ) them
  ) fresh
  where side.user_id = ${userId}`

/** Unread messages in all conversations of a person that are not hidden, at most `unreadMax` of each. */
export async function unreadIn(db: Db, userId: UserId, unreadMax: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(fresh.count), 0)::int as count
    from chat_side side
    join chat on chat.code = side.chat_code and chat.last_seq > side.read_seq
    cross join lateral (
      select count(*)::int as count from (
        select 1 from private_message it
        where it.chat_code = side.chat_code and it.seq > side.read_seq and it.author_id <> side.user_id
          and it.deleted_at is null
        order by it.seq desc limit ${unreadMax}
      ) them
    ) fresh
    where side.user_id = ${userId} and not side.is_hidden`.execute(db)
  return rows[0]?.count ?? 0
}

/** The conversation two people have, if they have one. */
export async function between(db: Db, userId: UserId, targetId: UserId): Promise<string | null> {
  const { rows } = await sql<{ code: string }>`
    select code from chat
    where low_id = least(${userId}::bigint, ${targetId}::bigint)
      and high_id = greatest(${userId}::bigint, ${targetId}::bigint)`.execute(db)
  return rows[0]?.code ?? null
}

export const hide = (db: Db, userId: UserId, code: string): Promise<void> => setHidden(db, userId, code, true)

export const show = (db: Db, userId: UserId, code: string): Promise<void> =>
  setHidden(db, userId, code, false)

async function setHidden(db: Db, userId: UserId, code: string, isHidden: boolean): Promise<void> {
  await db
    .updateTable('chat_side')
    .set({ is_hidden: isHidden })
    .where('user_id', '=', userId)
    .where('chat_code', '=', code)
    .execute()
}

/** Advances a person's read mark; it never goes back. False when it was there or further. */
export async function markRead(
  db: Db,
  userId: UserId,
  input: { readonly code: string; readonly seq: number; readonly now: number },
): Promise<boolean> {
  const moved = await db
    .updateTable('chat_side')
    .set({ read_seq: input.seq, read_at: input.now })
    .where('user_id', '=', userId)
    .where('chat_code', '=', input.code)
    .where('read_seq', '<', int8(input.seq))
    .returning('user_id')
    .executeTakeFirst()
  return moved !== undefined
}

/** The quote of a message; of a quoted message that was deleted since, only its author. */
const quoteNow = sql`case when private_message.quote is not null and exists (
    select 1 from private_message quoted
    where quoted.id = (private_message.quote->>'id')::uuid and quoted.deleted_at is not null)
  then (private_message.quote - 'kmarkdown') || '{"content": "", "can_jump": false}'
  else private_message.quote end as quote`

const columns = sql`private_message.id, private_message.chat_code, private_message.author_id,
  private_message.seq::float8 as seq, private_message.nonce, private_message.kind, private_message.content,
  private_message.mention, private_message.kmarkdown, ${quoteNow}, private_message.attachments,
  private_message.create_at::float8 as create_at, private_message.updated_at::float8 as updated_at,
  private_message.revision`

/** Messages as one person reads them: which reactions are their own depends on it. */
const selectFor = (readerId: UserId) => sql`
  select ${columns}, coalesce((
      select json_agg(json_build_object('emoji', json_build_object('id', emoji_id, 'name', name),
        'count', count, 'me', me) order by since, emoji_id)
      from (
        select emoji_id, min(name) as name, count(*)::int as count, min(at) as since,
          bool_or(user_id = ${readerId}::bigint) as me
        from private_reaction where message_id = private_message.id group by emoji_id
      ) each), '[]') as reactions,
    ${identityColumns}
  from private_message
  join "user" on "user".id = private_message.author_id`

const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value))

/** Pages and single messages of chats. */
export const table = messageTable<PrivateRow>({
  name: 'private_message',
  conversation: 'chat_code',
  select: selectFor,
})

/**
 * The message an author sent under a nonce. The row of a deleted message stays, so that it is not sent again.
 */
export async function byNonce(
  db: Db,
  code: string,
  authorId: UserId,
  nonce: string,
): Promise<{
  readonly id: MessageId
  readonly kind: MessageKind
  readonly content: string
  readonly create_at: number
  readonly updated_at: number
  readonly is_deleted: boolean
} | null> {
  if (nonce === '') return null
  const row = await db
    .selectFrom('private_message')
    .select(['id', 'kind', 'content'])
    .select((eb) => [
      asNumber(eb, 'create_at').as('create_at'),
      asNumber(eb, 'updated_at').as('updated_at'),
      eb('deleted_at', 'is not', null).$castTo<boolean>().as('is_deleted'),
    ])
    .where('chat_code', '=', code)
    .where('author_id', '=', authorId)
    .where('nonce', '=', nonce)
    .where('nonce', '<>', sql.lit(''))
    .executeTakeFirst()
  return row ?? null
}

/**
 * The next number and time of a conversation, locked until the transaction ends, so that sends are serial.
 */
export async function next(
  tx: Tx,
  code: string,
  now: number,
): Promise<{ readonly seq: number; readonly at: number }> {
  const { rows } = await sql<{ seq: number; at: number }>`
    update chat set last_seq = last_seq + 1, last_at = greatest(last_at, ${now}::bigint) where code = ${code}
    returning last_seq::float8 as seq, last_at::float8 as at`.execute(tx)
  return rows[0]!
}

/** Locks a conversation until the transaction ends. */
export async function lock(tx: Tx, code: string): Promise<void> {
  await tx.selectFrom('chat').select('code').where('code', '=', code).forUpdate().execute()
}

/** Stores a message, shows the conversation in both lists again, and advances the author's read mark. */
export async function add(
  tx: Tx,
  input: Omit<PrivateRow, keyof Identity | 'id' | 'updated_at' | 'revision' | 'reactions'> & {
    readonly id: MessageId
  },
): Promise<void> {
  await tx
    .insertInto('private_message')
    .values({
      id: input.id,
      chat_code: input.chat_code,
      author_id: input.author_id,
      seq: input.seq,
      nonce: input.nonce,
      kind: input.kind,
      content: input.content,
      mention: JSON.stringify(input.mention),
      kmarkdown: JSON.stringify(input.kmarkdown),
      quote: json(input.quote),
      attachments: json(input.attachments),
      create_at: input.create_at,
    })
    .execute()
  await tx
    .updateTable('chat_side')
    .set({ is_hidden: false })
    .where('chat_code', '=', input.chat_code)
    .where('is_hidden', '=', sql.lit(true))
    .execute()
  await markRead(tx, input.author_id, { code: input.chat_code, seq: input.seq, now: input.create_at })
}

/** A locked message, with the other person of its conversation. */
export interface LockedRow
  extends Pick<PrivateRow, 'id' | 'chat_code' | 'author_id' | 'kind' | 'content' | 'quote' | 'attachments'> {
  readonly is_deleted: boolean
  /** The partner of the reader. */
  readonly target_id: UserId
}

/** Locked until the transaction ends; null for a person who is not one of the two. */
export async function lockMessage(tx: Tx, readerId: UserId, id: MessageId): Promise<LockedRow | null> {
  const row = await tx
    .selectFrom('private_message as it')
    .innerJoin('chat_side as side', (join) =>
      join.onRef('side.chat_code', '=', 'it.chat_code').on('side.user_id', '=', readerId),
    )
    .select([
      'it.id',
      'it.chat_code',
      'it.author_id',
      'it.kind',
      'it.content',
      'it.quote',
      'it.attachments',
      'side.target_id',
    ])
    .select((eb) => eb('it.deleted_at', 'is not', null).$castTo<boolean>().as('is_deleted'))
    .where('it.id', '=', id)
    .forUpdate('it')
    .executeTakeFirst()
  return row ?? null
}

/** Any message, for its author's view: locked until the transaction ends; null when there is none. */
export async function lockAny(tx: Tx, id: MessageId): Promise<LockedRow | null> {
  const row = await tx
    .selectFrom('private_message')
    .select('author_id')
    .where('id', '=', id)
    .executeTakeFirst()
  return row ? lockMessage(tx, row.author_id, id) : null
}

/** A private message of an author, for the author's own copy. Times in ms. */
export interface OwnPrivateRow
  extends Pick<PrivateRow, 'id' | 'chat_code' | 'kind' | 'content' | 'attachments'> {
  readonly target_id: UserId
  readonly create_at: number
  readonly updated_at: number
}

/** Private messages of an author that are not deleted, with ids after `after`, the oldest first. */
export async function ofAuthor(
  db: Db,
  authorId: UserId,
  after: string,
  limit: number,
): Promise<OwnPrivateRow[]> {
  const { rows } = await sql<OwnPrivateRow>`
    select it.id, it.chat_code, it.kind, it.content, it.attachments, it.create_at::float8 as create_at,
      it.updated_at::float8 as updated_at,
      case when chat.low_id = it.author_id then chat.high_id else chat.low_id end as target_id
    from private_message it join chat on chat.code = it.chat_code
    where it.author_id = ${authorId} and it.deleted_at is null and it.id > ${after}::uuid
    order by it.id limit ${limit}`.execute(db)
  return rows
}

/** Forgets how far somebody has read their conversations, and hides them. */
export async function forgetSides(tx: Tx, userId: UserId): Promise<void> {
  await tx
    .updateTable('chat_side')
    .set({ is_hidden: true, read_seq: 0, read_at: 0 })
    .where('user_id', '=', userId)
    .execute()
}

/** The kind and the receiver of a person's own message that is not deleted; null when there is none. */
export async function ownMessage(
  db: Db,
  authorId: UserId,
  id: MessageId,
): Promise<{ readonly kind: MessageKind; readonly target_id: UserId } | null> {
  const row = await db
    .selectFrom('private_message as it')
    .innerJoin('chat_side as side', (join) =>
      join.onRef('side.chat_code', '=', 'it.chat_code').onRef('side.user_id', '=', 'it.author_id'),
    )
    .select(['it.kind', 'side.target_id'])
    .where('it.id', '=', id)
    .where('it.author_id', '=', authorId)
    .where('it.deleted_at', 'is', null)
    .executeTakeFirst()
  return row ?? null
}

/** Replaces the content of a locked message; returns its revision. */
export async function change(
  tx: Tx,
  id: MessageId,
  to: {
    readonly content: string
    readonly mention: readonly UserId[]
    readonly kmarkdown: KmarkdownPart
    readonly quote: unknown
    readonly now: number
  },
): Promise<number> {
  const { revision } = await tx
    .updateTable('private_message')
    .set((eb) => ({
      content: to.content,
      mention: JSON.stringify(to.mention),
      kmarkdown: JSON.stringify(to.kmarkdown),
      quote: json(to.quote),
      updated_at: to.now,
      revision: eb('revision', '+', 1),
    }))
    .where('id', '=', id)
    .returning('revision')
    .executeTakeFirstOrThrow()
  return revision
}

/** Deletes all of a locked message but its position, its author and its nonce; returns its revision. */
export async function remove(tx: Tx, id: MessageId, now: number): Promise<number> {
  const { revision } = await tx
    .updateTable('private_message')
    .set((eb) => ({
      deleted_at: now,
      content: '',
      kmarkdown: '{}',
      mention: '[]',
      quote: null,
      attachments: null,
      revision: eb('revision', '+', 1),
    }))
    .where('id', '=', id)
    .returning('revision')
    .executeTakeFirstOrThrow()
  await tx.deleteFrom('private_reaction').where('message_id', '=', id).execute()
  return revision
}

/** The reactions on a message, seen from one emoji and one person. */
export async function reactionState(
  tx: Tx,
  id: string,
  emojiId: string,
  userId: UserId,
): Promise<{ readonly kinds: number; readonly isThere: boolean; readonly isMine: boolean }> {
  const { rows } = await sql<{ kinds: number; isThere: boolean; isMine: boolean }>`
    select count(distinct emoji_id)::int as kinds, coalesce(bool_or(emoji_id = ${emojiId}), false) as "isThere",
      coalesce(bool_or(emoji_id = ${emojiId} and user_id = ${userId}::bigint), false) as "isMine"
    from private_reaction where message_id = ${id}`.execute(tx)
  return rows[0]!
}

/** The message's revision with the reaction; null when this person had reacted with this emoji already. */
export async function react(
  tx: Tx,
  input: { readonly id: MessageId; readonly emoji: Emoji; readonly userId: UserId; readonly now: number },
): Promise<number | null> {
  const added = await tx
    .insertInto('private_reaction')
    .values({
      message_id: input.id,
      emoji_id: input.emoji.id,
      user_id: input.userId,
      name: input.emoji.name,
      at: input.now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('emoji_id')
    .executeTakeFirst()
  return added ? raiseRevision(tx, input.id) : null
}

async function raiseRevision(tx: Tx, id: MessageId): Promise<number> {
  const { revision } = await tx
    .updateTable('private_message')
    .set((eb) => ({ revision: eb('revision', '+', 1) }))
    .where('id', '=', id)
    .returning('revision')
    .executeTakeFirstOrThrow()
  return revision
}

/**
 * The message's revision without the reaction and the name of the emoji; null when there was no such
 * reaction.
 */
export async function unreact(
  tx: Tx,
  id: MessageId,
  emojiId: string,
  userId: UserId,
): Promise<{ readonly revision: number; readonly name: string } | null> {
  const removed = await tx
    .deleteFrom('private_reaction')
    .where('message_id', '=', id)
    .where('emoji_id', '=', emojiId)
    .where('user_id', '=', userId)
    .returning('name')
    .executeTakeFirst()
  return removed ? { revision: await raiseRevision(tx, id), name: removed.name } : null
}

/** The conversation of a message that is not deleted; null for a reader who is not one of the two. */
export async function codeOfMessage(db: Db, readerId: UserId, id: MessageId): Promise<string | null> {
  const row = await db
    .selectFrom('private_message as it')
    .innerJoin('chat_side as side', (join) =>
      join.onRef('side.chat_code', '=', 'it.chat_code').on('side.user_id', '=', readerId),
    )
    .select('it.chat_code')
    .where('it.id', '=', id)
    .where('it.deleted_at', 'is', null)
    .executeTakeFirst()
  return row?.chat_code ?? null
}

/** Some messages of a person's conversations by their ids, in no order, without those deleted meanwhile. */
export async function byIds(
  db: Db,
  readerId: UserId,
  messageIds: readonly MessageId[],
): Promise<PrivateRow[]> {
  if (messageIds.length === 0) return []
  const { rows } = await sql<PrivateRow>`
    ${selectFor(readerId)}
    where private_message.id = any(${messageIds}::uuid[]) and private_message.deleted_at is null
      and exists (select 1 from chat_side side
                  where side.chat_code = private_message.chat_code and side.user_id = ${readerId})`.execute(
    db,
  )
  return rows
}

/**
 * The people who reacted with an emoji, null: with any, in the order of their reactions. Null for a reader
 * who is not one of the two.
 */
export async function reactors(
  db: Db,
  readerId: UserId,
  id: MessageId,
  emojiId: string | null,
): Promise<(Identity & { readonly reaction_time: number })[] | null> {
  const visible = await db
    .selectFrom('private_message as it')
    .innerJoin('chat_side as side', (join) =>
      join.onRef('side.chat_code', '=', 'it.chat_code').on('side.user_id', '=', readerId),
    )
    .select('it.id')
    .where('it.id', '=', id)
    .where('it.deleted_at', 'is', null)
    .executeTakeFirst()
  if (!visible) return null
  return db
    .selectFrom('private_reaction as it')
    .innerJoin('user', 'user.id', 'it.user_id')
    .select(['user.id', ...IDENTITY_COLUMNS])
    .select((eb) => asNumber(eb, 'it.at').as('reaction_time'))
    .where('it.message_id', '=', id)
    .$if(emojiId !== null, (query) => query.where('it.emoji_id', '=', emojiId!))
    .orderBy('it.at')
    .orderBy('it.user_id')
    .execute()
}

/** How many of a conversation's first `limit` messages are of a person, and how many of the other. */
export async function firstMessages(
  db: Db,
  code: string,
  userId: UserId,
  limit: number,
): Promise<{ readonly mine: number; readonly theirs: number }> {
  const { rows } = await sql<{ mine: number; theirs: number }>`
    select (count(*) filter (where author_id = ${userId}))::int as mine,
      (count(*) filter (where author_id <> ${userId}))::int as theirs
    from (select author_id from private_message where chat_code = ${code} order by seq limit ${limit}) it`.execute(
    db,
  )
  return rows[0] ?? { mine: 0, theirs: 0 }
}

/**
 * Private messages that were sent within a time, ms, those deleted since included. Their ids sort by time.
 */
export async function countPrivateSent(
  db: Db,
  input: { readonly from: number; readonly to: number },
): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from private_message
    where id >= ${firstUuidOf(input.from)}::uuid and id < ${firstUuidOf(input.to)}::uuid`.execute(db)
  return rows[0]!.n
}
