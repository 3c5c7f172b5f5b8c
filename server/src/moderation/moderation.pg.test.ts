import { listAudit } from '@guildhall/wire/audit/audit.ts'
import { createChannel, deleteChannel, moveChannel } from '@guildhall/wire/channel/publicChannel.ts'
import { createGuild } from '@guildhall/wire/guild/ownGuild.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import { deleteMute, listMutes, muteType } from '@guildhall/wire/member/moderation.ts'
import { updateMessage } from '@guildhall/wire/message/action.ts'
import { createMessage, history, sendToChannel } from '@guildhall/wire/message/message.ts'
import { createFilter } from '@guildhall/wire/moderation/filter.ts'
import * as wire from '@guildhall/wire/moderation/moderation.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import { createRole, deleteRole, grantRole, updateRole } from '@guildhall/wire/role/role.ts'
import { viewHeld, withdrawHeld } from '@guildhall/wire/screening/screening.ts'
import { listReviews } from '@guildhall/wire/staff/reviews.ts'
import { addWord } from '@guildhall/wire/staff/words.ts'
import { DAY_MS } from '@guildhall/wire/unit.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { PersonName } from '../demo/world.ts'
import { replaceClock } from '../kit/clock.ts'
import { refusedCall } from '../testing/calls.ts'
import { openWorld, type TestWorld } from '../testing/world.ts'

let world: TestWorld
let guild_id: GuildId
beforeAll(async () => {
  world = await openWorld()
  guild_id = world.guildId
})
afterAll(() => world.close())
afterEach(async () => {
  replaceClock(Date.now)
  for (const { id } of await rules())
    await world.as('owner').call(wire.deleteRule, { guild_id, id: Number(id) })
})

const LINKS = { name: '不许发链接', kind: 'link', acts: [{ type: 'delete' }], switch: true } as const
const make = (more: object = {}) => world.as('owner').call(wire.createRule, { guild_id, ...LINKS, ...more })
const refusedRule = (more: object, name: PersonName = 'owner') =>
  world.as(name).refusal(wire.createRule, { guild_id, ...LINKS, ...more })
const say = (name: PersonName, content: string, more: object = {}) =>
  world.as(name).refusal(sendToChannel, { id: world.main.id, content, ...more })
const said = async () =>
  (await world.as('member').call(history, { id: world.main.id })).map(({ content }) => content)
const rules = async () => (await world.as('owner').call(wire.listRules, { guild_id })).items

