import { listDevices, signOutDevice, signOutOthers } from '@guildhall/wire/auth/devices.ts'
import { login } from '@guildhall/wire/auth/login.ts'
import { DAY_MS, HOUR_MS } from '@guildhall/wire/unit.ts'
import { me } from '@guildhall/wire/user/me.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { PersonName } from '../demo/world.ts'
import { replaceClock } from '../kit/clock.ts'
import { commit } from '../kit/events/events.ts'
import { Refused } from '../testing/calls.ts'
import { openWorld, type TestWorld } from '../testing/world.ts'
import { registerBot } from '../user/user.ts'
import { dropSecondFactor, giveBotToken } from './auth.ts'
import { deviceNames } from './devices.ts'

const WECHAT =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 MicroMessenger/8.0.54(0x18003630) NetType/WIFI Language/zh_CN'
const CHROME =
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36'

let world: TestWorld
let now: number
let restore: () => void
beforeAll(async () => {
  world = await openWorld()
  await dropSecondFactor(world.database.db, world.people.staff.id)
})
afterAll(() => world.close())
beforeEach(() => {
  now = Date.now()
  restore = replaceClock(() => now)
})
afterEach(async () => {
  restore()
  await sql`delete from session`.execute(world.database.db)
})

async function enter(name: PersonName, from: { ip?: string; agent?: string } = {}): Promise<string> {
  const { mobile, prefix, password } = world.people[name]
  return (await world.as(null, from).call(login, { mobile, mobile_prefix: prefix, password })).token
}
const devices = async (token: string) => (await world.as({ token }).call(listDevices, {})).items
const isIn = (token: string): Promise<boolean> =>
  world
    .as({ token })
    .call(me, {})
    .then(
      () => true,
      (error: unknown) => {
        if (error instanceof Refused && error.failure === 'not_logged_in') return false
        throw error
      },
    )

it('nobody sees devices without a session, and nothing is signed out', async () => {
  for (const route of [listDevices, signOutDevice, signOutOthers])
    await expect(world.as(null).call(route, { id: crypto.randomUUID() } as never)).rejects.toMatchObject({
      failure: 'not_logged_in',
    })
})

it('a bot has no devices', async () => {
  const token = await commit(world.app.appContext, async (tx, emit) => {
    const bot = await registerBot(tx, '清单')
    return giveBotToken(tx, emit, bot.id)
  })
  const reply = await world.app.inject({
    method: 'GET',
    url: listDevices.path,
    headers: { authorization: `Bot ${token}` },
  })
  expect((JSON.parse(reply.text) as { code: number }).code).toBe(403)
})

it('a device is known by its system, its browser, a part of its address and its times; this one comes first', async () => {
  const phone = await enter('staff', { ip: '203.0.113.77', agent: WECHAT })
  now += HOUR_MS
  const desk = await enter('staff', { ip: '2001:db8:1:2::9', agent: CHROME })
  expect(await devices(phone)).toMatchObject([
    { os: 'iOS', app: 'WeChat', network: '203.0.113.*', created_at: now - HOUR_MS, current: true },
    { os: 'Android', app: 'Chrome', network: '2001:db8:1::/48', created_at: now, current: false },
  ])
  expect((await devices(desk)).map(({ current, app }) => [current, app])).toEqual([
    [true, 'Chrome'],
    [false, 'WeChat'],
  ])
})

it('a session that lapsed is not listed', async () => {
  await enter('staff')
  now += 181 * DAY_MS
  expect(await devices(await enter('staff'))).toHaveLength(1)
})

it.each([
  ['', { os: '', app: '' }],
  ['  ', { os: '', app: '' }],
  ['\u0000<script>', { os: '', app: '' }],
  [`Mozilla/5.0 (${'x'.repeat(60)})`, { os: '' }],
])('a client that calls itself %j is listed without names', (agent, names) => {
  expect(deviceNames({ network: '10.0.0.1', origin: '', agent })).toMatchObject({
    ...names,
    network: '10.0.0.*',
  })
})

describe('signing out', () => {
  it('one device ends its session at once, and only that; a second time changes nothing', async () => {
    const [here, lost] = [await enter('staff'), await enter('staff')]
    const id = (await devices(here)).find(({ current }) => !current)!.id
    for (let tap = 0; tap < 2; tap++) await world.as({ token: here }).call(signOutDevice, { id })
    expect([await isIn(here), await isIn(lost)]).toEqual([true, false])
    expect(await devices(here)).toHaveLength(1)
  })

  it('the device of somebody else is not possible', async () => {
    const [own, other] = [await enter('staff'), await enter('member')]
    const id = (await devices(other))[0]!.id
    await world.as({ token: own }).call(signOutDevice, { id })
    expect(await isIn(other)).toBe(true)
  })

  it('all others leaves this one, and says how many', async () => {
    const [here, a, b] = [await enter('staff'), await enter('staff'), await enter('staff')]
    const other = await enter('member')
    expect(await world.as({ token: here }).call(signOutOthers, {})).toEqual({ count: 2 })
    expect([await isIn(here), await isIn(a), await isIn(b), await isIn(other)]).toEqual([
      true,
      false,
      false,
      true,
    ])
    expect(await world.as({ token: here }).call(signOutOthers, {})).toEqual({ count: 0 })
  })

  it('something that is no id of a device is refused', async () => {
    await expect(
      world.as({ token: await enter('staff') }).call(signOutDevice, { id: "x' or 1" }),
    ).rejects.toMatchObject({
      failure: 'bad_input',
    })
  })
})
