/** Private conversations and their messages. */
import type { MessageId, UserId } from '@guildhall/wire/id.ts'
import type { MessageKind } from '@guildhall/wire/message/kind.ts'
import type { Emoji, KmarkdownPart, Reaction } from '@guildhall/wire/message/message.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../kit/db.ts'
import { messageTable } from '../message/message.ts'
import type { Face } from '../user/user.ts'

/** A conversation as one of the two has it, with the other's face. */
export interface SideRow extends Face {
  readonly code: string
  /** ms; 0 when nothing was read yet. */
  readonly read_at: number
  readonly read_seq: number
  /** ms; 0 before the first message. */
  readonly last_at: number
  readonly last_seq: number
  readonly unread: number
}

export interface PrivateRow extends Omit<Face, 'id'> {
  readonly id: MessageId
  readonly chat_code: string
  readonly author_id: UserId
  readonly seq: number
  readonly nonce: string
  readonly kind: MessageKind
  readonly content: string
  readonly mention: UserId[]
  readonly kmarkdown: KmarkdownPart
  /** Its type is the specification's number. */
  readonly quote: unknown
  readonly attachments: unknown
  /** ms */
  readonly create_at: number
  /** ms; 0 when never edited. */
  readonly updated_at: number
  readonly revision: number
  readonly reactions: Reaction[]
}

