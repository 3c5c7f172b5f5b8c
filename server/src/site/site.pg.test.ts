import { listClientErrors as listRoute, logClientError } from '@guildhall/wire/site/clientLog.ts'
import { DAY_MS } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Limits, memoryRateLimiter } from '../kit/limits/rateLimit.ts'
import { openMetrics } from '../kit/metrics/metrics.ts'
import { openWorld, type TestWorld } from '../testing/world.ts'
import { recordClientError, trimClientErrors } from './site.ts'
import { trimErrors } from './sql.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld({}, undefined, { scheduledWork: false })
})
afterAll(() => world.close())
beforeEach(async () => void (await sql`delete from client_log`.execute(world.database.db)))

const bug = (more: { message?: string; name?: string; location?: string } = {}) => ({
  user: { id: '100000001', username: '某人' },
  location: more.location ?? '/channels/10/20?q=hello',
  errorEvent: {
    filename: 'https://guild.example/assets/room.js?token=abc',
    error: {
      name: more.name ?? 'TypeError',
      message: more.message ?? 'x is not a function',
      stack: 'TypeError: secret words\n    at send (https://guild.example/assets/room.js:1:2)',
    },
  },
})
const stored = async () =>
  (await sql<Record<string, unknown>>`select * from client_log order by id`.execute(world.database.db)).rows

describe('the error of a page', () => {
  it('is refused in another shape, and when it is larger than any body', async () => {
    for (const body of [{}, { ...bug(), errorEvent: {} }, { ...bug(), location: ['/'] }])
      expect(await world.as(null).refusal(logClientError, body)).toBe('bad_input')
    expect(await world.as(null).refusal(logClientError, bug({ message: 'x'.repeat(70_000) }))).toBe(
      'too_large',
    )
    expect(await stored()).toEqual([])
  })

  it('of a guest and of a user is stored scrubbed, with the id of the session alone', async () => {
    expect(
      await world.as(null).call(logClientError, bug({ message: 'cannot read "13812345678 你好"' })),
    ).toEqual({})
    await world.as('member').call(logClientError, bug())
    const [guest, member] = await stored()
    expect(guest).toMatchObject({
      user_id: null,
      location: '/channels/10/20?q',
      filename: '/assets/room.js?token',
      name: 'TypeError',
      message: 'cannot read "…"',
      stack: 'at send (/assets/room.js:1:2)',
    })
    expect(member).toMatchObject({ user_id: world.people.member.id })
    expect(JSON.stringify([guest, member])).not.toMatch(/某人|secret|138123|abc/)
  })
})

describe('many errors', () => {
  const open = () => {
    const metrics = openMetrics()
    return {
      metrics,
      deps: { db: world.database.db, limits: new Limits(memoryRateLimiter()), metrics: metrics.clientErrors },
    }
  }

  it('of one network are refused after sixty', async () => {
    const { deps } = open()
    const from = { userId: null, network: '203.0.113.7' }
    for (let i = 0; i < 60; i++) await recordClientError(deps, bug(), from)
    await expect(recordClientError(deps, bug(), from)).rejects.toThrow('too_many')
    await recordClientError(deps, bug(), { ...from, network: '203.0.113.8' })
  })

  it('that are equal are stored twenty times and all counted; invented names share a label', async () => {
    const { deps, metrics } = open()
    for (let i = 0; i < 30; i++)
      await recordClientError(deps, bug({ message: `row ${1000 + i} is gone` }), {
        userId: null,
        network: `p${i}`,
      })
    expect(await stored()).toHaveLength(20)
    for (let i = 0; i < 3; i++)
      await recordClientError(deps, bug({ name: `Made${i}` }), { userId: null, network: 'q' })
    const page = await metrics.page()
    expect(page).toContain('guildhall_client_errors_total{name="TypeError"} 30')
    expect(page).toContain('guildhall_client_errors_total{name="other"} 3')
  })

  it('leave the newest, and nothing that is too old', async () => {
    const { deps } = open()
    for (const message of ['one', 'two', 'three'])
      await recordClientError(deps, bug({ message }), { userId: null, network: 'p' })
    await trimErrors(deps.db, 0, 2)
    expect((await stored()).map(({ message }) => message)).toEqual(['two', 'three'])
    await trimClientErrors(deps.db, 30 * DAY_MS)
    expect(await stored()).toHaveLength(2)
    await trimClientErrors(deps.db, -1_000)
    expect(await stored()).toEqual([])
  })
})

describe('the list of errors', () => {
  it('is refused to guests, people, and staff without the right', async () => {
    expect(await world.as(null).refusal(listRoute)).toBe('not_logged_in')
    expect(await world.as('member').refusal(listRoute)).toBe('forbidden')
  })

  it('shows staff with the right the newest first, by page and by name', async () => {
    for (const message of ['one', 'two']) await world.as(null).call(logClientError, bug({ message }))
    await world.as(null).call(logClientError, bug({ name: 'RangeError' }))
    const { items } = await world.as('staff').call(listRoute)
    expect(items.map(({ name, message }) => [name, message])).toEqual([
      ['RangeError', 'x is not a function'],
      ['TypeError', 'two'],
      ['TypeError', 'one'],
    ])
    const older = await world.as('staff').call(listRoute, { before: items[1]!.id })
    expect(older.items.map(({ message }) => message)).toEqual(['one'])
    expect((await world.as('staff').call(listRoute, { name: 'RangeError' })).items).toHaveLength(1)
  })

  it('is read by command: equal ones counted, and each with its stack', async () => {
    for (let i = 0; i < 2; i++) await world.as(null).call(logClientError, bug())
    await world.as('member').call(logClientError, bug({ message: 'other' }))
    const counted = await world.command<{ signature: string }[]>('errors count')
    expect(counted).toMatchObject([
      { times: 2, people: 0, name: 'TypeError' },
      { times: 1, people: 1 },
    ])
    expect(await world.command('errors', 'list', '--signature', counted[0]!.signature)).toMatchObject([
      { name: 'TypeError', stack: ['at send (/assets/room.js:1:2)'] },
      { name: 'TypeError' },
    ])
    await expect(world.command('errors', 'list', '--signature', 'x')).rejects.toThrow('--signature')
  })
})
