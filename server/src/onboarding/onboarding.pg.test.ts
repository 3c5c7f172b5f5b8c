/** Rules that newcomers accept before they write: who has to, what they may not do until then, its end. */
import { listAudit } from '@guildhall/wire/audit/audit.ts'
import { viewGuild } from '@guildhall/wire/channel/channel.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import { kickOut } from '@guildhall/wire/member/moderation.ts'
import { addReaction, updateMessage } from '@guildhall/wire/message/action.ts'
import { clickButton } from '@guildhall/wire/message/card.ts'
import { createMessage, history, sendToChannel } from '@guildhall/wire/message/message.ts'
import { acceptRules, updateOnboarding, viewOnboarding } from '@guildhall/wire/onboarding/onboarding.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import { updateRole } from '@guildhall/wire/role/role.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { commit } from '../kit/events/events.ts'
import { join, leave } from '../member/member.ts'
import { openWorld, type TestWorld } from '../testing/world.ts'

let world: TestWorld
let guild_id: GuildId
beforeAll(async () => {
  world = await openWorld()
  guild_id = world.guildId
})
afterAll(() => world.close())

const RULES = [{ title: '友善', words: '不骂人' }, { title: '不发广告' }]
const owner = () => world.as('owner')
const change = (input: object) => owner().call(updateOnboarding, { guild_id, ...input })
const stranger = async () => {
  const { id } = world.people.outsider
  // Not by an invite, which somebody may not use this often.
  await commit(world.app.appContext, async (tx, emit) => {
    await leave(tx, emit, guild_id, id)
    await join(tx, emit, guild_id, id)
  })
  return world.as('outsider')
}
const say = (content = '大家好') => ({ id: world.main.id, content })
const marked = () => ({ target_id: world.main.id, content: '大家好', type: 9 })
const owes = async (name: 'member' | 'outsider' | 'owner') =>
  (await world.as(name).call(viewGuild, { id: guild_id })).user_config.owes_rules

describe('the rules of a guild are not', () => {
  it('read by strangers, or changed by members without the right to manage it', async () => {
    expect(await world.as(null).refusal(viewOnboarding, { guild_id })).toBe('not_logged_in')
    expect(await world.as('outsider').refusal(viewOnboarding, { guild_id })).toBe('forbidden')
    expect(await world.as('outsider').refusal(acceptRules, { guild_id })).toBe('forbidden')
    const input = { guild_id, rules: RULES }
    expect(await world.as('outsider').refusal(updateOnboarding, input)).toBe('forbidden')
    expect(await world.as('member').refusal(updateOnboarding, input)).toBe('member.no_right')
  })

  it('switched on without any, without a title, or too many and too long', async () => {
    const refused = (input: object) => owner().refusal(updateOnboarding, { guild_id, ...input })
    expect(await refused({ rules_on: true })).toBe('onboarding.no_rules')
    expect(await refused({ rules: [{ title: ' ' }] })).toBe('bad_input')
    expect(await refused({ rules: [{ title: '规'.repeat(61) }] })).toBe('bad_input')
    expect(await refused({ rules: [{ title: '规', words: '则'.repeat(501) }] })).toBe('bad_input')
    expect(await refused({ rules: Array.from({ length: 17 }, () => ({ title: '规' })) })).toBe('bad_input')
    await change({ rules: RULES, rules_on: true })
    expect(await refused({ rules: [] })).toBe('onboarding.no_rules')
    await change({ rules_on: false })
    expect(await change({ rules: [] })).toMatchObject({ rules_on: false, rules: [] })
  })
})

