/** Whom restrictions stop, by what is known of their accounts. Decision 122. */
import type { GuildId } from '@guildhall/wire/id.ts'
import { joinGuild } from '@guildhall/wire/invite/invite.ts'
import { createMute, deleteMute, muteType } from '@guildhall/wire/member/moderation.ts'
import { sendToChannel } from '@guildhall/wire/message/message.ts'
import * as wire from '@guildhall/wire/moderation/moderation.ts'
import { restoreUser, suspendUser } from '@guildhall/wire/staff/staff.ts'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { replaceClock, restoreClock } from '../../kit/clock.ts'
import type { Newcomer } from '../../testing/calls.ts'
import { openWorld, type TestWorld } from '../../testing/world.ts'
import { createRule } from '../rules.ts'
import { standingsIn } from './standing.ts'

let world: TestWorld
let guild_id: GuildId
let who: Newcomer
beforeAll(async () => {
  world = await openWorld()
  guild_id = world.guildId
})
// What is known of somebody is kept for a time, and the clocks of these tests go back.
beforeEach(async () => {
  who = await world.newcomer()
  await who.call(joinGuild, { id: world.invite })
})
afterAll(() => world.close())
afterEach(async () => {
  restoreClock()
  const { items } = await world.as('owner').call(wire.listRules, { guild_id })
  for (const { id } of items) await world.as('owner').call(wire.deleteRule, { guild_id, id: Number(id) })
})

const restrict = (type: wire.Condition['type'], more: object = {}) =>
  world.as('owner').call(wire.createRule, {
    guild_id,
    name: '限制',
    conditions: [{ type, ...(type === 'reg' && { duration: 60 }) }],
    limit_time: 0,
    action: 1,
    switch: true,
    ...more,
  })
const say = (content = '大家好') => who.refusal(sendToChannel, { id: world.main.id, content })
/** What is known of somebody is believed for ten seconds. */
const later = (ms = 11 * SECOND_MS) => {
  const at = Date.now() + ms
  replaceClock(() => at)
}

it('who is new may not write until the account is old enough, or they were there for the time', async () => {
  const { id } = await restrict('reg')
  expect(await say()).toBe('moderation.restriction')
  later(61 * MINUTE_MS)
  expect(await say()).toBe('none')
  restoreClock()
  await world.as('owner').call(wire.updateRule, { guild_id, id: Number(id), limit_time: 10 })
  expect(await say()).toBe('moderation.restriction')
  later(11 * MINUTE_MS)
  expect(await say()).toBe('none')
})

it('who has a number of elsewhere may not write, and who has none may', async () => {
  await restrict('overseas')
  expect(await say()).toBe('none')
  await sql`update "user" set mobile_prefix = '852' where id = ${who.id}`.execute(world.database.db)
  later()
  expect(await say()).toBe('moderation.restriction')
  await sql`update "user" set mobile = '' where id = ${who.id}`.execute(world.database.db)
  later(22 * SECOND_MS)
  expect(await say()).toBe('none')
})

it('who did not verify the real name may not write', async () => {
  const rule = await restrict('real_auth', { acts: [{ type: 'delete' }], message: '请先实名' })
  expect(rule.message).toBe('请先实名')
  expect(await say()).toBe('moderation.restriction')
  await sql`insert into real_name (user_id, sealed, number_hash, verified_at)
    values (${who.id}, '', '\\x00', 0)`.execute(world.database.db)
  later()
  expect(await say()).toBe('none')
})

it('where names cannot be verified, no rule asks for it, and nobody lacks it', async () => {
  const { verifiesNames: _, ...appContext } = world.app.appContext
  const asked = createRule(appContext, world.idOf('owner'), {
    guild_id,
    name: '实名',
    conditions: [{ type: 'real_auth' }],
    switch: true,
  })
  await expect(asked).rejects.toMatchObject({ failure: 'realname.off' })
  expect((await standingsIn(appContext, guild_id, [who.id])).get(who.id)).toMatchObject({
    lacks_real_name: false,
  })
})

it('who was muted here in the last thirty days may not write', async () => {
  await restrict('banned')
  expect(await say()).toBe('none')
  const mute = { guild_id, user_id: who.id, type: muteType.write }
  await world.as('owner').call(createMute, mute)
  await world.as('owner').call(deleteMute, mute)
  later()
  expect(await say()).toBe('moderation.restriction')
  later(wire.PUNISHED_DAYS * DAY_MS + MINUTE_MS)
  expect(await say()).toBe('none')
})

it('who was suspended by staff is punished in each guild for thirty days', async () => {
  const isPunished = async () =>
    (await standingsIn(world.app.appContext, guild_id, [who.id])).get(who.id)?.is_punished
  expect(await isPunished()).toBe(false)
  const staff = world.as('staff')
  await staff.call(suspendUser, { user_id: who.id, until: 0, reason: '广告' })
  await staff.call(restoreUser, { user_id: who.id, reason: '申诉' })
  expect(await isPunished()).toBe(true)
  later(wire.PUNISHED_DAYS * DAY_MS + MINUTE_MS)
  expect(await isPunished()).toBe(false)
})

it('asks the database about nobody where no rule asks for it, and once in ten seconds where one does', async () => {
  const executed = vi.spyOn(world.app.appContext.db.getExecutor(), 'executeQuery')
  // The app asks other things by itself meanwhile.
  const asked = () => executed.mock.calls.filter(([{ sql: text }]) => text.includes('as is_punished')).length
  expect(await say()).toBe('none')
  expect(asked()).toBe(0)
  await restrict('overseas')
  expect(await say()).toBe('none')
  expect(await say()).toBe('none')
  expect(asked()).toBe(1)
  later()
  expect(await say()).toBe('none')
  expect(asked()).toBe(2)
  executed.mockRestore()
})

it('a restriction is tried on what was said, by who said it, and names nobody', async () => {
  const tried = (conditions: object[], more: object = {}) =>
    world.as('owner').call(wire.tryRule, { guild_id, kind: 'restriction', conditions, ...more })
  await say()
  const { caught, items } = await tried([{ type: 'reg', duration: 60 }])
  expect(caught).toBeGreaterThan(0)
  expect(items).toEqual([])
  expect((await tried([{ type: 'reg', duration: 60 }, { type: 'overseas' }])).caught).toBe(0)
  const alone = { exempt_channels: [world.main.id] }
  expect((await tried([{ type: 'reg', duration: 60 }], alone)).caught).toBe(0)
})
