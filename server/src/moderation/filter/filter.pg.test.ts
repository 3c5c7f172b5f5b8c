/** Word filters and restrictions, by the bytes that a typed client of the public protocol sends and reads. */
import { listAudit } from '@guildhall/wire/audit/audit.ts'
import { createBot } from '@guildhall/wire/bot/bot.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import { sendToChannel } from '@guildhall/wire/message/message.ts'
import * as filters from '@guildhall/wire/moderation/filter.ts'
import * as wire from '@guildhall/wire/moderation/moderation.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import { createRole, updateRole } from '@guildhall/wire/role/role.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { PersonName } from '../../demo/world.ts'
import { refusedCall } from '../../testing/calls.ts'
import { openWorld, type TestWorld } from '../../testing/world.ts'

let world: TestWorld
let guild_id: GuildId
let token: string
beforeAll(async () => {
  world = await openWorld()
  guild_id = world.guildId
  const owner = world.as('owner')
  const made = await owner.call(createBot, { guild_id, name: '管家' })
  token = made.token
  const manages = { guild_id, role_id: made.bot.roles[0], permissions: permission.manage_guild }
  await owner.call(updateRole, manages)
})
afterAll(() => world.close())
afterEach(async () => {
  for (const { id } of await rules())
    await world.as('owner').call(wire.deleteRule, { guild_id, id: Number(id) })
})

const rules = async () => (await world.as('owner').call(wire.listRules, { guild_id })).items
const say = (content: string, name: PersonName = 'member') =>
  world.as(name).refusal(sendToChannel, { id: world.main.id, content })

/** Sends as the client does: ids of guilds, and of rules, as text. */
async function bytes(path: string, body?: object): Promise<unknown> {
  const reply = await world.app.inject({
    method: body ? 'POST' : 'GET',
    url: `/api/v3/guild-security${path}`,
    headers: { authorization: `Bot ${token}`, 'content-type': 'application/json; charset=utf-8' },
    ...(body && { payload: JSON.stringify({ guild_id, ...body }) }),
  })
  const { code, message, data } = JSON.parse(reply.text)
  if (code !== 0) throw new Error(message)
  return data
}

type Json = Readonly<Record<string, unknown>>
const ofType = <T>(value: unknown, type: string): T => {
  if (typeof value !== type) throw new Error(`${JSON.stringify(value)} is no ${type}`)
  return value as T
}
const items = (data: unknown) => (data as { items: Json[] }).items
const times = (it: Json) => [it.created_at, it.updated_at].map((at) => new Date(ofType<number>(at, 'number')))

/** Reads what the client requires, in its types: else it throws. */
const restriction = (it: Json) => ({
  id: ofType<string>(it.id, 'string'),
  name: ofType<string>(it.name, 'string'),
  action: ofType<number>(it.action, 'number'),
  conditions: (it.conditions as Json[]).map((each) => [ofType<string>(each.type, 'string'), each.duration]),
  limit_time: ofType<number>(it.limit_time, 'number'),
  switch: ofType<boolean>(it.switch, 'boolean'),
  times: times(it).length,
})
const filter = (it: Json) => {
  const targets = it.targets as Json
  const enabled = ofType<string>(targets.enabled, 'string')
  const list = targets[enabled]
  return {
    id: ofType<string>(it.id, 'string'),
    name: ofType<string>(it.name, 'string'),
    type: ofType<number>(it.type, 'number'),
    targets: [enabled, typeof list === 'string' ? list.split('|').filter(Boolean) : (list as unknown[])],
    handlers: (it.handlers as Json[]).map((each) => [
      ofType<number>(each.type, 'number'),
      ofType<boolean>(each.enable, 'boolean'),
      // The client reads the id of a channel from text alone.
      each.custom_error_msg ?? (each.alert_channel_id && ofType<string>(each.alert_channel_id, 'string')),
    ]),
    exemptions: (it.exemption_list as Json[]).map((each) => `${each.type} ${each.id}`),
    switch: ofType<boolean>(it.switch, 'boolean'),
    times: times(it).length,
  }
}
const listed = async () =>
  items(await bytes(`/word-filter-list?guild_id=${guild_id}&page_size=100&page=1`)).map(filter)

const WORDS = {
  type: 1,
  targets: { enabled: 'blacklist', blacklist: '代练|加*微信' },
  handlers: [{ type: 1, enable: true, custom_error_msg: '这里不谈代练' }],
  exemption_list: [],
  switch: true,
}
const refused = (more: object, who: PersonName = 'owner') =>
  world.as(who).refusal(filters.createFilter, { guild_id, ...WORDS, ...more })

