import { listAudit } from '@guildhall/wire/audit/audit.ts'
import { captcha, checkCaptcha } from '@guildhall/wire/captcha/captcha.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import { joinGuild } from '@guildhall/wire/invite/invite.ts'
import { createBan } from '@guildhall/wire/member/moderation.ts'
import { history } from '@guildhall/wire/message/message.ts'
import * as wire from '@guildhall/wire/moderation/moderation.ts'
import { joinDiscoverable } from '@guildhall/wire/profile/discovery.ts'
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { replaceClock, restoreClock } from '../kit/clock.ts'
import { newNetwork, type Person, refusedCall } from '../testing/calls.ts'
import { openWorld, type TestWorld } from '../testing/world.ts'

let world: TestWorld
let guild_id: GuildId
beforeAll(async () => {
  world = await openWorld()
  guild_id = world.guildId
})
afterAll(() => world.close())
afterEach(restoreClock)
beforeEach(async () => {
  await world.as('owner').call(wire.liftPause, { guild_id })
  for (const { id } of await rules())
    await world.as('owner').call(wire.deleteRule, { guild_id, id: Number(id) })
})

const rules = async () => (await world.as('owner').call(wire.listRules, { guild_id })).items
const RAID = { name: '防突袭', kind: 'raid', count: 2, seconds: 60, switch: true } as const
const close = { type: 'close', duration: 600 }
const make = (acts: object[]) => world.as('owner').call(wire.createRule, { guild_id, ...RAID, acts })
const newcomers = (n: number) => Promise.all(Array.from({ length: n }, () => world.newcomer()))
const join = (person: Person) => person.refusal(joinGuild, { id: world.invite })
const begun = async () =>
  (await world.as('owner').call(listAudit, { guild_id, type: 'raid_began' })).meta.total

it('needs a count, a time and acts that are those of raids, and is not tried on messages', async () => {
  const refused = (more: object) =>
    world.as('owner').refusal(wire.createRule, { guild_id, ...RAID, acts: [close], ...more })
  const wrong = [
    { count: 0 },
    { seconds: wire.FLOOD_SECONDS_MAX + 1 },
    { acts: [{ type: 'delete' }] },
    { acts: [{ type: 'close' }] },
    { acts: [{ type: 'slow', duration: wire.PAUSE_SECONDS_MAX + 1 }] },
    { acts: [{ type: 'captcha' }] },
    { kind: 'link', acts: [close] },
    { kind: 'link', acts: [{ type: 'captcha', duration: 600 }] },
  ]
  expect(await Promise.all(wrong.map(refused))).toEqual(wrong.map(() => 'bad_input'))
  const tried = { guild_id, kind: 'raid', count: 2, seconds: 60 }
  expect(await world.as('owner').refusal(wire.tryRule, tried)).toBe('bad_input')
})

it('pauses joining once more people join than it allows, and tells once', async () => {
  await make([close, { type: 'notify', channel_id: world.backstage.id }])
  const before = await begun()
  const all = await newcomers(8)
  for (const person of all.slice(0, 2)) expect(await join(person)).toBe('none')
  const rest = await Promise.all(all.slice(2).map(join))
  expect(rest).toEqual(rest.map(() => 'moderation.raid'))
  expect(await join(all[0]!)).toBe('none')
  expect(await begun()).toBe(before + 1)
  const [rule] = await rules()
  expect(rule).toMatchObject({ caught: 1 })
  expect(rule!.paused_until).toBeGreaterThan(Date.now() + 500 * SECOND_MS)
  const told = (await world.as('owner').call(history, { id: world.backstage.id })).map((it) => it.content)
  expect(told.filter((it) => it === '规则「防突袭」发现突然有很多人加入，已暂停加入')).toHaveLength(1)
})

it('is lifted by who manages the guild alone, and counts anew; it ends by itself as well', async () => {
  await make([close])
  const all = await newcomers(9)
  const outcome = async (from: number, to: number) => {
    const found: string[] = []
    for (const person of all.slice(from, to)) found.push(await join(person))
    return found
  }
  expect(await outcome(0, 3)).toEqual(['none', 'none', 'moderation.raid'])
  expect(await world.as('member').refusal(wire.liftPause, { guild_id })).toBe('member.no_right')
  expect(await world.as('outsider').refusal(wire.liftPause, { guild_id })).toBe('forbidden')
  await world.as('owner').call(wire.liftPause, { guild_id })
  const { items } = await world.as('owner').call(listAudit, { guild_id, page_size: 1 })
  expect(items[0]).toMatchObject({ type: 'raid_lifted' })
  expect(await outcome(3, 6)).toEqual(['none', 'none', 'moderation.raid'])
  replaceClock(() => Date.now() + 601 * SECOND_MS)
  expect(await outcome(6, 8)).toEqual(['none', 'none'])
})

