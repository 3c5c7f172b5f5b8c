/** What the product does with the tables, by its own statements. */
import type { ChannelId, GuildId, MessageId, UserId } from '@guildhall/wire/id.ts'
import { DAY_MS } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import type { Db } from '../../../server/src/kit/database/db.ts'
import { eventLogOf, eventsAfter } from '../../../server/src/kit/events/events.ts'
import { lastOf } from '../../../server/src/message/sql/activity.ts'
import { countSent, ofAuthor, selectFor, table } from '../../../server/src/message/sql/message.ts'
import { add, type Draft } from '../../../server/src/message/sql/send.ts'
import { search } from '../../../server/src/search/search.ts'
import { addToLog, logRows } from '../../../server/src/staff/sql.ts'
import { openFakePresence } from '../../../server/src/testing/fakePresence.ts'
import { report } from '../kit/figures.ts'
import type { Corpus } from '../search/corpus.ts'
import { CHANNELS_PER_GUILD, FIRST } from '../search.ts'
import { type Candidate, candidatesOf, type GrowingTable } from './candidates.ts'
import { another, anyGuild, below, EVENTS, MESSAGES } from './fill.ts'

const ROUNDS = 5
/** Events of one read of the log, as the bus reads. */
const EVENTS_AT_ONCE = 500
const MESSAGES_AT_ONCE = 50
/** Numbers that have nothing to do with the others of the same run. */
const OTHER = 1_000_000
const ME = String(FIRST.person) as UserId

interface Act {
  readonly name: string
  /** The tables whose candidates do it. */
  readonly tables: readonly GrowingTable[]
  /** In a round. */
  readonly times: number
  /** `n`: the same for all candidates, another one for each run of a candidate. */
  run(db: Db, n: number): Promise<unknown>
}

/** Rounds in turn; the first is for warming up. Reports the median of the rounds' medians, and ratios. */
export async function interleaved(act: Act, all: readonly Candidate[]): Promise<void> {
  const candidates = [...new Set(act.tables.flatMap((it) => candidatesOf(all, it)))]
  const rounds = candidates.map((): number[] => [])
  for (let round = 0; round <= ROUNDS; round += 1)
    for (let turn = 0; turn < candidates.length; turn += 1) {
      const at = (round + turn) % candidates.length
      const took: number[] = []
      for (let n = 0; n < act.times; n += 1) {
        const since = performance.now()
        await act.run(candidates[at]!.database.db, round * act.times + n)
        took.push(performance.now() - since)
      }
      if (round > 0) rounds[at]!.push(median(took))
    }
  report(
    ...candidates.flatMap(({ name }, at) => {
      const ms = { name: `${act.name}, ${name}`, value: median(rounds[at]!), unit: 'ms' as const }
      if (at === 0) return [ms]
      const ratios = rounds[at]!.map((value, round) => value / rounds[0]![round]!)
      return [ms, { name: `${act.name}, ${name}`, value: median(ratios), unit: '×' as const }]
    }),
  )
}

export const median = (all: readonly number[]): number =>
  [...all].sort((a, b) => a - b)[Math.floor(all.length / 2)]!

interface Filled {
  readonly draft: Draft
  readonly corpus: Corpus
  /** When the last message and event were, ms. */
  readonly now: number
}

/** Sends come last: searches would read what was sent lately one by one, of some candidates more. */
export const actsOf = (filled: Filled): readonly Act[] => [
  ...eventReads(filled),
  ...messageReads(filled),
  ...searches(filled),
  ...staffActs(),
  ...sends(filled),
]

const sends = ({ draft, corpus }: Filled): Act[] =>
  [1, 32].map((count) => ({
    name: `a send of ${count}`,
    tables: ['event_log', 'message'],
    times: count === 1 ? 150 : 30,
    run: (db, n) =>
      add(
        db,
        Array.from({ length: count }, (_, at) => another(draft, corpus, anyGuild(n * 32 + at))),
      ),
  }))

function eventReads({ now }: Filled): Act[] {
  const guildId = (n: number) => String(FIRST.guild + anyGuild(n)) as GuildId
  const tables = ['event_log'] as const
  return [
    {
      name: 'the last events of a guild',
      tables,
      times: 200,
      run: (db, n) => eventsAfter(db, guildId(n), EVENTS - EVENTS / 1000, EVENTS_AT_ONCE),
    },
    {
      name: 'the first events of a guild',
      tables,
      times: 100,
      run: (db, n) => eventsAfter(db, guildId(n), 0, EVENTS_AT_ONCE),
    },
    {
      name: 'where a guild was five minutes ago',
      tables,
      times: 200,
      run: (db, n) => eventLogOf(db).lastBefore(`guild:${guildId(n)}`, now - 300_000),
    },
  ]
}