/** Makes the conversation of two people unless there is one; answers its code. */
export async function open(
  tx: Tx,
  it: { readonly code: string; readonly userId: UserId; readonly targetId: UserId; readonly now: number },
): Promise<string> {
  const { rows } = await sql<{ code: string }>`
    with two as (
      select least(${it.userId}::bigint, ${it.targetId}::bigint) as low_id,
        greatest(${it.userId}::bigint, ${it.targetId}::bigint) as high_id
    ), added as (
      insert into chat (code, low_id, high_id, created_at)
      select ${it.code}, low_id, high_id, ${it.now}::bigint from two
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
  it: { readonly limit: number; readonly offset: number; readonly unreadMax: number },
): Promise<{ readonly sides: SideRow[]; readonly total: number }> {
  const { rows: counted } = await sql<{ total: number }>`
    select count(*)::int as total from chat_side where user_id = ${userId} and not is_hidden`.execute(db)
  const { rows: sides } = await sql<SideRow>`
    ${sidesOf(userId, it.unreadMax)} and not side.is_hidden
    order by greatest(chat.last_at, chat.created_at) desc, chat.code
    limit ${it.limit} offset ${it.offset}`.execute(db)
  return { sides, total: counted[0]!.total }
}

/** Null for whoever is none of the two. */
export async function side(db: Db, userId: UserId, code: string, unreadMax: number): Promise<SideRow | null> {
  const { rows } = await sql<SideRow>`
    ${sidesOf(userId, unreadMax)} and side.chat_code = ${code}`.execute(db)
  return rows[0] ?? null
}

const sidesOf = (userId: UserId, unreadMax: number) => sql`
  select chat.code, side.read_at::float8 as read_at, side.read_seq::float8 as read_seq,
    chat.last_at::float8 as last_at, chat.last_seq::float8 as last_seq, fresh.count as unread,
    "user".id, "user".username, "user".identify_num, "user".avatar, "user".vip_avatar, "user".is_vip, "user".bot,
    "user".status
  from chat_side side
  join chat on chat.code = side.chat_code
  join "user" on "user".id = side.target_id
  cross join lateral (
    select count(*)::int as count from (
      select 1 from private_message it
      where it.chat_code = side.chat_code and it.seq > side.read_seq and it.author_id <> side.user_id
        and it.deleted_at is null
      order by it.seq desc limit ${unreadMax}
    ) newest
  ) fresh
  where side.user_id = ${userId}`

/** The conversation two people have, if they have one. */
export async function between(db: Db, userId: UserId, targetId: UserId): Promise<string | null> {
  const { rows } = await sql<{ code: string }>`
    select code from chat
    where low_id = least(${userId}::bigint, ${targetId}::bigint)
      and high_id = greatest(${userId}::bigint, ${targetId}::bigint)`.execute(db)
  return rows[0]?.code ?? null
}

export async function hide(db: Db, userId: UserId, code: string): Promise<void> {
  await sql`
    update chat_side set is_hidden = true where user_id = ${userId} and chat_code = ${code}`.execute(db)
}

export async function show(db: Db, userId: UserId, code: string): Promise<void> {
  await sql`
    update chat_side set is_hidden = false where user_id = ${userId} and chat_code = ${code}`.execute(db)
}

/** Advances somebody's read mark, never back. */
export async function markRead(
  db: Db,
  userId: UserId,
  it: { readonly code: string; readonly seq: number; readonly now: number },
): Promise<void> {
  await sql`
    update chat_side set read_seq = ${it.seq}, read_at = ${it.now}
    where user_id = ${userId} and chat_code = ${it.code} and read_seq < ${it.seq}`.execute(db)
}

const columns = sql`private_message.id, private_message.chat_code, private_message.author_id,
  private_message.seq::float8 as seq, private_message.nonce, private_message.kind, private_message.content,
  private_message.mention, private_message.kmarkdown, private_message.quote, private_message.attachments,
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
    "user".username, "user".identify_num, "user".avatar, "user".vip_avatar, "user".is_vip, "user".bot, "user".status
  from private_message
  join "user" on "user".id = private_message.author_id`

/** Pages and single messages of chats. */
export const table = messageTable<PrivateRow>({
  name: 'private_message',
  conversation: 'chat_code',
  select: selectFor,
})

/** What an author sent under a nonce; its row stays when it is deleted, so that it is not sent again. */
export async function byNonce(
  db: Db,
  code: string,
  authorId: UserId,
  nonce: string,
): Promise<{ readonly id: MessageId; readonly create_at: number; readonly is_deleted: boolean } | null> {
  if (nonce === '') return null
  const { rows } = await sql<{ id: MessageId; create_at: number; is_deleted: boolean }>`
    select id, create_at::float8 as create_at, deleted_at is not null as is_deleted from private_message
    where chat_code = ${code} and author_id = ${authorId} and nonce = ${nonce} and nonce <> ''`.execute(db)
  return rows[0] ?? null
}

/** The next number and time of a conversation, locked until the transaction ends: its messages are stored one by one. */
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
  await sql`select 1 from chat where code = ${code} for update`.execute(tx)
}

/** Stores a message: the conversation is shown in both lists again, and its author has read it. */
export async function add(
  tx: Tx,
  it: Omit<PrivateRow, keyof Face | 'id' | 'updated_at' | 'revision' | 'reactions'> & {
    readonly id: MessageId
  },
): Promise<void> {
  const json = (value: unknown) => (value === null ? null : JSON.stringify(value))
  await sql`
    insert into private_message (id, chat_code, author_id, seq, nonce, kind, content, mention, kmarkdown, quote,
                                 attachments, create_at)
    values (${it.id}, ${it.chat_code}, ${it.author_id}, ${it.seq}, ${it.nonce}, ${it.kind}, ${it.content},
            ${json(it.mention)}::jsonb, ${json(it.kmarkdown)}::jsonb, ${json(it.quote)}::jsonb,
            ${json(it.attachments)}::jsonb, ${it.create_at})`.execute(tx)
  await sql`update chat_side set is_hidden = false where chat_code = ${it.chat_code} and is_hidden`.execute(
    tx,
  )
  await markRead(tx, it.author_id, { code: it.chat_code, seq: it.seq, now: it.create_at })
}

/** A locked message, with the other person of its conversation. */
export interface LockedRow {
  readonly id: MessageId
  readonly chat_code: string
  readonly author_id: UserId
  readonly kind: MessageKind
  readonly content: string
  readonly quote: unknown
  readonly attachments: unknown
  readonly is_deleted: boolean
  /** The other of the two, seen from the reader. */
  readonly target_id: UserId
}

/** Locked until the transaction ends; null for whoever is none of the two. */
export async function lockMessage(tx: Tx, readerId: UserId, id: string): Promise<LockedRow | null> {
  const { rows } = await sql<LockedRow>`
    select it.id, it.chat_code, it.author_id, it.kind, it.content, it.quote, it.attachments,
      it.deleted_at is not null as is_deleted, side.target_id
    from private_message it
    join chat_side side on side.chat_code = it.chat_code and side.user_id = ${readerId}
    where it.id = ${id} for update of it`.execute(tx)
  return rows[0] ?? null
}

/** The kind of somebody's own message that was not deleted, and whom it was written to; null when there is none. */
export async function ownMessage(
  db: Db,
  authorId: UserId,
  id: string,
): Promise<{ readonly kind: MessageKind; readonly target_id: UserId } | null> {
  const { rows } = await sql<{ kind: MessageKind; target_id: UserId }>`
    select it.kind, side.target_id from private_message it
    join chat_side side on side.chat_code = it.chat_code and side.user_id = it.author_id
    where it.id = ${id} and it.author_id = ${authorId} and it.deleted_at is null`.execute(db)
  return rows[0] ?? null
}

/** Replaces the content of a locked message; answers its revision. */
export async function change(
  tx: Tx,
  id: string,
  to: {
    readonly content: string
    readonly mention: readonly UserId[]
    readonly kmarkdown: KmarkdownPart
    readonly quote: unknown
    readonly now: number
  },
): Promise<number> {
  const quote = to.quote === null ? null : JSON.stringify(to.quote)
  const { rows } = await sql<{ revision: number }>`
    update private_message set content = ${to.content}, mention = ${JSON.stringify(to.mention)}::jsonb,
      kmarkdown = ${JSON.stringify(to.kmarkdown)}::jsonb, quote = ${quote}::jsonb, updated_at = ${to.now},
      revision = revision + 1
    where id = ${id} returning revision`.execute(tx)
  return rows[0]!.revision
}

/** Removes everything of a locked message but its place, its author and its nonce. */
export async function remove(tx: Tx, id: string, now: number): Promise<void> {
  await sql`
    update private_message set deleted_at = ${now}, content = '', kmarkdown = '{}', mention = '[]', quote = null,
      attachments = null, revision = revision + 1
    where id = ${id}`.execute(tx)
  await sql`delete from private_reaction where message_id = ${id}`.execute(tx)
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

/** False when they had reacted so already. */
export async function react(
  tx: Tx,
  it: { readonly id: string; readonly emoji: Emoji; readonly userId: UserId; readonly now: number },
): Promise<boolean> {
  const { rows } = await sql`
    insert into private_reaction (message_id, emoji_id, user_id, name, at)
    values (${it.id}, ${it.emoji.id}, ${it.userId}, ${it.emoji.name}, ${it.now})
    on conflict do nothing returning 1`.execute(tx)
  return rows.length > 0
}

/** The emoji's name; null when there was no such reaction. */
export async function unreact(tx: Tx, id: string, emojiId: string, userId: UserId): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`
    delete from private_reaction where message_id = ${id} and emoji_id = ${emojiId} and user_id = ${userId}
    returning name`.execute(tx)
  return rows[0]?.name ?? null
}

/** Who reacted with an emoji, or with any, the first ones first; null for whoever is none of the two. */
export async function reactors(
  db: Db,
  readerId: UserId,
  id: string,
  emojiId: string | null,
): Promise<(Face & { readonly reaction_time: number })[] | null> {
  const { rows: seen } = await sql`
    select 1 from private_message it
    join chat_side side on side.chat_code = it.chat_code and side.user_id = ${readerId}
    where it.id = ${id} and it.deleted_at is null`.execute(db)
  if (seen.length === 0) return null
  const { rows } = await sql<Face & { readonly reaction_time: number }>`
    select "user".id, username, identify_num, avatar, vip_avatar, is_vip, bot, status, it.at::float8 as reaction_time
    from private_reaction it join "user" on "user".id = it.user_id
    where it.message_id = ${id} and it.emoji_id = coalesce(${emojiId}::text, it.emoji_id)
    order by it.at, it.user_id`.execute(db)
  return rows
}