describe('rules', () => {
  it('are made, seen, changed and deleted by those alone who manage the guild', async () => {
    const rule = await make()
    const it = { guild_id, id: Number(rule.id) }
    for (const name of ['member', 'outsider'] as const) {
      const as = world.as(name)
      const refused = await Promise.all([
        as.refusal(wire.listRules, { guild_id }),
        refusedRule({}, name),
        as.refusal(wire.updateRule, { ...it, switch: false }),
        as.refusal(wire.deleteRule, it),
        as.refusal(wire.tryRule, { guild_id, kind: 'link' }),
      ])
      const why = name === 'member' ? 'member.no_right' : 'forbidden'
      expect(refused).toEqual(refused.map(() => why))
    }
    expect((await rules()).map(({ name }) => name)).toEqual(['不许发链接'])
  })

  it('need what their kind looks for, and acts that can be done', async () => {
    const wrong = [
      { kind: 'word' },
      { kind: 'flood', seconds: 10 },
      { kind: 'flood', count: 3 },
      { kind: 'flood', count: 3, seconds: wire.FLOOD_SECONDS_MAX + 1 },
      { kind: 'mention' },
      { kind: 'newcomer' },
      { acts: [] },
      { acts: [{ type: 'mute' }] },
      { name: ' ' },
      { kind: 'word', words: ['x'.repeat(wire.RULE_WORD_MAX + 1)] },
      { kind: 'word', words: Array.from({ length: wire.RULE_WORDS_MAX + 1 }, (_, n) => `词${n}`) },
    ]
    expect(await Promise.all(wrong.map((it) => refusedRule(it)))).toEqual(wrong.map(() => 'bad_input'))
    expect(await refusedRule({ kind: 'word', words: ['!!'] })).toBe('moderation.word_wrong')
    expect(await refusedRule({ kind: 'word', patterns: ['*?*'] })).toBe('moderation.word_wrong')
    expect(await refusedRule({ words: ['no host'] })).toBe('moderation.word_wrong')
    expect(await refusedRule({ exempt_roles: [4_000_000] })).toBe('role.unknown')
    const notify = (channel_id?: string) => refusedRule({ acts: [{ type: 'notify', channel_id }] })
    expect([await notify(), await notify('999999'), await notify(world.voice.id)]).toEqual([
      'channel.unknown',
      'channel.unknown',
      'channel.unknown',
    ])
  })

  it('are not more than a guild may have, also when two make the last one at once', async () => {
    for (let n = 1; n < wire.RULES_MAX; n += 1) await make({ name: `第${n}条`, switch: false })
    const both = await Promise.all([refusedRule({}), refusedRule({})])
    expect(both.toSorted()).toEqual(['moderation.full', 'none'])
    expect(await rules()).toHaveLength(wire.RULES_MAX)
  })

  it('say nothing to members that the site refuses', async () => {
    const { id } = await make()
    const word = { word: '加微', action: 'refuse', places: ['guild'], note: '', reason: '测试' }
    await world.as('staff').call(addWord, word)
    const owner = world.as('owner')
    const update = (more: object) => owner.refusal(wire.updateRule, { guild_id, id: Number(id), ...more })
    const filter = {
      guild_id,
      type: 1,
      targets: { enabled: 'blacklist', blacklist: '加微' },
      handlers: [{ type: 1, enable: true, custom_error_msg: '请加微信' }],
      switch: true,
    }
    const refused = [
      await refusedRule({ name: '加微信' }),
      await refusedRule({ message: '请加微信' }),
      await update({ message: '请加微信' }),
      await owner.refusal(createFilter, filter),
    ]
    expect(refused).toEqual(refused.map(() => 'content.refused'))
    expect(await refusedRule({ message: '请加微信' }, 'member')).toBe('member.no_right')
    expect(await owner.refusal(createFilter, { ...filter, handlers: [{ type: 1, enable: true }] })).toBe(
      'none',
    )
  })

  it('have no more words and patterns together than a guild may have', async () => {
    const words = (n: number) => Array.from({ length: wire.RULE_WORDS_MAX }, (_, at) => `词${n}号${at}`)
    const full = wire.GUILD_WORDS_MAX / wire.RULE_WORDS_MAX
    for (let n = 0; n < full; n += 1) await make({ kind: 'word', words: words(n) })
    expect(await refusedRule({ kind: 'word', words: ['多'] })).toBe('moderation.words_full')
    const [first] = await rules()
    const change = { guild_id, id: Number(first!.id), words: ['换'] }
    expect(await world.as('owner').refusal(wire.updateRule, change)).toBe('none')
  })

  it('are written down with what changed', async () => {
    const { id } = await make()
    const it = { guild_id, id: Number(id) }
    await world
      .as('owner')
      .call(wire.updateRule, { ...it, switch: false, words: ['https://www.bilibili.com/a'] })
    expect((await rules())[0]).toMatchObject({ switch: false, words: ['bilibili.com'] })
    await world.as('owner').call(wire.deleteRule, it)
    expect(await world.as('owner').refusal(wire.deleteRule, it)).toBe('moderation.unknown')
    expect(await world.as('owner').refusal(wire.updateRule, it)).toBe('moderation.unknown')
    const { items } = await world.as('owner').call(listAudit, { guild_id, page_size: 3 })
    expect(items.map(({ type, target, before, after }) => [type, target.name, before, after])).toEqual([
      ['rule_deleted', LINKS.name, null, null],
      ['rule_updated', LINKS.name, { is_on: true, words: '' }, { is_on: false, words: 'bilibili.com' }],
      ['rule_created', LINKS.name, null, null],
    ])
  })

  it('name in the log the roles and channels that they leave alone', async () => {
    const { id } = await make()
    const { role_id } = await world.as('owner').call(createRole, { guild_id, name: '主播' })
    const change = { exempt_roles: [role_id], exempt_channels: [world.main.id], message: '不发链接' }
    await world.as('owner').call(wire.updateRule, { guild_id, id: Number(id), ...change })
    const { items } = await world.as('owner').call(listAudit, { guild_id, page_size: 1 })
    expect(items[0]?.before).toEqual({ exempt_roles: '', exempt_channels: '', message: '' })
    expect(items[0]?.after).toEqual({
      exempt_roles: '主播',
      exempt_channels: world.main.name,
      message: '不发链接',
    })
  })

  it('are changed also when a role or channel that they name was deleted', async () => {
    const owner = world.as('owner')
    const { role_id } = await owner.call(createRole, { guild_id, name: '主播' })
    const channel = await owner.call(createChannel, { guild_id, name: '通知', type: 1 })
    const exempt = { exempt_roles: [role_id], exempt_channels: [channel.id] }
    const { id } = await make({ ...exempt, acts: [{ type: 'notify', channel_id: channel.id }] })
    await owner.call(deleteRole, { guild_id, role_id })
    await owner.call(deleteChannel, { channel_id: channel.id })
    const it = { guild_id, id: Number(id) }
    expect(await owner.refusal(wire.updateRule, { ...it, switch: false })).toBe('none')
    expect((await rules())[0]).toMatchObject({ ...exempt, switch: false })
    expect(await refusedRule(exempt)).toBe('role.unknown')
  })

  it('that two change at once keep what each of them changed, and the guild is told', async () => {
    const { id } = await make()
    const heard: string[] = []
    const stop = world.app.appContext.bus.subscribe(({ kind }) => heard.push(kind))
    const change = (more: object) =>
      world.as('owner').call(wire.updateRule, { guild_id, id: Number(id), ...more })
    await Promise.all([
      change({ name: '新名字' }),
      change({ words: ['bilibili.com'] }),
      change({ switch: false }),
    ])
    expect((await rules())[0]).toMatchObject({ name: '新名字', words: ['bilibili.com'], switch: false })
    await expect.poll(() => heard).toEqual(['updated_guild', 'updated_guild', 'updated_guild'])
    stop()
  })

  it('of another guild are not found', async () => {
    const own = await world.as('member').call(createGuild, { name: '别处' })
    const { id } = await make()
    const it = { guild_id: own.id, id: Number(id) }
    expect(await world.as('member').refusal(wire.deleteRule, it)).toBe('moderation.unknown')
  })
})

