/** What a guild's log says of each act, who may read it, and how it is filtered. Decision 114. */
import { type AuditEntry, type AuditType, listAudit } from '@guildhall/wire/audit/audit.ts'
import { useBoosts } from '@guildhall/wire/boost/boost.ts'
import {
  createOverwrite,
  deleteOverwrite,
  syncOverwrites,
  updateOverwrite,
} from '@guildhall/wire/channel/overwrite.ts'
import { createChannel, deleteChannel, updateChannel } from '@guildhall/wire/channel/publicChannel.ts'
import { createGuildEmoji, deleteGuildEmoji, updateGuildEmoji } from '@guildhall/wire/emoji/manage.ts'
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import { createInvite, deleteInvite } from '@guildhall/wire/invite/manage.ts'
import {
  createBan,
  createMute,
  deleteBan,
  deleteMute,
  kickOut,
  setNickname,
} from '@guildhall/wire/member/moderation.ts'
import { deleteMessage, pinMessage, unpinMessage } from '@guildhall/wire/message/action.ts'
import { updateGuild } from '@guildhall/wire/profile/profile.ts'
import { updateGuildSettings } from '@guildhall/wire/profile/settings.ts'
import {
  createRole,
  deleteRole,
  grantRole,
  moveRole,
  revokeRole,
  updateRole,
} from '@guildhall/wire/role/role.ts'
import { DAY_MS } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { givePacks } from '../boost/boost.ts'
import type { PersonName } from '../demo/world.ts'
import { replaceClock } from '../kit/clock.ts'
import { commit } from '../kit/events/events.ts'
import { fileNamed } from '../testing/calls.ts'
import { pngOf } from '../testing/picture.ts'
import { openWorld, type TestWorld } from '../testing/world.ts'
import { trimAudit } from './audit.ts'

let world: TestWorld
let guild_id: GuildId
const idOf = (name: PersonName): UserId => world.people[name].id
const log = (input: object = {}) => world.as('owner').call(listAudit, { guild_id, ...input })
const newest = async () => (await log({ page_size: 1 })).items[0]!
/** What the log says first: who, what, on what, from which to which. */
const said = ({ actor, type, target, before, after, reason }: AuditEntry) => ({
  by: `${actor.kind} ${actor.username}`.trim(),
  type,
  on: `${target.kind} ${target.name}`.trim(),
  before,
  after,
  ...(reason && { reason }),
})
const emptied = () => sql`delete from guild_audit`.execute(world.database.db)

beforeAll(async () => {
  world = await openWorld({}, undefined, { scheduledWork: false })
  guild_id = world.guildId
})
afterAll(() => world.close())
afterEach(() => replaceClock(Date.now))

describe('the log is not read', () => {
  it('by guests, outsiders, and members without the right to see it', async () => {
    const as = (who: PersonName | null) => world.as(who).refusal(listAudit, { guild_id })
    expect([await as(null), await as('outsider'), await as('member')]).toEqual([
      'not_logged_in',
      'forbidden',
      'member.no_right',
    ])
  })

  it('by a type that there is none of, or a page before the first', async () => {
    const refused = (input: object) => world.as('owner').refusal(listAudit, { guild_id, ...input })
    expect([await refused({ type: 'x' }), await refused({ page: 0 })]).toEqual(['bad_input', 'bad_input'])
  })

  it('with what was done in another guild', async () => {
    await emptied()
    await world.as('owner').call(createRole, { guild_id: world.guilds[1]!.id, name: '别处' })
    expect((await log()).items).toEqual([])
  })
})

it('what is refused, and what changes nothing, is not in it', async () => {
  await emptied()
  const { role_id } = await world.as('owner').call(createRole, { guild_id, name: '空' })
  await emptied()
  expect(await world.as('member').refusal(deleteRole, { guild_id, role_id })).toBe('forbidden')
  await world.as('owner').call(updateRole, { guild_id, role_id, name: '空' })
  await world.as('owner').call(revokeRole, { guild_id, role_id, user_id: idOf('member') })
  await world.as('owner').call(deleteMute, { guild_id, user_id: idOf('member'), type: 1 })
  await world.as('owner').call(deleteBan, { guild_id, target_id: idOf('member') })
  await world.as('owner').call(updateChannel, { channel_id: world.main.id, name: world.main.name })
  await world.as('owner').call(setNickname, { guild_id, nickname: '我自己' })
  const { id } = await world.as('member').say(world.main.id, '一')
  await world.as('member').call(deleteMessage, { msg_id: id })
  expect((await log()).items).toEqual([])
})

