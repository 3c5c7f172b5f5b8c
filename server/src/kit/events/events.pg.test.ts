import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import { memberJoined, selfJoined } from '@guildhall/wire/member/event.ts'
import { DAY_MS, HOUR_MS } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { openWorld, type TestWorld } from '../../testing/world.ts'
import { replaceClock } from '../clock.ts'
import { openLog } from '../log.ts'
import { type LiveEvent, noopBus, type Topic } from './bus.ts'
import {
  type AppContext,
  commit,
  eventsAfter,
  listenForEvents,
  personEventsAfter,
  trimEvents,
} from './events.ts'
import { openMissedEventPoller } from './missedEventPoller.ts'
import { alone } from './nodes.ts'

let world: TestWorld
let appContext: AppContext
let guildId: GuildId
let person: UserId
let received: LiveEvent[]
beforeAll(async () => {
  world = await openWorld()
  appContext = world.app.appContext
  guildId = world.guilds[1]?.id as GuildId
  person = world.people.staff.id
  appContext.bus.subscribe((event) => received.push(event))
})
beforeEach(async () => {
  await appContext.bus.settled()
  received = []
})
afterAll(() => world.close())

const joined = { user_id: '100000001' as UserId, joined_at: 1 }
const lastSeq = async () => {
  const { rows } = await sql<{ seq: number }>`
    select event_seq::float8 as seq from guild_counter where guild_id = ${guildId}`.execute(appContext.db)
  return rows[0]?.seq ?? 0
}

it('work that fails logs, numbers and publishes nothing', async () => {
  const before = await lastSeq()
  const failed = commit(appContext, async (_tx, emit) => {
    emit.guild(guildId, memberJoined, joined)
    throw new Error('halfway')
  })
  await expect(failed).rejects.toThrow('halfway')
  await appContext.bus.settled()
  expect(await lastSeq()).toBe(before)
  expect(await eventsAfter(appContext.db, guildId, before, 10)).toEqual([])
  expect(received).toEqual([])
})

it('events of one commit are numbered in the order they were emitted', async () => {
  const before = await lastSeq()
  await commit(appContext, async (_tx, emit) => {
    for (let index = 1; index <= 3; index++)
      emit.guild(guildId, memberJoined, { ...joined, joined_at: index })
    emit.person(person, selfJoined, { guild_id: guildId })
  })
  await appContext.bus.settled()
  const logged = await eventsAfter(appContext.db, guildId, before, 10)
  expect(logged.map(({ seq }) => seq - before)).toEqual([1, 2, 3])
  expect(logged.map(({ body }) => (body as typeof joined).joined_at)).toEqual([1, 2, 3])
  expect(received.filter(({ to }) => to === 'guild')).toEqual(logged)
  expect(received.filter(({ to }) => to === 'person')).toMatchObject([
    { userId: person, kind: 'self_joined_guild' },
  ])
})

it('forty concurrent commits get forty numbers without a hole, and are delivered in that order', async () => {
  const before = await lastSeq()
  await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      commit(appContext, async (tx, emit) => {
        if (index % 3 === 0) await sql`select pg_sleep(0.01)`.execute(tx)
        emit.guild(guildId, memberJoined, joined)
      }),
    ),
  )
  await appContext.bus.settled()
  const numbers = Array.from({ length: 40 }, (_, index) => before + index + 1)
  expect((await eventsAfter(appContext.db, guildId, before, 100)).map(({ seq }) => seq)).toEqual(numbers)
  expect(received.map(({ seq }) => seq)).toEqual(numbers)
})

it('times of a guild do not go back when the clock does', async () => {
  const before = await lastSeq()
  const now = Date.now()
  const say = () => commit(appContext, async (_tx, emit) => emit.guild(guildId, memberJoined, joined))
  const restore = replaceClock(() => now + 5_000)
  await say()
  restore()
  await say()
  const times = (await eventsAfter(appContext.db, guildId, before, 10)).map(({ at }) => at)
  expect(times).toEqual([now + 5_000, now + 5_000])
})

it('commits of another process are delivered here', async () => {
  const { noopBus } = await import('./bus.ts')
  const arrived = new Promise<LiveEvent>((resolve) => {
    const stop = appContext.bus.subscribe((event) => {
      stop()
      resolve(event)
    })
  })
  await commit({ db: appContext.db, bus: noopBus, announces: true }, async (_tx, emit) =>
    emit.guild(guildId, memberJoined, { ...joined, joined_at: 99 }),
  )
  expect((await arrived).body).toEqual({ ...joined, joined_at: 99 })
})

