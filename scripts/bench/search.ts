/**
 * The search in ten million messages of a thousand guilds: a hundred queries in a channel, a guild and
 * everything that a person may view; the size of the index; sends per second with and without it. MESSAGES:
 * another number.
 */
import type { ChannelId, GuildId, UserId } from '@guildhall/wire/id.ts'
import { DAY_MS } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import type { Database, Query } from '../../server/src/kit/database/db.ts'
import { openBus } from '../../server/src/kit/events/bus.ts'
import { eventLogOf } from '../../server/src/kit/events/events.ts'
import { openSendPipeline, send } from '../../server/src/message/message.ts'
import { makeMissing, search } from '../../server/src/search/search.ts'
import { openFakePresence } from '../../server/src/testing/fakePresence.ts'
import { withDatabase } from './members.ts'
import { Corpus } from './search/corpus.ts'

const MESSAGES = Number(process.env.MESSAGES ?? 10_000_000)
export const GUILDS = 1000
export const CHANNELS_PER_GUILD = 20
export const PEOPLE = 1000
/** Guilds of the person who searches. */
const OWN_GUILDS = 100
const FILLED_AT_ONCE = 20_000
const DAYS = 365
const TURNS = 2
const SENDERS = 32
const SENDS = 6000
export const FIRST = { person: 200_000_001, guild: 3_200_000_000_000_001, channel: 4_200_000_000_000_001 }

export const run = (): Promise<void> => withDatabase(measure)

async function measure(database: Database): Promise<void> {
  const corpus = await Corpus.open()
  await database.alone(async (query) => {
    await fillGuilds(query)
    await fill(query, corpus)
  })
  await sizes(database)
  const appContext = {
    db: database.db,
    bus: openBus(eventLogOf(database.db)),
    presence: openFakePresence(),
    publicUrl: 'http://bench',
    addresses: { signed: (address: string) => address, signedIn: (text: string) => text },
  }
  const me = String(FIRST.person) as UserId
  const guild_id = String(FIRST.guild + 3) as GuildId
  const channel_id = String(FIRST.channel + 3 * CHANNELS_PER_GUILD) as ChannelId
  const scopes = { channel: { channel_id }, guild: { guild_id }, everything: {} }
  const queries = queriesOf(corpus)
  for (const [name, scope] of Object.entries(scopes)) {
    const took: { readonly q: string; readonly ms: number; readonly total: number }[] = []
    for (let turn = 0; turn <= TURNS; turn += 1)
      for (const q of queries) {
        const since = performance.now()
        const input = { q, ...scope, sort: 'time', page: 1, page_size: 50 } as const
        const { meta } = await search(appContext as never, me, input)
        // The first turn warms.
        if (turn > 0) took.push({ q, ms: performance.now() - since, total: meta.total })
      }
    took.sort((a, b) => a.ms - b.ms)
    const at = (part: number) => took[Math.min(took.length - 1, Math.floor(took.length * part))]!
    const slowest = [...new Map(took.slice(-9).map((it) => [it.q, it])).values()].map(
      ({ q, ms, total }) => `${q} ${ms.toFixed(0)} (${total})`,
    )
    console.log(
      `${name.padEnd(12)} median ${at(0.5).ms.toFixed(1)}  p99 ${at(0.99).ms.toFixed(1)} ms; slowest: ${slowest.join(', ')}`,
    )
  }
  await sends(database, appContext, corpus)
}

/**
 * People, guilds, channels; everybody is in the first guilds. Triggers and foreign keys are off meanwhile.
 */
export async function fillGuilds(query: Query): Promise<void> {
  await query('set session_replication_role = replica')
  const { person, guild, channel } = FIRST
  await query(`insert into "user" (id, username, identify_num, mobile_prefix, mobile, mobile_verified, created_at)
    overriding system value
    select ${person} + n, '人' || n, lpad(n::text, 6, '0'), '86', (12000000000 + n)::text, true, 0
    from generate_series(0, ${PEOPLE - 1}) n`)
  await query(`insert into guild (id, name, topic, icon, user_id, level, boost_num, is_recommended, created_at)
    overriding system value
    select ${guild} + n, 'bench' || n, '', '', ${person} + 1, 0, 0, false, 0 from generate_series(0, ${GUILDS - 1}) n`)
  await query(`insert into guild_counter (guild_id, last_at, event_seq)
    select ${guild} + n, 0, ${MESSAGES} from generate_series(0, ${GUILDS - 1}) n`)
  await query(`insert into role (guild_id, role_id, name, permissions, position)
    select ${guild} + n, 0, 'all', 842248, 2147483647 from generate_series(0, ${GUILDS - 1}) n`)
  await query(`insert into channel (id, guild_id, user_id, name, topic, type, level, is_readonly, permission_sync,
      limit_amount, created_at) overriding system value
    select ${channel} + n, ${guild} + n / ${CHANNELS_PER_GUILD}, ${person}, 'channel' || n, '', 1, n, false, 0, 0, 0
    from generate_series(0, ${GUILDS * CHANNELS_PER_GUILD - 1}) n`)
  await query(`insert into membership (guild_id, user_id, joined_at, is_keyed)
    select ${guild} + g, ${person} + p, 0, true
    from generate_series(0, ${OWN_GUILDS - 1}) g, generate_series(0, ${SENDERS - 1}) p`)
}