it('roles: created, changed from which to which, moved, granted, revoked, deleted', async () => {
  await emptied()
  const as = world.as('admin')
  const { role_id } = await as.call(createRole, { guild_id, name: '巡逻' })
  const on = 'role 巡逻'
  const by = `member ${world.people.admin.username}`
  expect(said(await newest())).toEqual({ by, type: 'role_created', on, before: null, after: null })
  await as.call(updateRole, { guild_id, role_id, permissions: 64, color: 7 })
  expect(said(await newest())).toEqual({
    by,
    type: 'role_updated',
    on,
    before: { color: 0, permissions: 0 },
    after: { color: 7, permissions: 64 },
  })
  await as.call(moveRole, { guild_id, role_id, position: 2 })
  expect(await newest()).toMatchObject({ type: 'role_moved', after: { position: 2 } })
  const them = { guild_id, role_id, user_id: idOf('muted') }
  await as.call(grantRole, them)
  await as.call(grantRole, them)
  expect(said(await newest())).toEqual({
    by,
    type: 'role_granted',
    on: `member ${world.people.muted.username}`,
    before: null,
    after: { role_id, role: '巡逻' },
  })
  await as.call(revokeRole, them)
  expect(await newest()).toMatchObject({ type: 'role_revoked', before: { role: '巡逻' }, after: null })
  await as.call(deleteRole, { guild_id, role_id })
  expect(await newest()).toMatchObject({ type: 'role_deleted', target: { id: String(role_id) } })
  expect((await log()).meta.total).toBe(6)
})

it('channels: created, changed, moved, and their overwrites, by role and by person', async () => {
  await emptied()
  const as = world.as('owner')
  const made = await as.call(createChannel, { guild_id, name: '档案', type: 1 })
  const category = await as.call(createChannel, { guild_id, name: '仓库', is_category: true })
  const channel_id = made.id
  expect(said(await newest())).toMatchObject({
    type: 'channel_created',
    on: 'channel 仓库',
    after: { type: 0 },
  })
  await as.call(updateChannel, { channel_id, topic: '旧纸', slow_mode: 5_000 })
  expect(await newest()).toMatchObject({
    type: 'channel_updated',
    before: { topic: '', slow_mode: 0 },
    after: { topic: '旧纸', slow_mode: 5_000 },
  })
  await as.call(updateChannel, { channel_id, parent_id: category.id })
  expect(await newest()).toMatchObject({
    type: 'channel_moved',
    target: { name: '档案' },
    before: { parent: '' },
    after: { parent: '仓库' },
  })
  const forAll = { channel_id, type: 'role_id', value: '0' }
  await as.call(createOverwrite, forAll)
  await as.call(updateOverwrite, { ...forAll, deny: 2048 })
  expect(await newest()).toMatchObject({
    type: 'overwrite_updated',
    target: { kind: 'role', id: '0' },
    before: { channel: '档案', allow: 0, deny: 0 },
    after: { channel: '档案', allow: 0, deny: 2048 },
  })
  const forMember = { channel_id, type: 'user_id', value: idOf('member') }
  await as.call(createOverwrite, forMember)
  expect(said(await newest())).toMatchObject({
    type: 'overwrite_created',
    on: `member ${world.people.member.username}`,
    before: null,
  })
  await as.call(deleteOverwrite, forMember)
  expect(await newest()).toMatchObject({ type: 'overwrite_deleted', after: null })
  await as.call(syncOverwrites, { channel_id })
  expect(await newest()).toMatchObject({ type: 'overwrites_synced', target: { id: channel_id } })
  await as.call(deleteChannel, { channel_id })
  expect(await newest()).toMatchObject({ type: 'channel_deleted', target: { id: channel_id, name: '档案' } })
})

