/** Candidates of a search: messages that the index of migration 0114 finds, newest first. */

import type { ChannelId, GuildId, MessageId, UserId } from '@guildhall/wire/id.ts'
import type { MessageKind } from '@guildhall/wire/message/kind.ts'
import type { Being, Having } from '@guildhall/wire/search/query.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../kit/database/db.ts'

/** Where a message stands among all. Numbers grow within a guild, and times of one guild never go back. */
export interface SearchPosition {
  /** ms */
  readonly create_at: number
  readonly seq: number
  readonly id: MessageId
}

/** What narrows a search down besides words. `since` and `until`: ms, half-open. */
export interface SearchFilter {
  /**
   * Of PostgreSQL's type `tsquery`, all to be fulfilled. An alternative of many is one of its own: within
   * another the index would go through everything that any of the rarest among them has.
   */
  readonly conditions: readonly string[]
  readonly since: number
  readonly until: number
  /** Only what is older than this; null: from the newest on. */
  readonly before: SearchPosition | null
  /** Null: by anybody. */
  readonly authorIds: readonly UserId[] | null
  /** Mentions one of each. */
  readonly mentioned: readonly (readonly UserId[])[]
  readonly has: readonly Having[]
  readonly is: readonly Being[]
}

/** What of a message is looked at for words. */
export interface SearchedRow extends SearchPosition {
  /** ms; 0 when never edited. */
  readonly updated_at: number
  readonly kind: MessageKind
  readonly raw_content: string
  /** Of cards; null for other kinds. */
  readonly cards: string | null
  /** Null: it has none. */
  readonly file_name: string | null
  readonly titles: readonly string[]
}

/** How a table's messages are read for a search. */
export interface Searched {
  readonly table: string
  /** The expression of the table's index. */
  readonly indexed: RawBuilder<unknown>
  /** The column of the conversation. */
  readonly conversation: string
  readonly embeds: RawBuilder<unknown>
  readonly pinned: RawBuilder<unknown>
  /** The table of reactions. */
  readonly reactions: string
}

/**
 * At most `limit` messages of some conversations, newest first. Their places are found before anything else
 * is read: a common word is in very many messages.
 */
export async function searchCandidates(
  db: Db,
  searched: Searched,
  conversations: RawBuilder<unknown>,
  filter: SearchFilter,
  limit: number,
): Promise<SearchedRow[]> {
  const table = sql.table(searched.table)
  const conditions = [
    sql`message.deleted_at is null`,
    // A bitmap of all messages of the conversations would cost more than it saves: the lexemes name them too.
    sql`(message.${sql.ref(searched.conversation)} || '') = ${conversations}`,
    ...conditionsOf(searched, filter),
  ]
  const { rows } = await sql<SearchedRow>`
    with found as materialized (
      select message.id, message.create_at, message.seq from ${table} as message
      where ${sql.join(conditions, sql` and `)}
    ), newest as (
      select id from found order by create_at desc, seq desc, id desc limit ${limit}
    )
    select message.id, message.kind, message.create_at::float8 as create_at, message.seq::float8 as seq,
      message.updated_at::float8 as updated_at, message.kmarkdown->>'raw_content' as raw_content,
      case when message.kind = 'card' then message.content end as cards,
      message.attachments->>'name' as file_name,
      coalesce(jsonb_path_query_array(${searched.embeds}, '$[*].title'), '[]') as titles
    from newest join ${table} as message on message.id = newest.id
    order by message.create_at desc, message.seq desc, message.id desc`.execute(db)
  return rows
}

function conditionsOf(searched: Searched, filter: SearchFilter): RawBuilder<unknown>[] {
  const { since, until, before, authorIds, mentioned } = filter
  const conditions = [sql`message.create_at >= ${since} and message.create_at < ${until}`]
  for (const condition of filter.conditions)
    conditions.push(sql`${searched.indexed} @@ ${condition}::tsquery`)
  if (before)
    conditions.push(sql`(message.create_at, message.seq, message.id)
      < (${before.create_at}::bigint, ${before.seq}::bigint, ${before.id}::uuid)`)
  if (authorIds) conditions.push(sql`message.author_id = any(${authorIds}::bigint[])`)
  for (const ids of mentioned) conditions.push(sql`message.mention ?| ${ids}::text[]`)
  if (filter.has.includes('pin') || filter.is.includes('pinned')) conditions.push(searched.pinned)
  if (filter.is.includes('edited')) conditions.push(sql`message.updated_at > 0`)
  if (filter.has.includes('reaction'))
    conditions.push(sql`exists (
      select 1 from ${sql.table(searched.reactions)} it where it.message_id = message.id)`)
  return conditions
}

const inChannels: Searched = {
  table: 'message',
  indexed: sql`message_lexemes(message.kind, message.content, message.kmarkdown, message.attachments,
    message.embeds, message.create_at, message.guild_id, message.channel_id)`,
  conversation: 'channel_id',
  embeds: sql`message.embeds`,
  pinned: sql`message.pinned_at > 0`,
  reactions: 'reaction',
}

/** Messages of some channels that a search may have found, newest first, at most `limit`. */
export const channelCandidates = (
  db: Db,
  channelIds: readonly ChannelId[],
  filter: SearchFilter,
  limit: number,
): Promise<SearchedRow[]> => searchCandidates(db, inChannels, sql`any(${channelIds}::text[])`, filter, limit)

/** When the last event of some guilds was, ms; 0: there was none. */
export async function lastSentAt(db: Db, guildIds: readonly GuildId[]): Promise<number> {
  const { rows } = await sql<{ at: number }>`
    select coalesce(max(last_at), 0)::float8 as at from guild_counter
    where guild_id = any(${guildIds}::bigint[])`.execute(db)
  return rows[0]!.at
}
