import { listAudit } from '@guildhall/wire/audit/audit.ts'
import {
  addBot,
  BOTS_OWNED_MAX,
  createBot,
  deleteBot,
  GUILD_BOTS_MAX,
  listBots,
  removeBot,
  renewBotToken,
  updateBot,
} from '@guildhall/wire/bot/bot.ts'
import type { FailureName } from '@guildhall/wire/failure.ts'
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import { createBan, kickOut } from '@guildhall/wire/member/moderation.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import { createRole, grantRole, listRoles } from '@guildhall/wire/role/role.ts'
import { me } from '@guildhall/wire/user/me.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { PersonName } from '../demo/world.ts'
import type { LiveEvent } from '../kit/events/bus.ts'
import { commit } from '../kit/events/events.ts'
import { createGuild, join } from '../member/member.ts'
import { addRole, giveRole } from '../role/role.ts'
import { openWorld, type TestWorld } from '../testing/world.ts'
import { registerBot } from '../user/user.ts'

let world: TestWorld
let guild_id: GuildId
let received: LiveEvent[] = []

beforeAll(async () => {
  world = await openWorld()
  for (const name of ['owner', 'admin', 'member', 'outsider'] as const) await world.tokenOf(name)
  world.app.appContext.bus.subscribe((event) => void received.push(event))
})
afterAll(() => world.close())
beforeEach(async () => {
  for (const name of ['owner', 'admin', 'member'] as const)
    await world.database.db.deleteFrom('bot_owner').where('owner_id', '=', idOf(name)).execute()
  await sql`delete from attempt`.execute(world.database.db)
  guild_id = await newGuild('owner', 'admin', 'member')
  await world.app.appContext.bus.settled()
  received = []
})

const idOf = (name: PersonName): UserId => world.people[name].id
/** A guild of the first; the second manages it and its roles, the others are members. */
const newGuild = (owner: PersonName, manager?: PersonName, ...members: PersonName[]) =>
  commit(world.app.appContext, async (tx, emit) => {
    const id = await createGuild(tx, emit, { name: '机房', ownerId: idOf(owner) })
    for (const name of [manager, ...members]) if (name) await join(tx, emit, id, idOf(name))
    if (!manager) return id
    const permissions = permission.manage_guild | permission.manage_role
    const role = { name: '管家', color: 0, hoist: 0, mentionable: 0, permissions }
    const { role_id } = await addRole(tx, id, role, emit)
    await giveRole(tx, emit, id, idOf(manager), role_id)
    return id
  })
const make = (who: PersonName, name = '报时') => world.as(who).call(createBot, { guild_id, name })
const botsOf = async (who: PersonName, guild = guild_id) =>
  (await world.as(who).call(listBots, { guild_id: guild })).items
const heard = async (kind: string) => {
  await world.app.appContext.bus.settled()
  return received.filter((it) => it.kind === kind && it.to === 'guild')
}
/** What the audit log of a guild says, the newest first. */
const written = async (guild: GuildId) =>
  (await world.as('owner').call(listAudit, { guild_id: guild })).items.map(({ type }) => type)
const tally = (all: readonly FailureName[] | readonly string[]) =>
  Object.fromEntries([...new Set(all)].sort().map((it) => [it, all.filter((other) => other === it).length]))