describe('a message', () => {
  it('that a rule deletes is refused, its author told why, and counted; others pass', async () => {
    await make()
    const refused = await refusedCall(
      world.as('member').call(sendToChannel, { id: world.main.id, content: '看 evil.com' }),
    )
    expect(refused.message).toContain('公会不允许发送链接（规则「不许发链接」）')
    expect(await say('member', '看这个')).toBe('none')
    expect(await said()).not.toContain('看 evil.com')
    expect((await rules())[0]).toMatchObject({ caught: 1 })
  })

  it('is not looked at when its rule is off, its author manages the guild or has a role that is left out', async () => {
    const { id } = await make({ switch: false })
    expect(await say('member', '1 evil.com')).toBe('none')
    await world.as('owner').call(wire.updateRule, { guild_id, id: Number(id), switch: true })
    expect(await say('member', '2 evil.com')).toBe('moderation.link')
    expect(await say('owner', '3 evil.com')).toBe('none')
    const { role_id } = await world.as('owner').call(createRole, { guild_id, name: '主播' })
    await world.as('owner').call(grantRole, { guild_id, role_id, user_id: world.idOf('member') })
    expect(await say('member', '4 evil.com')).toBe('moderation.link')
    await world.as('owner').call(wire.updateRule, { guild_id, id: Number(id), exempt_roles: [role_id] })
    expect(await say('member', '5 evil.com')).toBe('none')
    await world.as('owner').call(wire.updateRule, { guild_id, id: Number(id), exempt_roles: [] })
    await world.as('owner').call(updateRole, { guild_id, role_id, permissions: permission.manage_guild })
    expect(await say('member', '6 evil.com')).toBe('none')
    await world.as('owner').call(updateRole, { guild_id, role_id, permissions: 0 })
  })

  it('is not looked at in a channel, or below a category, that a rule leaves alone', async () => {
    const owner = world.as('owner')
    const of = (parent_id: string) =>
      owner.call(createChannel, { guild_id, name: '专区', type: 1, parent_id })
    const category = await owner.call(createChannel, { guild_id, name: '广告区', is_category: 1 })
    const inside = await of(category.id)
    const sayIn = (id: string) => world.as('member').refusal(sendToChannel, { id, content: '看 evil.com' })
    const { id } = await make()
    const leaveAlone = (...exempt_channels: string[]) =>
      owner.refusal(wire.updateRule, { guild_id, id: Number(id), exempt_channels })
    expect([await leaveAlone('999999'), await leaveAlone(world.voice.id)]).toEqual([
      'channel.unknown',
      'channel.unknown',
    ])
    expect(await sayIn(inside.id)).toBe('moderation.link')
    expect(await leaveAlone(category.id)).toBe('none')
    expect([await sayIn(inside.id), await say('member', 'evil.com')]).toEqual(['none', 'moderation.link'])
    await owner.call(moveChannel, { channel_id: inside.id, parent_id: '' })
    expect(await sayIn(inside.id)).toBe('moderation.link')
    expect(await leaveAlone(inside.id)).toBe('none')
    expect(await sayIn(inside.id)).toBe('none')
    const { caught } = await owner.call(wire.tryRule, { guild_id, kind: 'link' })
    const alone = { guild_id, kind: 'link', exempt_channels: [inside.id] }
    expect((await owner.call(wire.tryRule, alone)).caught).toBe(caught - 2)
  })

  it('is refused with the own words of the rule, which are no template', async () => {
    const message = ' 这里不发链接，{name} '
    await make({ message })
    const call = world.as('member').call(sendToChannel, { id: world.main.id, content: 'evil.com' })
    expect((await refusedCall(call)).body.message).toBe(message.trim())
    expect(await refusedRule({ message: '长'.repeat(wire.RULE_MESSAGE_MAX + 1) })).toBe('bad_input')
  })

  it('that is changed into what a rule catches stays as it was', async () => {
    await make({ acts: [{ type: 'hold' }] })
    const original = { target_id: world.main.id, content: '原来', type: 9 }
    const { msg_id } = await world.as('member').call(createMessage, original)
    const change = (content: string) => world.as('member').refusal(updateMessage, { msg_id, content })
    expect(await change('原来 evil.com')).toBe('moderation.link')
    expect(await said()).toContain('原来')
    expect(await change('后来')).toBe('none')
    expect((await rules())[0]).toMatchObject({ caught: 1 })
  })

  it('that comes too fast, or says the same again, is refused until the time is over', async () => {
    await make({ kind: 'flood', count: 3, repeats: 1, seconds: 60 })
    expect(await say('member', '一样的话')).toBe('none')
    expect(await say('member', '一样 的话')).toBe('moderation.flood')
    expect(await say('member', '又一句')).toBe('none')
    expect(await say('member', '第四句')).toBe('moderation.flood')
    replaceClock(() => Date.now() + 61_000)
    expect(await say('member', '一样的话')).toBe('none')
  })

  it('of a rule that mutes ends in a mute by who made the rule, and the chosen channel is told', async () => {
    await make({
      acts: [
        { type: 'delete' },
        { type: 'mute', duration: 600 },
        { type: 'notify', channel_id: world.backstage.id },
      ],
    })
    expect(await say('member', 'evil.com')).toBe('moderation.link')
    expect(await say('member', '好的')).toBe('message.muted')
    const mutes = await world.as('owner').call(listMutes, { guild_id, return_type: 'detail' })
    expect(mutes.write?.user_ids).toContain(world.idOf('member'))
    const { items } = await world.as('owner').call(listAudit, { guild_id, page_size: 1 })
    expect(items[0]).toMatchObject({ type: 'member_muted', reason: LINKS.name })
    const told = (await world.as('owner').call(history, { id: world.backstage.id })).map((it) => it.content)
    expect(told.at(-1) ?? told[0]).toMatch(/规则「不许发链接」拦下了 .* 发到 #.* 的消息/)
    const mute = { guild_id, user_id: world.idOf('member'), type: muteType.write }
    await world.as('owner').call(deleteMute, mute)
  })

  it('is asked about in no guild without a rule that is on', async () => {
    const judge = vi.spyOn(world.app.appContext.moderation!, 'judge')
    expect(await say('member', '没有规则')).toBe('none')
    const { id } = await make({ switch: false })
    expect(await say('member', '规则没开')).toBe('none')
    expect(judge).not.toHaveBeenCalled()
    await world.as('owner').call(wire.updateRule, { guild_id, id: Number(id), switch: true })
    expect(await say('member', '规则开了')).toBe('none')
    expect(judge).toHaveBeenCalledOnce()
    judge.mockRestore()
  })

  it('that a rule only tells of is sent', async () => {
    await make({ acts: [{ type: 'notify', channel_id: world.backstage.id }] })
    expect(await say('member', '看看 evil.com')).toBe('none')
    expect((await rules())[0]).toMatchObject({ caught: 1 })
  })
})

describe('a message that is held', () => {
  const held = async (name: PersonName = 'owner') =>
    (await world.as(name).call(wire.listGuildHeld, { guild_id })).items
  const decide = (id: string, pass: boolean, name: PersonName = 'owner') =>
    world.as(name).refusal(wire.decideGuildHeld, { guild_id, id: Number(id), pass })
  const hold = async (content: string, nonce: string) => {
    expect(await say('member', content, { nonce })).toBe('content.held')
    return (await held()).at(-1)!
  }
  const stateOf = async (nonce: string) =>
    (await world.as('member').call(viewHeld, { nonces: [nonce] })).items[0]

  it('waits for those who manage messages, and for nobody else', async () => {
    await make({ acts: [{ type: 'hold' }] })
    const { id, content, rule } = await hold('请看 evil.com', 'h1')
    expect([content, rule]).toEqual(['请看 evil.com', LINKS.name])
    expect(await say('member', '请看 evil.com', { nonce: 'h1' })).toBe('content.held')
    expect((await rules())[0]).toMatchObject({ caught: 1 })
    expect(await held('member')).toEqual([])
    expect(await world.as('outsider').refusal(wire.listGuildHeld, { guild_id })).toBe('forbidden')
    expect([await decide(id, true, 'member'), await decide(id, true, 'outsider')]).toEqual([
      'moderation.held_unknown',
      'forbidden',
    ])
    const { items } = await world.as('staff').call(listReviews, { kind: 'message' })
    expect(items).toEqual([])
    await world.as('member').call(withdrawHeld, { nonce: 'h1' })
    expect(await decide(id, true)).toBe('moderation.held_unknown')
  })

  it('is sent once when it passes, whoever decides at once, and the log says by whom', async () => {
    await make({ acts: [{ type: 'hold' }] })
    const { id } = await hold('过 evil.com', 'h2')
    const both = await Promise.all([decide(id, true), decide(id, true)])
    expect(both.toSorted()).toEqual(['moderation.held_decided', 'none'])
    expect((await said()).filter((it) => it === '过 evil.com')).toHaveLength(1)
    expect(await stateOf('h2')).toMatchObject({ state: 'passed' })
    const { items } = await world.as('owner').call(listAudit, { guild_id, page_size: 1 })
    expect(items[0]).toMatchObject({ type: 'held_passed', target: { id: world.idOf('member') } })
  })

  it('is never sent when it is rejected, and its author reads the rule', async () => {
    const { id: ruleId } = await make({ acts: [{ type: 'hold' }] })
    const { id } = await hold('不过 evil.com', 'h3')
    await world.as('owner').call(wire.deleteRule, { guild_id, id: Number(ruleId) })
    expect((await held()).at(-1)).toMatchObject({ id, rule: '' })
    await make({ acts: [{ type: 'hold' }] })
    const next = await hold('再来 evil.com', 'h4')
    expect([await decide(id, false), await decide(next.id, false)]).toEqual(['none', 'none'])
    expect(await said()).not.toContain('不过 evil.com')
    expect(await stateOf('h4')).toMatchObject({ state: 'rejected', reason: LINKS.name })
  })

  it('is announced to its channel without a word of it, when it comes, is taken back and is decided on', async () => {
    await make({ acts: [{ type: 'hold' }] })
    const { bus } = world.app.appContext
    await bus.settled()
    const seen: unknown[] = []
    const end = bus.subscribe((event) => {
      if (event.kind === 'updated_held' && event.to === 'guild') seen.push([event.channelId, event.body])
    })
    const heard = async () => {
      await bus.settled()
      return seen.splice(0)
    }
    const once = [[world.main.id, {}]]
    await hold('一 evil.com', 'e1')
    expect(await heard()).toEqual(once)
    await world.as('member').call(withdrawHeld, { nonce: 'e1' })
    await world.as('member').call(withdrawHeld, { nonce: 'e1' })
    expect(await heard()).toEqual(once)
    const { id } = await hold('二 evil.com', 'e2')
    await decide(id, false)
    await decide(id, false)
    expect(await heard()).toEqual([...once, ...once])
    end()
  })

  it('waits for staff when they would hold it, too; what a rule deletes does not', async () => {
    const rule = { word: '微信', action: 'hold', places: ['message'], note: '', reason: '测试' }
    await world.as('staff').call(addWord, rule)
    const { id } = await make({ acts: [{ type: 'hold' }] })
    expect(await say('member', '微信 evil.com', { nonce: 'h5' })).toBe('content.held')
    expect(await held()).toEqual([])
    expect((await world.as('staff').call(listReviews, { kind: 'message' })).items).toHaveLength(1)
    await world.as('owner').call(wire.updateRule, { guild_id, id: Number(id), acts: [{ type: 'delete' }] })
    expect(await say('member', '微信 evil.cn', { nonce: 'h6' })).toBe('moderation.link')
  })
})

describe('a rule that is tried', () => {
  const tried = (more: object, name: PersonName = 'owner') =>
    world.as(name).call(wire.tryRule, { guild_id, kind: 'link', ...more })

  it('says what it would have caught of what was said last, and changes nothing', async () => {
    await say('member', '试 evil.org')
    await say('owner', '试 evil.net')
    const it = await tried({})
    expect(it.tried).toBeGreaterThan(it.caught)
    expect(it.items[0]).toMatchObject({ content: '试 evil.org', user_id: world.idOf('member') })
    expect(it.items.map(({ content }) => content)).not.toContain('试 evil.net')
    expect(await rules()).toEqual([])
    expect((await tried({ words: ['evil.org'] })).items.map(({ content }) => content)).not.toContain(
      '试 evil.org',
    )
  })

  it('counts floods from what was said, and newcomers from when they joined', async () => {
    for (const n of [1, 2, 3]) await say('member', `连发 ${n}`)
    const flood = await tried({ kind: 'flood', count: 2, seconds: 600 })
    expect(flood.items[0]).toMatchObject({ content: '连发 3' })
    const newcomers = await tried({ kind: 'newcomer', seconds: 1 })
    expect(newcomers.caught).toBe(0)
  })
})

describe('what a rule caught', () => {
  it('is of the last seven days', async () => {
    await make()
    await say('member', 'evil.com')
    replaceClock(() => Date.now() + 6 * DAY_MS)
    await say('member', 'evil.com')
    expect((await rules())[0]).toMatchObject({ caught: 2 })
    replaceClock(() => Date.now() + 7 * DAY_MS)
    expect((await rules())[0]).toMatchObject({ caught: 1 })
  })
})