it('members: renamed by another, muted, deafened, kicked, banned with the reason, and all of it undone', async () => {
  await emptied()
  const as = world.as('admin')
  const user_id = idOf('muted')
  const on = `member ${world.people.muted.username}`
  const types: AuditType[] = []
  const act = async (work: Promise<unknown>) => {
    await work
    const entry = await newest()
    expect(said(entry).on).toBe(on)
    types.push(entry.type)
    return entry
  }
  const renamed = await act(as.call(setNickname, { guild_id, user_id, nickname: '阿默' }))
  expect(renamed).toMatchObject({ before: { nickname: '' }, after: { nickname: '阿默' } })
  for (const type of [3, 2]) {
    await act(as.call(createMute, { guild_id, user_id, type }))
    await act(as.call(deleteMute, { guild_id, user_id, type }))
  }
  await act(as.call(kickOut, { guild_id, target_id: user_id }))
  const banned = await act(as.call(createBan, { guild_id, target_id: user_id, remark: '刷屏' }))
  expect(banned.reason).toBe('刷屏')
  await act(as.call(deleteBan, { guild_id, target_id: user_id }))
  expect(types).toEqual([
    'member_renamed',
    'member_muted',
    'member_unmuted',
    'member_deafened',
    'member_undeafened',
    'member_kicked',
    'member_banned',
    'member_unbanned',
  ])
})

it('invites and emoji', async () => {
  await emptied()
  const as = world.as('owner')
  const { url_code } = await as.call(createInvite, {
    channel_id: world.main.id,
    duration: 1800,
    setting_times: 5,
  })
  expect(said(await newest())).toMatchObject({
    type: 'invite_created',
    on: `invite ${url_code}`,
    after: { channel: world.main.name, duration: 1800, setting_times: 5 },
  })
  await as.call(deleteInvite, { url_code })
  expect((await newest()).type).toBe('invite_revoked')
  const emoji = await as.call(
    createGuildEmoji,
    { guild_id, name: 'wave' },
    fileNamed(await pngOf(32, 32, '#357'), 'a.png'),
  )
  expect(said(await newest())).toMatchObject({ type: 'emoji_created', on: 'emoji wave' })
  await as.call(updateGuildEmoji, { id: emoji.id, name: 'hello' })
  expect(await newest()).toMatchObject({
    type: 'emoji_renamed',
    before: { name: 'wave' },
    after: { name: 'hello' },
  })
  await as.call(deleteGuildEmoji, { id: emoji.id })
  expect(said(await newest())).toMatchObject({ type: 'emoji_deleted', on: 'emoji hello' })
})

it('messages: deleted by another than their author without what they said; pins', async () => {
  await emptied()
  const { id } = await world.as('member').say(world.main.id, '不好的话')
  await world.as('owner').call(pinMessage, { target_id: world.main.id, msg_id: id })
  await world.as('owner').call(unpinMessage, { target_id: world.main.id, msg_id: id })
  await world.as('owner').call(deleteMessage, { msg_id: id })
  const { items } = await log()
  expect(items.map(({ type }) => type)).toEqual(['message_deleted', 'message_unpinned', 'message_pinned'])
  expect(said(items[0]!)).toMatchObject({
    on: `message ${world.people.member.username}`,
    before: { channel: world.main.name },
  })
  expect(JSON.stringify(items)).not.toContain('不好的话')
})

it('the guild: its profile from which to which, and boosts', async () => {
  await emptied()
  await world.as('owner').call(updateGuild, { id: guild_id, desc: '新的介绍' })
  expect(await newest()).toMatchObject({ type: 'guild_updated', after: { desc: '新的介绍' } })
  const to = { welcome_channel_id: world.rules.id, notify_type: 1 }
  await world.as('owner').call(updateGuildSettings, { guild_id, ...to })
  expect(await newest()).toMatchObject({
    type: 'guild_updated',
    after: { welcome_channel: world.rules.name },
  })
  await emptied()
  await world.as('owner').call(updateGuildSettings, { guild_id, ...to })
  expect((await log()).items).toEqual([])
  await commit(world.app.appContext, (tx, emit) =>
    givePacks(tx, emit, idOf('member'), { count: 2, orderId: null }),
  )
  await world.as('member').call(useBoosts, { guild_id, count: 2 })
  expect(await newest()).toMatchObject({ type: 'guild_boosted', after: { count: 2 } })
})

