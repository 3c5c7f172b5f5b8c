/** Messages of channels. */
import type { ChannelId, GuildId, MessageId, UserId } from '@guildhall/wire/id.ts'
import type { MessageKind } from '@guildhall/wire/message/kind.ts'
import type { KmarkdownPart, Reaction } from '@guildhall/wire/message/message.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../../kit/db.ts'
import type { Face } from '../../user/user.ts'
import { messageTable } from '../core/table.ts'
import { addMentions, deleteMentions, type MentionTargets } from './mention.ts'

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
export const quoteNow = sql`case when message.quote is not null and exists (
    select 1 from message quoted
    where quoted.id = (message.quote->>'id')::uuid and quoted.deleted_at is not null)
  then message.quote || '{"content": "", "can_jump": false}' else message.quote end as quote`

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
    "user".username, "user".identify_num, "user".avatar, "user".vip_avatar, "user".is_vip,
    "user".bot, "user".status, membership.nickname,
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

/** The message an author sent under a nonce; its row stays when it is deleted, so that it is not sent again. */
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
  const { rows: gone } = await sql`
    select 1 from message where channel_id = ${channelId} and author_id = ${authorId} and nonce = ${nonce}
      and nonce <> ''`.execute(db)
  return gone.length > 0 ? 'deleted' : null
}

/** A message locked until the transaction ends. */
export interface LockedMessage extends MentionTargets {
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

/** A message by its id, deleted or not, locked until the transaction ends: acts on one message come one by one. */
export async function lockMessage(tx: Tx, id: string): Promise<LockedMessage | null> {
  const { rows } = await sql<LockedMessage>`
    select id, guild_id, channel_id, author_id, seq::float8 as seq, kind, content, ${quoteNow}, mention, mention_roles,
      mention_all, mention_here, deleted_at is not null as is_deleted, pinned_at > 0 as is_pinned,
      embeds is not null as is_embedded
    from message where id = ${id} for update`.execute(tx)
  return rows[0] ?? null
}

/** Where a message stands that is not deleted, and how often it changed; null when there is none. */
export async function networkOf(
  db: Db,
  id: string,
): Promise<{ readonly channel_id: ChannelId; readonly seq: number } | null> {
  const { rows } = await sql<{ channel_id: ChannelId; seq: number }>`
    select channel_id, seq::float8 as seq from message where id = ${id} and deleted_at is null`.execute(db)
  return rows[0] ?? null
}

/** Replaces the content of a locked message; answers its revision. */
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
  const quote = to.quote === null ? null : JSON.stringify(to.quote)
  const { rows } = await sql<{ revision: number }>`
    update message set content = ${to.content}, kmarkdown = ${JSON.stringify(to.kmarkdown)}::jsonb,
      mention = ${JSON.stringify(to.mention)}::jsonb, mention_roles = ${JSON.stringify(to.mention_roles)}::jsonb,
      mention_all = ${to.mention_all}, mention_here = ${to.mention_here}, quote = ${quote}::jsonb,
      updated_at = ${to.now}, embeds = null, revision = revision + 1
    where id = ${locked.id} returning revision`.execute(tx)
  await deleteMentions(tx, locked)
  await addMentions(tx, locked.id, to)
  return rows[0]!.revision
}

/** Removes everything of a locked message but its place, its author and its nonce; answers its revision. */
export async function remove(tx: Tx, locked: LockedMessage, now: number): Promise<number> {
  const { rows } = await sql<{ revision: number }>`
    update message set deleted_at = ${now}, content = '', kmarkdown = '{}', mention = '[]', mention_roles = '[]',
      mention_all = false, mention_here = false, quote = null, embeds = null, pinned_at = 0, revision = revision + 1
    where id = ${locked.id} returning revision`.execute(tx)
  await deleteMentions(tx, locked)
  await sql`delete from reaction where message_id = ${locked.id}`.execute(tx)
  return rows[0]!.revision
}

/** The kind and the channel of somebody's own message that was not deleted; null when there is none. */
export async function ownPlace(
  db: Db,
  authorId: UserId,
  id: string,
): Promise<{ readonly kind: MessageKind; readonly channel_id: ChannelId } | null> {
  const { rows } = await sql<{ kind: MessageKind; channel_id: ChannelId }>`
    select kind, channel_id from message
    where id = ${id} and author_id = ${authorId} and deleted_at is null`.execute(db)
  return rows[0] ?? null
}

export async function raiseRevision(tx: Tx, id: string): Promise<number> {
  const { rows } = await sql<{ revision: number }>`
    update message set revision = revision + 1 where id = ${id} returning revision`.execute(tx)
  return rows[0]!.revision
}

/** The number of a channel's newest message, deleted or not; 0 when there never was one. */
export async function lastSeq(db: Db, channelId: ChannelId): Promise<number> {
  const { rows } = await sql<{ seq: number }>`
    select seq::float8 as seq from message where channel_id = ${channelId}
    order by message.seq desc limit 1`.execute(db)
  return rows[0]?.seq ?? 0
}

/** Who wrote the last messages of a channel, the latest first. */
export async function lastAuthors(db: Db, channelId: ChannelId, messages: number): Promise<UserId[]> {
  const { rows } = await sql<{ author_id: UserId }>`
    select author_id from (
      select author_id, seq from message where channel_id = ${channelId} order by seq desc limit ${messages}) last
    group by author_id order by max(seq) desc`.execute(db)
  return rows.map((row) => row.author_id)
}