function messageReads({ now }: Filled): Act[] {
  const tables = ['message'] as const
  const channelOf = (n: number) => {
    const guild = anyGuild(n)
    const channel = FIRST.channel + guild * CHANNELS_PER_GUILD + below(CHANNELS_PER_GUILD, n + 2 * OTHER)
    return { guildId: String(FIRST.guild + guild) as GuildId, channelId: String(channel) as ChannelId }
  }
  const channels = Array.from({ length: 100 }, (_, n) => channelOf(n).channelId)
  const ids: { id: MessageId; channel_id: string }[] = []
  return [
    {
      name: 'a page of history',
      tables,
      times: 200,
      run: (db, n) =>
        table.page(db, ME, channelOf(n).channelId, below(MESSAGES, n + OTHER), MESSAGES_AT_ONCE),
    },
    {
      name: 'the same, if it named the guild',
      tables,
      times: 200,
      run: (db, n) => {
        const { guildId, channelId } = channelOf(n)
        return sql`${selectFor(ME)}
          where message.guild_id = ${guildId} and message.channel_id = ${channelId}
            and message.deleted_at is null and message.seq < ${below(MESSAGES, n + OTHER)}
          order by message.seq desc limit ${MESSAGES_AT_ONCE}`.execute(db)
      },
    },
    {
      name: 'a message by its id',
      tables,
      times: 200,
      async run(db, n) {
        if (ids.length === 0) ids.push(...(await someIds(db)))
        const { id, channel_id } = ids[below(ids.length, n)]!
        return table.byId(db, ME, channel_id, id)
      },
    },
    { name: 'the last messages of 100 channels', tables, times: 60, run: (db) => lastOf(db, channels) },
    {
      name: 'an author’s own copy',
      tables,
      times: 60,
      run: (db, n) => ofAuthor(db, String(FIRST.person + below(1000, n)) as UserId, NO_ID, 200),
    },
    {
      name: 'the count of a day',
      tables,
      times: 40,
      run: (db) => countSent(db, { from: now - 100 * DAY_MS, to: now - 99 * DAY_MS }),
    },
  ]
}

const NO_ID = '00000000-0000-0000-0000-000000000000'

const someIds = async (db: Db) =>
  (
    await sql<{ id: MessageId; channel_id: string }>`
    select id, channel_id::text from public.message tablesample system (1) limit 1000`.execute(db)
  ).rows

function searches({ corpus }: Filled): Act[] {
  const words = Array.from({ length: 40 }, (_, n) => corpus.phrase(n * 7))
  const guild_id = String(FIRST.guild + 3) as GuildId
  const addresses = { signed: (address: string) => address, signedIn: (text: string) => text }
  const presence = openFakePresence()
  const scopes = { 'a guild': { guild_id }, everything: {} }
  return Object.entries(scopes).map(([name, scope]) => ({
    name: `a search in ${name}`,
    tables: ['message'],
    times: 10,
    run(db, n) {
      const q = words[below(words.length, n)]!
      const appContext = { db, presence, publicUrl: 'http://bench', addresses }
      return search(appContext as never, ME, { q, ...scope, sort: 'time', page: 1, page_size: 50 })
    },
  }))
}

function staffActs(): Act[] {
  const tables = ['staff_log'] as const
  const actor = (n: number) => String(FIRST.person + below(100, n))
  return [
    {
      name: 'an act of staff',
      tables,
      times: 100,
      run: (db, n) => addToLog(db, { actor: actor(n), kind: 'call', name: 'name1' }),
    },
    { name: 'the end of the staff log', tables, times: 100, run: (db) => logRows(db, { limit: 50 }) },
    {
      name: 'the staff log of a rare act',
      tables,
      times: 100,
      run: (db, n) => logRows(db, { name: `name${150 + below(49, n)}`, limit: 50 }),
    },
    {
      name: 'the staff log of an actor',
      tables,
      times: 100,
      run: (db, n) => logRows(db, { actor: actor(n), kind: 'act', limit: 50 }),
    },
  ]
}