describe('a word filter', () => {
  it('is made, seen, changed and deleted by those alone who manage the guild', async () => {
    const made = await world.as('owner').call(filters.createFilter, { guild_id, ...WORDS })
    for (const name of ['member', 'outsider'] as const) {
      const as = world.as(name)
      const answers = await Promise.all([
        as.refusal(filters.listFilters, { guild_id }),
        refused({}, name),
        as.refusal(filters.updateFilter, { guild_id, id: made.id, switch: false }),
        as.refusal(filters.deleteFilter, { guild_id, id: made.id }),
      ])
      expect(answers).toEqual(answers.map(() => (name === 'member' ? 'member.no_right' : 'forbidden')))
    }
  })

  it('is refused where no rule means it', async () => {
    const wrong = [
      { type: 3 },
      { targets: { enabled: 'whitelist', whitelist: '你好' } },
      { targets: { enabled: 'blacklist', blacklist: '' } },
      { targets: { enabled: 'blacklist', blacklist: ['1'] } },
      { targets: { enabled: 'blacklist', blacklist: 'x'.repeat(wire.RULE_WORD_MAX + 1) } },
      { type: 2, targets: { enabled: 'blacklist', blacklist: [] } },
      { handlers: [] },
      { handlers: [{ type: 1, enable: false }] },
      { handlers: [{ type: 2, enable: true }] },
      { handlers: [{ type: 1, enable: true, custom_error_msg: '长'.repeat(wire.RULE_MESSAGE_MAX + 1) }] },
    ]
    expect(await Promise.all(wrong.map((it) => refused(it)))).toEqual(wrong.map(() => 'bad_input'))
    const elsewhere = [{ type: 2, enable: true, alert_channel_id: '999999' }]
    expect(await refused({ handlers: elsewhere })).toBe('channel.unknown')
    expect(await refused({ exemption_list: [{ type: '1', id: '999999' }] })).toBe('channel.unknown')
    expect(await refused({ exemption_list: [{ type: '3', id: '999999' }] })).toBe('role.unknown')
    expect(await refused({ targets: { enabled: 'blacklist', blacklist: '!!' } })).toBe(
      'moderation.word_wrong',
    )
  })

  it('of a bot stops messages with its words, and is read back as it was made', async () => {
    const { role_id } = await world.as('owner').call(createRole, { guild_id, name: '主播' })
    const exemption_list = [
      { type: '1', id: Number(world.rules.id) },
      { type: '3', id: role_id },
    ]
    const log = { type: 2, enable: true, alert_channel_id: world.backstage.id }
    const made = filter(
      (await bytes('/word-filter-create', {
        ...WORDS,
        handlers: [...WORDS.handlers, log],
        exemption_list,
      })) as Json,
    )
    expect(made).toMatchObject({
      name: '关键词',
      type: 1,
      targets: ['blacklist', ['代练', '加*微信']],
      handlers: [
        [1, true, '这里不谈代练'],
        [2, true, world.backstage.id],
      ],
      exemptions: [`1 ${world.rules.id}`, `3 ${role_id}`],
      switch: true,
    })
    expect(await listed()).toEqual([made])
    const call = world.as('member').call(sendToChannel, { id: world.main.id, content: '代练' })
    expect((await refusedCall(call)).body.message).toBe('这里不谈代练')
    expect(await say('加我微信')).toBe('moderation.word')
    await bytes('/word-filter-update', { id: made.id, switch: false })
    expect(await say('代练')).toBe('none')
    expect((await listed())[0]).toEqual({ ...made, switch: false })
    await bytes('/word-filter-delete', { id: made.id })
    expect(await listed()).toEqual([])
  })

  it('shows a rule of the guild, whose other acts and words stay when it is changed', async () => {
    const acts = [{ type: 'hold' }, { type: 'mute', duration: 600 }]
    const rule = {
      name: '广告',
      kind: 'word',
      words: ['代练', 'a|b'],
      patterns: ['加*号'],
      acts,
      switch: true,
    }
    const { id } = await world.as('owner').call(wire.createRule, { guild_id, ...rule })
    await world.as('owner').call(wire.createRule, { guild_id, ...rule, kind: 'link', words: [] })
    expect((await listed()).map((it) => [it.name, it.targets[1], it.handlers.map(([, on]) => on)])).toEqual([
      ['广告', ['代练', '加*号'], [false, false]],
    ])
    await bytes('/word-filter-update', {
      id,
      targets: { enabled: 'blacklist', blacklist: '代练|加*号|陪玩' },
      handlers: [{ type: 2, enable: true, alert_channel_id: world.backstage.id }],
    })
    expect((await rules())[0]).toMatchObject({
      name: '广告',
      words: ['代练', '陪玩', 'a|b'],
      patterns: ['加*号'],
      acts: [...acts, { type: 'notify', channel_id: world.backstage.id }],
    })
  })

  it('is no rule of another kind', async () => {
    const acts = [{ type: 'delete' }]
    const rule = { name: '链接', kind: 'link', acts, switch: true }
    const { id } = await world.as('owner').call(wire.createRule, { guild_id, ...rule })
    const owner = world.as('owner')
    expect(await owner.refusal(filters.updateFilter, { guild_id, id, switch: false })).toBe(
      'moderation.unknown',
    )
    expect(await owner.refusal(filters.deleteFilter, { guild_id, id })).toBe('moderation.unknown')
    expect(await rules()).toHaveLength(1)
  })

  it('is on its page of the list', async () => {
    for (const name of ['一', '二', '三'])
      await world.as('owner').call(filters.createFilter, { guild_id, ...WORDS, name })
    const page = (n: number) =>
      world.as('owner').call(filters.listFilters, { guild_id, page: n, page_size: 2 })
    expect((await page(1)).items.map(({ name }) => name)).toEqual(['一', '二'])
    const { items: last, meta } = await page(2)
    expect(last.map(({ name }) => name)).toEqual(['三'])
    expect(meta).toEqual({ page: 2, page_total: 2, page_size: 2, total: 3 })
  })
})