it('a lost connection listens again, and reports that events may have been missed', async () => {
  const received: number[] = []
  const bus = { ...noopBus, hint: (_topic: Topic, seq: number) => received.push(seq) }
  let backs = 0
  const log = openLog('quiet')
  log.level = 'silent'
  const listener = await listenForEvents(world.database.pool, bus, log, () => {
    backs += 1
  })
  // Every connection of this database that listens.
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query like 'listen %'`.execute(appContext.db)
  await vi.waitUntil(() => backs === 1 && listener.isListening(), { timeout: 60_000, interval: 10 })
  await sql`select pg_notify('guildhall_event', 'guild:7 3')`.execute(appContext.db)
  await vi.waitUntil(() => received.length > 0, { timeout: 60_000, interval: 10 })
  expect([received, backs]).toEqual([[3], 1])
  listener.close()
})

it('what a server that was killed committed at its end is delivered by the next one, though nobody reports it', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  try {
    const { db, bus } = appContext
    const log = openLog('quiet')
    let asked = 0
    const poller = openMissedEventPoller({
      db,
      bus: () => {
        asked += 1
        return bus
      },
      nodes: alone(),
      redis: null,
      log,
    })
    const commitUnreported = () =>
      commit({ db, bus: noopBus }, async (_tx, emit) => emit.guild(guildId, memberJoined, joined))
    await commit(appContext, async (_tx, emit) => emit.guild(guildId, memberJoined, joined))
    await bus.settled()
    const before = received.length
    await commitUnreported()
    vi.advanceTimersByTime(11_000)
    await vi.waitUntil(() => received.length > before, { timeout: 60_000, interval: 10 })
    expect(received.map(({ seq }) => seq)).toEqual([(await lastSeq()) - 1, await lastSeq()])

    // Later nobody else can have committed anything: an idle server asks nothing.
    vi.advanceTimersByTime(60_000)
    const until = asked
    vi.advanceTimersByTime(600_000)
    expect(asked).toBe(until)
    poller.close()
  } finally {
    vi.useRealTimers()
  }
})

describe('trimming', () => {
  const notify = () =>
    commit(appContext, async (_tx, emit) => {
      emit.guild(guildId, memberJoined, joined)
      emit.person(person, selfJoined, { guild_id: guildId })
    })
  const kept = async () => [
    (await eventsAfter(appContext.db, guildId, 0, 10_000)).map(({ seq }) => seq),
    (await personEventsAfter(appContext.db, person, 0, 10_000)).map(({ seq }) => seq),
  ]
  const at = async <T>(time: number, act: () => Promise<T>) => {
    const restore = replaceClock(() => time)
    return act().finally(restore)
  }

  it('keeps events younger than the limit', async () => {
    // Events of the demo world are days old.
    await trimEvents(appContext.db, DAY_MS)
    await notify()
    const before = await kept()
    expect(await at(Date.now() + HOUR_MS, () => trimEvents(appContext.db, DAY_MS))).toBe(0)
    expect(await kept()).toEqual(before)
  })

  it('deletes older ones, also more than one statement takes, and never the newest of a guild or person', async () => {
    await commit(appContext, async (_tx, emit) => {
      for (let index = 0; index < 2_500; index++) emit.guild(guildId, memberJoined, joined)
    })
    await notify()
    const [guild = [], own = []] = await kept()
    expect(await at(Date.now() + 2 * DAY_MS, () => trimEvents(appContext.db, DAY_MS))).toBeGreaterThan(2_500)
    expect(await kept()).toEqual([guild.slice(-1), own.slice(-1)])
  })

  it('keeps the young events of a guild with old ones, and numbers continue without a hole', async () => {
    const [last = 0] = (await kept())[0]?.slice(-1) ?? []
    const later = Date.now() + 3 * DAY_MS
    await at(later, notify)
    await at(later, notify)
    await at(later + HOUR_MS, () => trimEvents(appContext.db, DAY_MS))
    expect((await kept())[0]).toEqual([last + 1, last + 2])
    await appContext.bus.settled()
    await notify()
    await appContext.bus.settled()
    expect(received.at(-2)?.seq).toBe(last + 3)
  })
})