describe('a bot is not', () => {
  test('made or seen by who does not manage the guild, or by a bot', async () => {
    const input = { guild_id, name: '报时' }
    expect(await world.as('outsider').refusal(createBot, input)).toBe('forbidden')
    expect(await world.as('member').refusal(createBot, input)).toBe('member.no_right')
    expect(await world.as('outsider').refusal(listBots, { guild_id })).toBe('forbidden')
    expect(await world.as('member').refusal(listBots, { guild_id })).toBe('member.no_right')
    const { token } = await make('owner')
    expect(await world.as({ bot: token }).refusal(createBot, input)).toBe('forbidden')
    expect(await botsOf('owner')).toHaveLength(1)
  })

  test('made under a name that a person may not have, or with a picture of somebody else', async () => {
    for (const [name, why] of [
      ['', 'user.name_required'],
      ['两 个', 'user.name_wrong'],
      ['长'.repeat(31), 'user.name_wrong'],
    ] as const)
      expect(await world.as('owner').refusal(createBot, { guild_id, name })).toBe(why)
    const icon = `${world.app.appContext.publicUrl}/assets/2026-01/nothing.png`
    expect(await world.as('owner').refusal(createBot, { guild_id, name: '报时', icon })).toBe('asset.unknown')
    expect(await botsOf('owner')).toEqual([])
  })

  test('renewed, changed, taken along or deleted by others than its owner, those of its guild too', async () => {
    const { bot, token } = await make('admin')
    const bot_id = bot.user.id
    const mine = await newGuild('owner')
    for (const who of ['owner', 'member', 'outsider'] as const) {
      expect(await world.as(who).refusal(renewBotToken, { bot_id })).toBe('bot.not_yours')
      expect(await world.as(who).refusal(updateBot, { bot_id, name: '我的' })).toBe('bot.not_yours')
      expect(await world.as(who).refusal(addBot, { bot_id, guild_id: mine })).toBe('bot.not_yours')
      expect(await world.as(who).refusal(deleteBot, { bot_id })).toBe('bot.not_yours')
    }
    expect(await world.as('owner').refusal(renewBotToken, { bot_id: idOf('member') })).toBe('bot.unknown')
    expect((await world.as({ bot: token }).call(me)).username).toBe('报时')
  })

  test('brought to where its owner manages nothing, or where it is banned', async () => {
    const { bot } = await make('owner')
    const bot_id = bot.user.id
    const theirs = await newGuild('member')
    expect(await world.as('owner').refusal(addBot, { bot_id, guild_id: theirs })).toBe('forbidden')
    await commit(world.app.appContext, (tx, emit) => join(tx, emit, theirs, idOf('owner')))
    expect(await world.as('owner').refusal(addBot, { bot_id, guild_id: theirs })).toBe('member.no_right')
    await world.as('owner').call(removeBot, { bot_id, guild_id })
    await world.database.db
      .insertInto('ban')
      .values({ guild_id, user_id: bot_id, remark: '', created_at: 0 })
      .execute()
    expect(await world.as('owner').refusal(addBot, { bot_id, guild_id })).toBe('bot.banned')
  })

  test('removed by who does not manage the guild, stands below it, or where it is not', async () => {
    const { bot } = await make('owner')
    const bot_id = bot.user.id
    expect(await world.as('member').refusal(removeBot, { bot_id, guild_id })).toBe('member.no_right')
    const highest = await commit(world.app.appContext, async (tx, emit) => {
      const role = { name: '高', color: 0, hoist: 0, mentionable: 0, permissions: 0 }
      const { role_id } = await addRole(tx, guild_id, role, emit)
      await tx
        .updateTable('role')
        .set({ position: 0 })
        .where('guild_id', '=', guild_id)
        .where('role_id', '=', role_id)
        .execute()
      await giveRole(tx, emit, guild_id, bot_id, role_id)
      return role_id
    })
    expect(highest).toBeGreaterThan(0)
    expect(await world.as('admin').refusal(removeBot, { bot_id, guild_id })).toBe('member.above')
    await world.as('owner').call(removeBot, { bot_id, guild_id })
    expect(await world.as('owner').refusal(removeBot, { bot_id, guild_id })).toBe('guild.not_member')
  })

  test('looked after by anybody when it has no owner, but by who owns all guilds that it is in', async () => {
    const bot_id = await commit(world.app.appContext, async (tx, emit) => {
      const { id } = await registerBot(tx, '老机器人')
      await join(tx, emit, guild_id, id)
      return id
    })
    expect(await botsOf('admin')).toMatchObject([{ owner: null, is_mine: false }])
    expect(await world.as('admin').refusal(renewBotToken, { bot_id })).toBe('bot.not_yours')
    const { token } = await world.as('owner').call(renewBotToken, { bot_id })
    expect((await world.as({ bot: token }).call(me)).id).toBe(bot_id)
    const theirs = await newGuild('member')
    await commit(world.app.appContext, (tx, emit) => join(tx, emit, theirs, bot_id))
    for (const who of ['owner', 'member'] as const)
      expect(await world.as(who).refusal(renewBotToken, { bot_id })).toBe('bot.not_yours')
    await world.as('owner').call(removeBot, { bot_id, guild_id })
  })
})

test('sixty made at once stay within the limit of a person, and those of three people within that of a guild', async () => {
  const sixty = (who: PersonName, count = 60) =>
    Promise.all(
      Array.from({ length: count }, () => world.as(who).refusal(createBot, { guild_id, name: '报时' })),
    )
  expect(tally(await sixty('owner'))).toEqual({
    none: BOTS_OWNED_MAX,
    'bot.owns_too_many': 60 - BOTS_OWNED_MAX,
  })
  await sql`delete from attempt`.execute(world.database.db)
  await world.database.db.deleteFrom('bot_owner').where('owner_id', '=', idOf('owner')).execute()
  const both = (await Promise.all([sixty('owner', 20), sixty('admin', 20)])).flat()
  const more = GUILD_BOTS_MAX - BOTS_OWNED_MAX
  expect(tally(both)).toEqual({ none: more, 'bot.guild_full': 40 - more })
  expect(await botsOf('owner')).toHaveLength(GUILD_BOTS_MAX)
})

test('a bot is made with a role of its own, the lowest and without rights; its token opens its gateway', async () => {
  const { bot, token } = await make('admin')
  const { items } = await world.as('owner').call(listRoles, { guild_id })
  expect(items.map(({ name, permissions }) => [name, permissions]).slice(0, 2)).toEqual([
    ['管家', permission.manage_guild | permission.manage_role],
    ['报时', 0],
  ])
  expect(bot.roles).toEqual([items[1]?.role_id])
  expect(bot).toMatchObject({
    is_mine: true,
    owner: { id: idOf('admin') },
    user: { username: '报时', bot: true },
    guilds: [{ id: guild_id, name: '机房' }],
  })
  expect((await world.as({ bot: token }).call(me)).id).toBe(bot.user.id)
  expect(await botsOf('owner')).toEqual([{ ...bot, is_mine: false }])
  expect(await heard('joined_guild')).toHaveLength(1)
})