describe('a filter of invites', () => {
  it('allows those to some guilds, or refuses those alone', async () => {
    const other = world.invites.find((it) => it.guild_id !== guild_id)!
    const link = `${world.app.appContext.publicUrl}/${other.code}`
    const made = await bytes('/word-filter-create', {
      ...WORDS,
      type: 2,
      targets: { enabled: 'whitelist', whitelist: [] },
    })
    const { id } = filter(made as Json)
    expect(await say(link)).toBe('moderation.invite')
    const targets = (enabled: string, ...guilds: unknown[]) =>
      bytes('/word-filter-update', { id, targets: { enabled, [enabled]: guilds } })
    await targets('whitelist', other.guild_id)
    expect([await say(link), await say('discord.gg/abc')]).toEqual(['none', 'moderation.invite'])
    await targets('blacklist', { id: other.guild_id, name: '别处', icon: 'x' })
    expect([await say(link), await say('discord.gg/abc')]).toEqual(['moderation.invite', 'none'])
    expect((await listed())[0]).toMatchObject({ type: 2, targets: ['blacklist', [other.guild_id]] })
  })

  it('is made of an invite to a guild as well', async () => {
    const other = world.invites.find((it) => it.guild_id !== guild_id)!
    const rule = { guild_id, name: '邀请', kind: 'invite', acts: [{ type: 'delete' }], switch: true }
    const make = (guilds: string[]) => world.as('owner').call(wire.createRule, { ...rule, guilds })
    expect((await make([` ${world.app.appContext.publicUrl}/${other.code}`])).guilds).toEqual([
      other.guild_id,
    ])
    const wrong = { ...rule, guilds: ['不是邀请'] }
    expect(await world.as('owner').refusal(wire.createRule, wrong)).toBe('moderation.guild_wrong')
  })
})

describe('a restriction', () => {
  const list = async () => items(await bytes(`?guild_id=${guild_id}&page_size=100&page=1`)).map(restriction)
  const NEW = {
    name: '新号',
    action: 3,
    conditions: [{ type: 'reg', duration: 60 }],
    limit_time: 30,
    switch: true,
  }

  it('of a bot is read back as it was made, and changed', async () => {
    const made = restriction((await bytes('/create', NEW)) as Json)
    expect(made).toMatchObject({ ...NEW, conditions: [['reg', 60]] })
    expect(await list()).toEqual([made])
    const conditions = [{ type: 'overseas' }, { type: 'banned' }, { type: 'real_auth', duration: null }]
    await bytes('/update', { id: made.id, conditions: conditions.slice(0, 2), limit_time: 0, switch: false })
    const after = {
      conditions: [
        ['overseas', undefined],
        ['banned', undefined],
      ],
      limit_time: 0,
      switch: false,
    }
    expect(await list()).toEqual([{ ...made, ...after }])
    const { items: log } = await world.as('owner').call(listAudit, { guild_id, page_size: 1 })
    expect(log[0]).toMatchObject({
      type: 'rule_updated',
      actor: { kind: 'bot' },
      before: { conditions: 'reg 60', limit_time: 30, is_on: true },
      after: { conditions: 'overseas、banned', limit_time: 0, is_on: false },
    })
    await bytes('/update', { id: made.id, conditions })
    expect((await list())[0]?.conditions).toHaveLength(3)
    await bytes('/delete', { id: made.id })
    expect(await list()).toEqual([])
  })

  it('has a kind, conditions that are known, and something to stop', async () => {
    const wrong = [
      { conditions: undefined },
      { conditions: [] },
      { conditions: [{ type: 'poor' }] },
      { conditions: [{ type: 'reg' }] },
      { action: 2 },
      { action: 4 },
      { limit_time: -1 },
    ]
    const refusals = wrong.map((it) =>
      world.as('owner').refusal(wire.createRule, { guild_id, ...NEW, ...it }),
    )
    expect(await Promise.all(refusals)).toEqual(wrong.map(() => 'bad_input'))
  })

  it('shows rules of other kinds, which take no conditions', async () => {
    const rule = { name: '链接', kind: 'link', acts: [{ type: 'delete' }], switch: true }
    const { id } = await world.as('owner').call(wire.createRule, { guild_id, ...rule })
    expect(await list()).toMatchObject([{ name: '链接', action: 1, conditions: [], limit_time: 0 }])
    const change = { guild_id, id, conditions: NEW.conditions }
    expect(await world.as('owner').refusal(wire.updateRule, change)).toBe('bad_input')
    await bytes('/update', { id, switch: false })
    expect(await list()).toMatchObject([{ name: '链接', switch: false }])
  })
})