it('is told once, and keeps nobody out, when that is all that the rule does', async () => {
  await make([{ type: 'notify', channel_id: world.backstage.id }])
  const before = await begun()
  const answers = await Promise.all((await newcomers(8)).map(join))
  expect(answers).toEqual(answers.map(() => 'none'))
  expect(await begun()).toBe(before + 1)
  expect((await rules())[0]).toMatchObject({ paused_until: 0 })
})

it('lets in those who came before it was too many, however many come at once', async () => {
  await make([close])
  const answers = await Promise.all((await newcomers(12)).map(join))
  expect(answers.filter((it) => it === 'none')).toHaveLength(RAID.count)
})

it('lets one person in at a time when it only slows', async () => {
  await make([{ type: 'slow', duration: 600 }])
  const all = await newcomers(6)
  const found: string[] = []
  for (const person of all.slice(0, 5)) found.push(await join(person))
  expect(found).toEqual(['none', 'none', 'none', 'moderation.raid_slow', 'moderation.raid_slow'])
  replaceClock(() => Date.now() + 11 * SECOND_MS)
  expect(await join(all[5]!)).toBe('none')
})

it('does not count one person who tries again and again, such as somebody who is banned', async () => {
  await make([close])
  const [banned, other] = await newcomers(2)
  await world.as('owner').call(createBan, { guild_id, target_id: banned!.id })
  for (let n = 0; n < 5; n += 1) expect(await join(banned!)).toBe('guild.banned')
  expect(await join(other!)).toBe('none')
})

/** Somebody new, on a network that they keep. */
async function raider() {
  const { session } = await world.newcomer()
  return world.as({ token: session.token }, { ip: newNetwork() })
}

/** Solves a captcha on somebody's network; answers its pass. */
async function solved(person: Person): Promise<string> {
  const { id } = await person.call(captcha, { kind: 'slider' })
  const { text } = await world.app.inject({ method: 'GET', url: `/dev/captcha?id=${id}` })
  const { solution } = JSON.parse(text) as { solution: string }
  return (await person.call(checkCaptcha, { id, captcha: solution })).sign
}

/** A raid during which joining takes a captcha. */
async function beginWithCaptcha() {
  await make([{ type: 'captcha', duration: 600 }])
  for (const person of await newcomers(RAID.count)) expect(await join(person)).toBe('none')
}

it('asks everybody for a captcha of their own when it says so, in each way to join', async () => {
  await beginWithCaptcha()
  const [first, second] = [await raider(), await raider()]
  const asked = await refusedCall(first.call(joinGuild, { id: world.invite }))
  expect(asked).toMatchObject({ failure: 'captcha.needed', body: { code: 1002, sign: '400' } })
  expect(await first.refusal(joinGuild, { id: world.invite, sign: 'invented' })).toBe('captcha.needed')
  const sign = await solved(first)
  expect(await second.refusal(joinGuild, { id: world.invite, sign })).toBe('captcha.needed')
  expect(await first.refusal(joinGuild, { id: world.invite, sign })).toBe('none')
  expect(await first.refusal(joinGuild, { id: world.invite })).toBe('none')

  await world.command('guild', 'recommend', '--guild', guild_id)
  expect(await second.refusal(joinDiscoverable, { guild_id })).toBe('captcha.needed')
  expect(await second.refusal(joinDiscoverable, { guild_id, sign: await solved(second) })).toBe('none')
})

it('lets one person in for each captcha', async () => {
  await beginWithCaptcha()
  const ip = newNetwork()
  const all = await Promise.all(
    (await newcomers(2)).map(async (it) => world.as({ token: it.session.token }, { ip })),
  )
  const sign = await solved(all[0]!)
  const answers = await Promise.all(all.map((it) => it.refusal(joinGuild, { id: world.invite, sign })))
  expect(answers.sort()).toEqual(['captcha.needed', 'none'])
})

it('asks for no captcha any more once it is lifted', async () => {
  await beginWithCaptcha()
  const [person] = await newcomers(1)
  expect(await join(person!)).toBe('captcha.needed')
  await world.as('owner').call(wire.liftPause, { guild_id })
  expect(await join(person!)).toBe('none')
})