test('who may not manage roles makes a bot without one', async () => {
  await world.database.db
    .updateTable('role')
    .set({ permissions: permission.manage_guild })
    .where('guild_id', '=', guild_id)
    .where('name', '=', '管家')
    .execute()
  expect((await make('admin')).bot.roles).toEqual([])
})

test('a new token ends the one before, and no token is in the database or in an answer of the list', async () => {
  const { bot, token } = await make('owner')
  const renewed = await world.as('owner').call(renewBotToken, { bot_id: bot.user.id })
  expect(await world.as({ bot: token }).refusal(me)).toBe('not_logged_in')
  expect((await world.as({ bot: renewed.token }).call(me)).id).toBe(bot.user.id)
  expect(JSON.stringify(await botsOf('owner'))).not.toContain(renewed.token)
  const sessions = await world.database.db.selectFrom('session').selectAll().execute()
  expect(JSON.stringify(sessions)).not.toContain(renewed.token)
})

test('a bot gets another name and picture, which its guilds hear of', async () => {
  const { bot } = await make('owner')
  const drawn = await world.as('owner').upload(PIXEL, 'face.png')
  await world.as('owner').call(updateBot, { bot_id: bot.user.id, name: '播报', icon: drawn.url })
  const [now] = await botsOf('owner')
  expect(now?.user).toMatchObject({ username: '播报', avatar: drawn.url })
  expect(await heard('updated_guild_user')).toHaveLength(1)
})

test('an owner of several guilds takes a bot along; it leaves one and stays in the other, and is deleted from all', async () => {
  const { bot, token } = await make('owner')
  const bot_id = bot.user.id
  const other = await newGuild('owner')
  const { targets } = await world.as('owner').call(listBots, { guild_id })
  expect(targets.map(({ id }) => id)).toEqual(expect.arrayContaining([guild_id, other]))
  await world.as('owner').call(addBot, { bot_id, guild_id: other })
  await world.as('owner').call(addBot, { bot_id, guild_id: other })
  expect((await botsOf('owner', other))[0]?.guilds.map(({ id }) => id)).toEqual([guild_id, other])
  // Others see those of its guilds in which they are.
  expect((await botsOf('admin'))[0]?.guilds.map(({ id }) => id)).toEqual([guild_id])
  await world.as('admin').call(removeBot, { bot_id, guild_id })
  expect(await botsOf('owner')).toEqual([])
  expect(await botsOf('owner', other)).toHaveLength(1)
  await world.as('owner').call(deleteBot, { bot_id })
  const all = ['bot_removed', 'role_deleted', 'role_granted', 'role_created', 'bot_added']
  expect(await written(guild_id)).toEqual(all)
  expect(await written(other)).toEqual(all)
  expect(await botsOf('owner', other)).toEqual([])
  expect(await world.as({ bot: token }).refusal(me)).toBe('not_logged_in')
  expect(await world.as('owner').refusal(deleteBot, { bot_id })).toBe('bot.unknown')
})

const roleNames = async () =>
  (await world.as('owner').call(listRoles, { guild_id })).items.map(({ name }) => name)

test('the role that was made for a bot goes with it, however it goes', async () => {
  const before = await roleNames()
  for (const [route, input] of [
    [removeBot, (bot_id: UserId) => ({ bot_id })],
    [kickOut, (target_id: UserId) => ({ target_id })],
    [createBan, (target_id: UserId) => ({ target_id })],
    [deleteBot, (bot_id: UserId) => ({ bot_id })],
  ] as const) {
    const { bot } = await make('admin')
    expect(await roleNames()).toHaveLength(before.length + 1)
    received = []
    await world.as(route === deleteBot ? 'admin' : 'owner').call(route, { guild_id, ...input(bot.user.id) })
    expect(await roleNames()).toEqual(before)
    expect((await heard('deleted_role')).map(({ body }) => body)).toMatchObject([{ role_id: bot.roles[0] }])
    const { items } = await world
      .as('owner')
      .call(listAudit, { guild_id, type: 'role_deleted', page_size: 1 })
    expect(items[0]).toMatchObject({
      actor: { id: idOf(route === deleteBot ? 'admin' : 'owner') },
      target: { id: String(bot.roles[0]), name: '报时' },
    })
  }
})

test('a role that others hold stays when the bot goes, as does one that was given to the bot', async () => {
  const { bot } = await make('owner')
  const other = await world.as('owner').call(createRole, { guild_id, name: '另一个' })
  const give = (role_id: number, user_id: UserId) =>
    world.as('owner').call(grantRole, { guild_id, role_id, user_id })
  await give(other.role_id, bot.user.id)
  await give(bot.roles[0]!, idOf('member'))
  await world.as('owner').call(removeBot, { bot_id: bot.user.id, guild_id })
  expect(await roleNames()).toEqual(expect.arrayContaining(['报时', '另一个']))
})

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