/** A year of messages. The size of guilds follows Zipf's law. */
export async function fill(query: Query, corpus: Corpus): Promise<void> {
  await query('drop index message_search')
  const began = performance.now()
  const start = Date.now() - DAYS * DAY_MS
  for (let from = 0; from < MESSAGES; from += FILLED_AT_ONCE) {
    const count = Math.min(FILLED_AT_ONCE, MESSAGES - from)
    const texts = Array.from({ length: count }, () => corpus.message())
    const guilds = texts.map(() => Math.floor(GUILDS ** (corpus.below(1_000_000) / 1_000_000)) - 1)
    const channels = guilds.map((guild) => guild * CHANNELS_PER_GUILD + corpus.below(CHANNELS_PER_GUILD))
    await query(
      `insert into message (id, guild_id, channel_id, author_id, seq, kind, content, kmarkdown, create_at)
       select ('01900000-0000-7000-8000-' || lpad(to_hex(${from} + n), 12, '0'))::uuid, ${FIRST.guild} + guild,
         ${FIRST.channel} + channel, ${FIRST.person} + n % ${PEOPLE}, ${from} + n, 'kmarkdown', text,
         jsonb_build_object('raw_content', text, 'mention_part', '[]'::jsonb, 'mention_role_part', '[]'::jsonb,
           'channel_part', '[]'::jsonb, 'item_part', '[]'::jsonb),
         ${start} + ((${from} + n)::float8 / ${MESSAGES} * ${DAYS * DAY_MS})::bigint
       from unnest($1::text[], $2::int[], $3::int[]) with ordinality as it(text, guild, channel, n)`,
      [texts, guilds, channels],
    )
  }
  console.log(`filled with ${MESSAGES} messages in ${seconds(began)} s`)
  const indexed = performance.now()
  await query(`set maintenance_work_mem = '1GB'`)
  await makeMissing(query)
  console.log(`index made in ${seconds(indexed)} s`)
  await query('vacuum analyze message')
}

const seconds = (since: number): string => ((performance.now() - since) / 1000).toFixed(0)

async function sizes({ db }: Database): Promise<void> {
  const { rows } = await sql<{ text: string; index: string; table: string }>`
    select sum(octet_length(content)) as text, pg_relation_size('message_search') as index,
      pg_table_size('message') as table from message`.execute(db)
  const { text, index, table } = rows[0]!
  const mib = (bytes: string) => `${(Number(bytes) / 2 ** 20).toFixed(0)} MiB`
  const times = (Number(index) / Number(text)).toFixed(2)
  console.log(`text ${mib(text)}, table ${mib(table)}, index ${mib(index)}: ${times} times the text`)
}

/** A hundred: what is everywhere, often, seldom and nowhere; several words, phrases, Latin, operators. */
function queriesOf(corpus: Corpus): string[] {
  const phrases = (from: number, count: number, step: number) =>
    Array.from({ length: count }, (_, at) => corpus.phrase(from + at * step))
  const everywhere = ['的', '了', '我', '是', '哈哈', '我们', '可以', '知道', '一个', '什么']
  const others = ['hello', 'iphone', '666', 'v2', 'https', 'example.org', 'readme', '😂', 'gg', 'ok']
  const narrowed = ['的 has:link', '哈哈 from:人7', '我们 before:7月', '好 after:昨天', '是 on:今天']
  const missing = [
    '龘',
    '从来没有说过的一句话',
    'zzzzzz',
    '不我',
    '犇骉',
    'qwertyuiop',
    '魑魅魍魉魃',
    '9876543210',
  ]
  return [
    ...everywhere,
    ...others,
    ...narrowed,
    ...missing,
    ...phrases(0, 20, 1),
    ...phrases(200, 20, 37),
    ...phrases(20_000, 15, 301),
    ...phrases(3, 6, 5).map((it) => `${it} 的`),
    ...phrases(40, 6, 9).map((it) => `"${it}" 我们`),
  ]
}

/** Rounds with and without the index, in turn. */
async function sends(database: Database, appContext: object, corpus: Corpus): Promise<void> {
  const { db } = database
  const pipeline = openSendPipeline(db)
  const round = async () => {
    const began = performance.now()
    let left = SENDS
    const sender = async (who: number) => {
      const userId = String(FIRST.person + who) as UserId
      const guild = who % OWN_GUILDS
      const channelId = String(FIRST.channel + guild * CHANNELS_PER_GUILD) as ChannelId
      while (left > 0) {
        left -= 1
        const input = { channelId, kind: 'text', content: corpus.message(), nonce: '' } as const
        await send(appContext as never, userId, input, pipeline)
      }
    }
    await Promise.all(Array.from({ length: SENDERS }, (_, who) => sender(who)))
    return (SENDS / (performance.now() - began)) * 1000
  }
  await round()
  const withIndex: number[] = []
  const without: number[] = []
  for (let turn = 0; turn < 4; turn += 1) {
    withIndex.push(await round())
    await setReady(database, false)
    without.push(await round())
    await setReady(database, true)
  }
  const median = (all: readonly number[]) => [...all].sort((a, b) => a - b)[Math.floor(all.length / 2)]!
  console.log(
    `sends per second: ${median(withIndex).toFixed(0)} with the index, ${median(without).toFixed(0)} without: ${(median(withIndex) / median(without)).toFixed(2)}`,
  )
}

/** Whether sends write to the index. It is of no use afterwards. */
const setReady = (database: Database, isReady: boolean): Promise<unknown> =>
  database.alone((query) =>
    query(`update pg_index set indisready = $1 where indexrelid = 'message_search'::regclass`, [isReady]),
  )
