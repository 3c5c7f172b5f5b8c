import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { BOT_SYSTEM } from '../kit/clientSystem.ts'
import type { LiveEvent } from '../kit/events/bus.ts'
import { type AppContext, commit } from '../kit/events/events.ts'
import { openLog } from '../kit/log.ts'
import { type FakePresence, openFakePresence } from '../testing/fakePresence.ts'
import { openWorld, type TestWorld } from '../testing/world.ts'
import { registerBot } from '../user/user.ts'
import { createGuild, join } from './member.ts'
import { PresenceEvents, TOLD_MEMBERS_MAX } from './presenceEvents.ts'

let world: TestWorld
let appContext: AppContext
let presence: FakePresence
let events: PresenceEvents
let isFirst = true
const received: LiveEvent[] = []
let bot: UserId
beforeAll(async () => {
  world = await openWorld()
  presence = openFakePresence()
  appContext = { ...world.app.appContext, presence: { ...presence, isFirstNode: () => isFirst } }
  events = new PresenceEvents(appContext, openLog('quiet'))
  appContext.bus.subscribe((event) => {
    if (event.kind.startsWith('guild_member_')) received.push(event)
  })
  bot = await commit(appContext, async (tx, emit) => {
    const { id } = await registerBot(tx, '门铃')
    await join(tx, emit, demo(), id)
    return id
  })
})
afterAll(async () => {
  await events.close()
  await world.close()
})

const demo = () => world.guilds[0]!.id as GuildId
async function toldAfter(act: () => void): Promise<unknown[]> {
  received.length = 0
  act()
  await events.flush()
  await appContext.bus.settled()
  return received.map((it) => [it.to === 'person' && it.userId, it.kind, it.body])
}
const member = () => world.people.member.id

it('nobody is told while no bot is connected', async () => {
  expect(await toldAfter(() => presence.come(member()))).toEqual([])
  presence.go(member())
  await events.flush()
})

it('a bot is told who came and went in the guilds that both share', async () => {
  presence.come(bot, BOT_SYSTEM)
  await events.flush()
  expect(await toldAfter(() => presence.come(member()))).toEqual([
    [bot, 'guild_member_online', { user_id: member(), event_time: expect.any(Number), guilds: [demo()] }],
  ])
  expect(await toldAfter(() => presence.come(world.people.outsider.id))).toEqual([])
  expect(await toldAfter(() => presence.go(member()))).toMatchObject([[bot, 'guild_member_offline', {}]])
})

it('who comes and goes at once is not told, and a second node tells nothing', async () => {
  expect(
    await toldAfter(() => {
      presence.come(member())
      presence.go(member())
    }),
  ).toEqual([])
  isFirst = false
  expect(await toldAfter(() => presence.come(member()))).toEqual([])
  isFirst = true
  presence.go(member())
  await events.flush()
})

it('a large guild tells nobody', async () => {
  const large = await commit(appContext, async (tx, emit) => {
    const id = await createGuild(tx, emit, { name: '大', ownerId: bot })
    await join(tx, emit, id, world.people.staff.id)
    return id
  })
  expect(await toldAfter(() => presence.come(world.people.staff.id))).toHaveLength(1)
  await sql`
    with added as (
      insert into "user" (username, identify_num, mobile_prefix, mobile, mobile_verified, created_at)
      select 'crowd' || n, '0001', '86', (12000000000 + n)::text, true, 0 from generate_series(1, ${TOLD_MEMBERS_MAX}) n
      returning id
    )
    insert into membership (guild_id, user_id, joined_at) select ${large}, id, 0 from added`.execute(
    appContext.db,
  )
  expect(await toldAfter(() => presence.go(world.people.staff.id))).toEqual([])
})