describe('while the rules are on', () => {
  beforeEach(async () => {
    await change({ rules_on: false })
    await change({ rules: RULES, rules_on: true })
  })

  it('who joined can read, and neither send, edit, react nor press the button of a card', async () => {
    const newcomer = await stranger()
    const { msgId: msg_id } = await owner().call(sendToChannel, say())
    expect((await newcomer.call(history, { id: world.main.id })).at(-1)).toMatchObject({ id: msg_id })
    expect(await newcomer.call(viewOnboarding, { guild_id })).toMatchObject({
      rules_on: true,
      rules: [RULES[0], { title: '不发广告', words: '' }],
    })
    expect(await owes('outsider')).toBe(true)
    expect(await newcomer.refusal(sendToChannel, say())).toBe('onboarding.rules_needed')
    expect(await newcomer.refusal(addReaction, { msg_id, emoji: '👍' })).toBe('onboarding.rules_needed')
    expect(await newcomer.refusal(clickButton, { msg_id, value: 'x' })).toBe('onboarding.rules_needed')
  })

  it('who accepts may, and need not again when the rules change', async () => {
    const newcomer = await stranger()
    await newcomer.call(acceptRules, { guild_id })
    await newcomer.call(acceptRules, { guild_id })
    expect(await owes('outsider')).toBe(undefined)
    const { msg_id } = await newcomer.call(createMessage, marked())
    expect(await newcomer.refusal(addReaction, { msg_id, emoji: '👍' })).toBe('none')
    await change({ rules: [{ title: '另一条' }] })
    expect(await newcomer.refusal(updateMessage, { msg_id, content: '改了' })).toBe('none')
  })

  it('who was a member before, the owner and who manages them write as before', async () => {
    for (const name of ['owner', 'member', 'admin'] as const)
      expect(await world.as(name).refusal(sendToChannel, say())).toBe('none')
    expect([await owes('owner'), await owes('member')]).toEqual([undefined, undefined])
  })

  it('a message that was sent before one left and came back is not edited', async () => {
    await change({ rules_on: false })
    const { msg_id } = await (await stranger()).call(createMessage, marked())
    await change({ rules_on: true })
    const newcomer = await stranger()
    expect(await newcomer.refusal(updateMessage, { msg_id, content: '改了' })).toBe('onboarding.rules_needed')
  })

  it('who leaves and comes back accepts again', async () => {
    await (await stranger()).call(acceptRules, { guild_id })
    expect(await (await stranger()).refusal(sendToChannel, say())).toBe('onboarding.rules_needed')
  })

  it('nobody is locked out once they are switched off, also when they are switched on again', async () => {
    const newcomer = await stranger()
    await change({ rules_on: false })
    expect(await newcomer.refusal(sendToChannel, say())).toBe('none')
    await change({ rules_on: true })
    expect(await newcomer.refusal(sendToChannel, say())).toBe('none')
  })

  it('a member who was sent away while they accept is no member, and nothing else happened', async () => {
    const newcomer = await stranger()
    const kick = { guild_id, target_id: world.people.outsider.id }
    await Promise.all([owner().call(kickOut, kick), newcomer.refusal(acceptRules, { guild_id })])
    expect(await newcomer.refusal(sendToChannel, say())).toBe('forbidden')
  })
})

it('two who change the rules at once both see what stands, and the log has both', async () => {
  await change({ rules_on: false })
  await change({ rules: RULES })
  const role = (await owner().call(viewGuild, { id: guild_id })).roles[0]!
  await owner().call(updateRole, { guild_id, role_id: role.role_id, permissions: permission.manage_guild })
  await Promise.all([
    change({ rules_on: true }),
    world.as('admin').call(updateOnboarding, { guild_id, rules: [{ title: '一条' }] }),
  ])
  expect(await owner().call(viewOnboarding, { guild_id })).toMatchObject({
    rules_on: true,
    rules: [{ title: '一条', words: '' }],
  })
  const { items } = await owner().call(listAudit, { guild_id, type: 'onboarding_updated', page_size: 2 })
  expect(items.flatMap(({ after }) => Object.keys(after ?? {})).toSorted()).toEqual(['rules', 'rules_on'])
  // What changes nothing is not written down.
  await change({ rules_on: true })
  expect((await owner().call(listAudit, { guild_id, page_size: 1 })).items[0]).toMatchObject({
    id: items[0]!.id,
  })
})