it('the operator is said without a name, and so are staff', async () => {
  await emptied()
  await world.command(`bot create --name 迎宾 --guild ${guild_id} --permissions 64`)
  const { items } = await log()
  expect(items.map(({ type }) => type)).toEqual(['role_granted', 'role_created', 'bot_added'])
  expect(said(items[2]!)).toEqual({
    by: 'operator',
    type: 'bot_added',
    on: 'member 迎宾',
    before: null,
    after: null,
  })
  expect(items[2]!.actor.id).toBe('0')
  await sql`update guild_audit set actor_kind = 'staff', actor_id = ${idOf('staff')}`.execute(
    world.database.db,
  )
  expect((await newest()).actor).toEqual({ id: '0', username: '', kind: 'staff' })
  expect((await log({ user_id: idOf('staff') })).items).toEqual([])
})

it('a bot is said to be one', async () => {
  const { token } = await world.command<{ token: string }>(
    `bot create --name 巡管 --guild ${guild_id} --permissions 1024`,
  )
  await world.as({ bot: token }).call(createRole, { guild_id, name: '新人' })
  expect(said(await newest())).toMatchObject({ by: 'bot 巡管', type: 'role_created' })
})

it('filters by who and by what, in pages, the newest first', async () => {
  await emptied()
  for (const name of ['甲', '乙', '丙']) await world.as('owner').call(createRole, { guild_id, name })
  await world.as('admin').call(createInvite, { guild_id })
  const names = async (input: object) => (await log(input)).items.map(({ target }) => target.name)
  expect(await names({ type: 'role_created' })).toEqual(['丙', '乙', '甲'])
  expect(await names({ user_id: idOf('admin') })).toHaveLength(1)
  expect(await names({ user_id: idOf('admin'), type: 'role_created' })).toEqual([])
  expect(await log({ type: 'role_created', page: 2, page_size: 2 })).toMatchObject({
    items: [{ target: { name: '甲' } }],
    meta: { page: 2, page_total: 2, page_size: 2, total: 3 },
  })
})

it('a hundred thousand acts are listed to the last page', async () => {
  await emptied()
  await sql`
    insert into guild_audit (guild_id, at, actor_kind, actor_id, type, target_kind, target_id, target_name, reason)
    select ${guild_id}, n, 'member', ${idOf('owner')}, 'role_created', 'role', n, 'r' || n, ''
    from generate_series(1, 100000) n`.execute(world.database.db)
  const { items, meta } = await log({ page: 2000 })
  expect(items.at(-1)?.target.name).toBe('r1')
  expect(meta).toEqual({ page: 2000, page_total: 2000, page_size: 50, total: 100_000 })
})

it('what is older than ninety days is forgotten', async () => {
  await emptied()
  replaceClock(() => Date.now() - 91 * DAY_MS)
  await world.as('owner').call(createRole, { guild_id, name: '旧' })
  replaceClock(() => Date.now() - 89 * DAY_MS)
  await world.as('owner').call(createRole, { guild_id, name: '近' })
  replaceClock(Date.now)
  expect(await trimAudit(world.database.db)).toBe(1)
  expect((await log()).items.map(({ target }) => target.name)).toEqual(['近'])
})

it('what was done to a person is found by them: acts on them, on their messages, and on who is no member', async () => {
  await emptied()
  const as = world.as('owner')
  const [member, outsider] = [idOf('member'), idOf('outsider')]
  const { role_id } = await as.call(createRole, { guild_id, name: '值日' })
  await as.call(grantRole, { guild_id, role_id, user_id: member })
  const { id } = await world.as('member').say(world.main.id, '走了')
  await as.call(deleteMessage, { msg_id: id })
  await world.as('admin').call(setNickname, { guild_id, user_id: member, nickname: '小白' })
  await world.as('admin').call(createBan, { guild_id, target_id: outsider, remark: '广告' })
  const types = async (input: object) => (await log(input)).items.map(({ type }) => type)
  expect(await types({ target_id: outsider })).toEqual(['member_banned'])
  expect(await types({ target_id: member })).toEqual(['member_renamed', 'message_deleted', 'role_granted'])
  expect(await types({ target_id: member, user_id: idOf('admin') })).toEqual(['member_renamed'])
  expect(await types({ target_id: member, type: 'role_granted' })).toEqual(['role_granted'])
  expect((await log({ target_id: member, page_size: 1 })).meta.total).toBe(3)
})
