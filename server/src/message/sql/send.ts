/** Storing sent messages: numbers, rows, mentions and events of a batch in one statement. */
import type { MessageKind } from '@guildhall/wire/message/kind.ts'
import type { Message } from '@guildhall/wire/message/message.ts'
import { sql } from 'kysely'
import { filesOf, lockingFiles, storingUses } from '../../asset/asset.ts'
import { type Db, memoized, preparedStatement, type Tx } from '../../kit/database/db.ts'
import { storingMentions, targetsOf } from './mention.ts'
import type { MessageRow } from './message.ts'

/** A message to be stored: its event, whole except for number and time. */
export interface Draft {
  readonly kind: MessageKind
  /** When it was sent, ms. */
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

export type Numbered = Added & { readonly ordinal: number }

/** The placeholder of the drafts in the statement below. */
const DRAFTS = ''

/** `hasRelations`: the messages mention somebody or show files. */
const storing = (hasRelations: boolean) => sql<Numbered>`${preparedStatement}
    with draft as materialized (
      select ordinal, it->>'kind' as kind, (it->>'now')::bigint as now, it->'event' as event,
        message->>'id' as id, (message->>'guild_id')::bigint as guild_id,
        (message->>'channel_id')::bigint as channel_id, (message#>>'{author,id}')::bigint as author_id,
        message->>'nonce' as nonce${hasRelations ? sql`, it->'calls' as calls, it->'files' as files` : sql``}
      from jsonb_array_elements(${DRAFTS}::jsonb) with ordinality as list(it, ordinal),
        lateral (select it->'event'->'message' as message) whole
    )${hasRelations ? lockingFiles : sql``}, locked as materialized (
      select guild_id from guild_counter where guild_id in (select guild_id from draft)
        ${hasRelations ? sql`and (select count(*) from file) >= 0` : sql``} order by guild_id for update
    ), fresh as materialized (
      select each.*, row_number() over (partition by guild_id order by ordinal) as step
      from (
        select draft.*, row_number() over (partition by channel_id, author_id, nonce order by ordinal) as time
        from draft join locked using (guild_id)
        join channel on channel.id = draft.channel_id and channel.deleted_at is null
      ) each
      -- The limit makes the planner look up each row by the index instead of reading the whole table.
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
    )${hasRelations ? storingMentions : sql``}${hasRelations ? storingUses : sql``}
    select ordinal::int as ordinal, seq::float8 as seq, at::float8 as at from numbered`

const store = memoized(() => storing(false))

/** Batches without mentions and files use a shorter statement, and PostgreSQL keeps a plan of each. */
const storeRelated = memoized(() => storing(true))

/**
 * Takes the next numbers of the guilds, stores the messages and logs their events in one statement: all or
 * none. Numbers follow the order of `drafts` without holes; guilds are locked in the order of their ids.
 * Returns one result per draft, in order. A draft gets null and no number when its author used its nonce in
 * this channel before, also earlier in `drafts`, and when its guild or channel is gone. If another process
 * stores the same nonce at the same time, the later statement fails on `message_nonce`.
 */
export async function add(db: Db, drafts: readonly Draft[]): Promise<(Added | null)[]> {
  const related = drafts.map((draft) => ({
    ...draft,
    calls: targetsOf(draft.event.message),
    files: filesOf({ ...draft.event.message, kind: draft.kind }),
  }))
  const isRelated = related.some(({ calls, files }) => calls.length > 0 || files.length > 0)
  const { rows } = isRelated
    ? await storeRelated(db, [JSON.stringify(related)])
    : await store(db, [JSON.stringify(drafts)])
  const answers = drafts.map((): Added | null => null)
  for (const { ordinal, seq, at } of rows) answers[ordinal - 1] = { seq, at }
  return answers
}

/** Stores a message without mentions under the number its event will have. */
export async function addNumbered(tx: Tx, row: MessageRow): Promise<void> {
  await tx
    .insertInto('message')
    .values({
      id: row.id,
      guild_id: row.guild_id,
      channel_id: row.channel_id,
      author_id: row.author_id,
      seq: row.seq,
      nonce: row.nonce,
      kind: row.kind,
      content: row.content,
      kmarkdown: JSON.stringify(row.kmarkdown),
      create_at: row.create_at,
    })
    .execute()
}
