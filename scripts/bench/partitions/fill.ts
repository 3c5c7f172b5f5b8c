/**
 * Messages of a year, events of the last hours, and rows of the staff log, in guilds whose sizes follow
 * Zipf's law.
 */
import type { ChannelId, UserId } from '@guildhall/wire/id.ts'
import { DAY_MS } from '@guildhall/wire/unit.ts'
import type { Database, Query } from '../../../server/src/kit/database/db.ts'
import { openBus } from '../../../server/src/kit/events/bus.ts'
import { eventLogOf } from '../../../server/src/kit/events/events.ts'
import { ids } from '../../../server/src/kit/ids.ts'
import { openSendPipeline, send } from '../../../server/src/message/message.ts'
import type { Draft } from '../../../server/src/message/sql/send.ts'
import { openFakePresence } from '../../../server/src/testing/fakePresence.ts'
import type { Corpus } from '../search/corpus.ts'
import { CHANNELS_PER_GUILD, FIRST, GUILDS, PEOPLE } from '../search.ts'
import { HOUR_MS, LOG_HOURS, MONTH_MS, STAFF_MONTHS, seconds } from './candidates.ts'

export const EVENTS = Number(process.env.EVENTS ?? 600_000)
export const MESSAGES = Number(process.env.MESSAGES ?? 120_000)
export const STAFF_ROWS = Number(process.env.STAFF_ROWS ?? 120_000)
const AT_ONCE = 20_000
const TEXTS = 2_000

/** What the product's send stores, taken on its way into the database. */
export async function draftOf(database: Database, corpus: Corpus): Promise<Draft> {
  const bus = openBus(eventLogOf(database.db))
  const appContext = {
    db: database.db,
    bus,
    presence: openFakePresence(),
    publicUrl: 'http://bench',
    addresses: { signed: (address: string) => address, signedIn: (text: string) => text },
  }
  let stored: Draft | null = null
  const pipeline = openSendPipeline(database.db)
  await send(
    appContext as never,
    String(FIRST.person) as UserId,
    { channelId: String(FIRST.channel) as ChannelId, kind: 'text', content: corpus.message(), nonce: 'n' },
    {
      ...pipeline,
      store: async (draft) => {
        stored = draft
        return { seq: 1, at: draft.now }
      },
    },
  )
  bus.close()
  if (stored === null) throw new Error('the send stored nothing')
  return stored
}

/** The same draft as another message, in a guild of a rank. */
export function another(draft: Draft, corpus: Corpus, guild: number): Draft {
  const content = corpus.message()
  const channel = guild * CHANNELS_PER_GUILD + corpus.below(CHANNELS_PER_GUILD)
  const message = {
    ...draft.event.message,
    id: ids.uuid(),
    guild_id: String(FIRST.guild + guild),
    channel_id: String(FIRST.channel + channel),
    nonce: ids.uuid(),
    content,
    kmarkdown: { ...draft.event.message.kmarkdown, raw_content: content },
  }
  return {
    ...draft,
    now: Date.now(),
    event: { ...draft.event, message: message as Draft['event']['message'] },
  }
}

/** A number below `most`, always the same of the same `n`. */
export function below(most: number, n: number): number {
  const mixed = Math.imul(Math.imul(n + 1, 0x9e3779b1) ^ 0x2545f491, 0x85ebca6b)
  return Math.floor((((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32) * most)
}

/** The rank of a guild by Zipf's law: that of rank n is twice as large as that of rank 2n. */
export const anyGuild = (n: number): number => Math.floor(GUILDS ** (below(1_000_000, n) / 1_000_000)) - 1

const zipf = (column: string): string => `floor(${GUILDS} ^ ${column})::bigint - 1`

export async function fillMessages(query: Query, corpus: Corpus, now: number): Promise<void> {
  const began = performance.now()
  const start = now - 365 * DAY_MS
  await query('select setseed(0.5)')
  for (let from = 0; from < MESSAGES; from += AT_ONCE) {
    const texts = Array.from({ length: Math.min(AT_ONCE, MESSAGES - from) }, () => corpus.message())
    await query(
      `insert into message (id, guild_id, channel_id, author_id, seq, nonce, kind, content, kmarkdown, create_at)
       select (lpad(to_hex(at), 12, '0') || '70008000' || lpad(to_hex(it.n), 12, '0'))::uuid, ${FIRST.guild} + guild,
         ${FIRST.channel} + guild * ${CHANNELS_PER_GUILD} + it.n % ${CHANNELS_PER_GUILD}, ${FIRST.person} + it.n % ${PEOPLE},
         it.n, 'filled' || it.n, 'text', text,
         jsonb_build_object('raw_content', text, 'mention_part', '[]'::jsonb, 'mention_role_part', '[]'::jsonb,
           'channel_part', '[]'::jsonb, 'item_part', '[]'::jsonb), at
       from (select ${from} + n as n, text, ${zipf('random()')} as guild,
           ${start} + ((${from} + n)::float8 / ${MESSAGES} * ${365 * DAY_MS})::bigint as at
         from unnest($1::text[]) with ordinality as list(text, n)) it`,
      [texts],
    )
  }
  console.log(`${MESSAGES} messages in ${seconds(performance.now() - began)} s`)
}

/** Events as a send logs them, with other texts. */
export async function fillEvents(query: Query, draft: Draft, corpus: Corpus, from: number): Promise<void> {
  const began = performance.now()
  const texts = Array.from({ length: TEXTS }, () => corpus.message())
  const body = { message: { ...draft.event.message, seq: 1, create_at: 1 }, channel: draft.event.channel }
  await query(
    `insert into event_log (guild_id, seq, kind, channel_id, body, at)
     select ${FIRST.guild} + guild, n, 'message', channel,
       jsonb_set(jsonb_set(jsonb_set($1::jsonb, '{message,content}', to_jsonb(text)),
         '{message,kmarkdown,raw_content}', to_jsonb(text)), '{message,seq}', to_jsonb(n)),
       ${from} + (n::float8 / ${EVENTS} * ${LOG_HOURS * HOUR_MS})::bigint
     from (select n, guild, ${FIRST.channel} + guild * ${CHANNELS_PER_GUILD} + n % ${CHANNELS_PER_GUILD} as channel,
         ($2::text[])[1 + n % ${TEXTS}] as text
       from (select n, ${zipf('random()')} as guild from generate_series(1::bigint, ${EVENTS}) n) numbered) it`,
    [JSON.stringify(body), texts],
  )
  await query(`update guild_counter set event_seq = ${EVENTS + MESSAGES}`)
  console.log(`${EVENTS} events in ${seconds(performance.now() - began)} s`)
}

/** A hundred of staff; some acts are rare. */
export async function fillStaffLog(query: Query, from: number): Promise<void> {
  const began = performance.now()
  await query(
    `insert into staff_log (at, actor, kind, name, user_id, target, detail)
     select ${from} + (n::float8 / ${STAFF_ROWS} * ${STAFF_MONTHS * MONTH_MS})::bigint, ${FIRST.person} + n % 100,
       case when n % 5 = 0 then 'act' else 'call' end, 'name' || floor(200 ^ random())::int,
       case when n % 5 = 0 then ${FIRST.person} + n % ${PEOPLE} end, n::text, '{"input": {"page": 1}}'
     from generate_series(1::bigint, ${STAFF_ROWS}) n`,
  )
  console.log(`${STAFF_ROWS} rows of the staff log in ${seconds(performance.now() - began)} s`)
}
