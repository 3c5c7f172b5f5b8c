import { viewGuild } from '@guildhall/wire/channel/channel.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import { joinDiscoverable, listDiscoverables } from '@guildhall/wire/profile/discovery.ts'
import * as profile from '@guildhall/wire/profile/profile.ts'
import { updateGuildSettings } from '@guildhall/wire/profile/settings.ts'
import type { InputOf } from '@guildhall/wire/route.ts'
import { DAY_MS } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { PersonName } from '../demo/world.ts'
import { replaceClock } from '../kit/clock.ts'
import { pngOf } from '../testing/picture.ts'
import { openWorld, type TestWorld } from '../testing/world.ts'

let world: TestWorld
let plain: GuildId
let grand: GuildId
beforeAll(async () => {
  world = await openWorld()
  const named = (isRecommended: boolean) => world.guilds.find((it) => it.is_recommended === isRecommended)!.id
  plain = world.guilds[0]!.id
  grand = named(true)
})
afterAll(() => world.close())
afterEach(() => replaceClock(Date.now))

async function picture(name: PersonName, width: number, height: number): Promise<string> {
  const bytes = await pngOf(width, height, '#357')
  return (await world.as(name).upload(bytes, 'a.png')).url
}
const setLevel = (guildId: GuildId, level: number) =>
  sql`update guild set level = ${level} where id = ${guildId}`.execute(world.database.db)
const foundBy = async (input: Partial<InputOf<typeof listDiscoverables>>) =>
  (await world.as('outsider').call(listDiscoverables, input)).items.map(({ id }) => id)
const caseOf = async (guildId: GuildId) => {
  const { rows } = await sql<{ id: string }>`
    select id::text from guild_revision where guild_id = ${guildId} order by id desc limit 1`.execute(
    world.database.db,
  )
  return rows[0]!.id
}

describe('a change of a guild is refused', () => {
  it.each([
    [{ name: '' }, 'profile.name_required'],
    [{ name: '\u2800' }, 'profile.name_required'],
    [{ desc: ' ' }, 'profile.desc_required'],
    [{ desc: '字'.repeat(201) }, 'profile.desc_too_long'],
    [{ icon: 'https://elsewhere.example/a.png' }, 'asset.unknown'],
  ])('%j: %s', async (change, failure) => {
    expect(await world.as('owner').refusal(profile.updateGuild, { id: plain, ...change })).toBe(failure)
  })

  it('to members without the right, to others, and of a recommended guild', async () => {
    expect(await world.as('member').refusal(profile.updateGuild, { id: plain, name: '新名字' })).toBe(
      'member.no_right',
    )
    expect(await world.as('outsider').refusal(profile.updateGuild, { id: plain, name: '新名字' })).toBe(
      'forbidden',
    )
    expect(await world.as('owner').refusal(profile.updateGuild, { id: grand, name: '新名字' })).toBe(
      'profile.needs_review',
    )
    expect(await world.as('owner').refusal(profile.deleteBanner, { guild_id: grand })).toBe(
      'profile.needs_review',
    )
    expect(
      await world.as('owner').refusal(profile.updateRecommended, { guild_id: plain, name: '新名字' }),
    ).toBe('profile.not_recommended')
  })

  it('with a picture that is too small, somebody else’s, or not of its level', async () => {
    const icon = await picture('owner', 100, 128)
    expect(await world.as('owner').refusal(profile.updateGuild, { id: plain, icon })).toBe(
      'profile.icon_small',
    )
    const theirs = await picture('member', 128, 128)
    expect(await world.as('owner').refusal(profile.updateGuild, { id: plain, icon: theirs })).toBe(
      'asset.unknown',
    )
    const banner = await picture('owner', 1024, 576)
    await setLevel(plain, 1)
    expect(await world.as('owner').refusal(profile.updateGuild, { id: plain, banner })).toBe('guild.level')
    await setLevel(plain, 2)
    const small = await picture('owner', 1000, 576)
    expect(await world.as('owner').refusal(profile.updateGuild, { id: plain, banner: small })).toBe(
      'profile.banner_small',
    )
  })
})

it('a guild gets another name, icon, description and banner, and its members see them', async () => {
  await setLevel(plain, 2)
  const [icon, banner] = [await picture('owner', 128, 128), await picture('owner', 1024, 576)]
  const face = { name: '新的名字', desc: '新的描述', icon, banner }
  expect(await world.as('owner').call(profile.updateGuild, { id: plain, ...face })).toMatchObject({
    name: '新的名字',
  })
  const seen = await world.as('member').call(viewGuild, { id: plain })
  expect(seen).toMatchObject({ name: '新的名字', topic: '新的描述', icon, banner, recommend_info: null })
  const { rows } = await sql<{ body: object }>`
    select body from event_log where guild_id = ${plain} and kind = 'updated_guild' order by seq desc limit 1`.execute(
    world.database.db,
  )
  expect(rows[0]?.body).toMatchObject({ name: '新的名字', banner })
  await world.as('owner').call(profile.deleteBanner, { guild_id: plain })
  expect((await world.as('member').call(viewGuild, { id: plain })).banner).toBe('')
})

it('a change of a recommended guild waits, is rejected with a reason, handed in again, passes once, and locks', async () => {
  const before = await world.as('owner').call(profile.viewUpdate, { guild_id: grand })
  expect(
    await world.as('owner').refusal(profile.updateRecommended, { guild_id: grand, name: before.name }),
  ).toBe('profile.unchanged')
  expect(await world.as('member').refusal(profile.viewUpdate, { guild_id: grand })).toBe('member.no_right')
  await world.as('owner').call(profile.updateRecommended, { guild_id: grand, name: '像素新坊' })
  expect(await world.as('member').call(profile.viewRecommended, { id: grand })).toMatchObject({
    audit_status: 0,
  })
  expect((await world.as('member').call(viewGuild, { id: grand })).name).toBe(before.name)
  expect((await world.as('owner').call(profile.viewUpdate, { guild_id: grand })).name).toBe('像素新坊')
  expect(await world.as('owner').refusal(profile.updateRecommended, { guild_id: grand, desc: '别的' })).toBe(
    'profile.waits',
  )
  const first = await caseOf(grand)
  expect(await world.command('review', 'list')).toMatchObject([
    { id: first, guild_id: grand, before: { name: before.name }, after: { name: '像素新坊' } },
  ])
  await expect(world.command('review', 'decide', '--id', first, '--reject')).rejects.toThrow(/--reason/)
  await world.command('review', 'decide', '--id', first, '--reject', '--reason', '名字不合适')
  expect(await world.as('owner').call(profile.viewRecommended, { id: grand })).toMatchObject({
    audit_status: 2,
    audit_reason: '名字不合适',
    update_day_gap: 0,
  })
  const { rows: received } = await sql<{ body: object }>`
    select body from person_event_log where kind = 'reviewed_guild' and user_id = ${world.people.owner.id}`.execute(
    world.database.db,
  )
  expect(received.map(({ body }) => body)).toMatchObject([{ audit_status: 2, reason: '名字不合适' }])
  const { rows: text } = await sql<{ content: string }>`
    select content from private_message where content like '%名字不合适%'`.execute(world.database.db)
  expect(text).toHaveLength(1)

  await world.as('owner').call(profile.updateRecommended, { guild_id: grand, desc: '新的描述' })
  const second = await caseOf(grand)
  const decided = await Promise.allSettled([
    world.command('review', 'decide', '--id', second, '--pass'),
    world.command('review', 'decide', '--id', second, '--reject', '--reason', '不行'),
  ])
  expect(decided.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const passed = decided[0]?.status === 'fulfilled'
  expect((await world.as('member').call(viewGuild, { id: grand })).topic === '新的描述').toBe(passed)
  if (!passed) {
    await world.as('owner').call(profile.updateRecommended, { guild_id: grand, desc: '再一次' })
    await world.command('review', 'decide', '--id', await caseOf(grand), '--pass')
  }
  expect(await world.as('owner').call(profile.viewRecommended, { id: grand })).toMatchObject({
    audit_status: 1,
    update_day_gap: 7,
  })
  expect(
    await world.as('owner').refusal(profile.updateRecommended, { guild_id: grand, desc: '还要改' }),
  ).toBe('profile.locked')
  replaceClock(() => Date.now() + 7 * DAY_MS)
  await world.as('owner').call(profile.updateRecommended, { guild_id: grand, desc: '还要改' })
})

it('discovery lists recommended guilds alone, finds them by a part of their words, and lets people in unless they are banned', async () => {
  const all = await world.as('outsider').call(listDiscoverables, {})
  expect(all.items.map(({ id }) => id)).toEqual([grand])
  expect(all.items[0]).toMatchObject({ is_member: false })
  expect((await world.as('outsider').call(listDiscoverables, { search: '%' })).items).toEqual([])
  expect(await foundBy({ search: ' 不在 ' })).toEqual([])
  for (const search of ['像素', 'xiangsu', 'XS', all.items[0]!.desc.slice(1)])
    expect(await foundBy({ search })).toEqual([grand])
  expect(await world.as('outsider').refusal(joinDiscoverable, { guild_id: plain })).toBe(
    'profile.not_recommended',
  )
  const { id: member } = world.people.member
  await sql`delete from membership where guild_id = ${grand} and user_id = ${member}`.execute(
    world.database.db,
  )
  await sql`insert into ban (guild_id, user_id, created_at) values (${grand}, ${member}, 1)`.execute(
    world.database.db,
  )
  expect(await world.as('member').refusal(joinDiscoverable, { guild_id: grand })).toBe('guild.banned')
  await world.as('outsider').call(joinDiscoverable, { guild_id: grand })
  await world.as('outsider').call(joinDiscoverable, { guild_id: grand })
  expect((await world.as('outsider').call(listDiscoverables, {})).items[0]).toMatchObject({
    is_member: true,
    members: all.items[0]?.members,
  })
})

it('recommended guilds are found by what they are about, as their own settings say', async () => {
  expect(await world.as('outsider').refusal(listDiscoverables, { category: 'weather' })).toBe('bad_input')
  await world.as('owner').call(updateGuildSettings, { guild_id: grand, category: '' })
  expect(await world.as('outsider').call(listDiscoverables, {})).toMatchObject({ categories: [] })
  await world.as('owner').call(updateGuildSettings, { guild_id: plain, category: 'music' })
  await world.as('owner').call(updateGuildSettings, { guild_id: grand, category: 'art' })
  expect(await world.as('outsider').call(listDiscoverables, { search: '没有' })).toMatchObject({
    items: [],
    categories: ['art'],
  })
  expect(await foundBy({ category: 'art' })).toEqual([grand])
  expect(await foundBy({ category: 'music' })).toEqual([])
})

it('the newest are those that were recommended last, the largest have most members, and pages go on from each other', async () => {
  const { db } = world.database
  await world.command('guild', 'recommend', '--guild', plain)
  await sql`update guild set boost_num = 0 where id = ${plain}`.execute(db)
  await sql`update guild_recommend set created_at = 1 where guild_id = ${plain}`.execute(db)
  expect(await world.as('outsider').refusal(listDiscoverables, { sort: 'owner' as '-members' })).toBe(
    'bad_input',
  )
  expect(await foundBy({})).toEqual([grand, plain])
  expect(await foundBy({ sort: '-created_at' })).toEqual([grand, plain])
  expect(await foundBy({ sort: '-members' })).toEqual([plain, grand])
  await sql`update guild_recommend set created_at = 1 where guild_id = ${grand}`.execute(db)
  await sql`update guild_recommend set created_at = 2 where guild_id = ${plain}`.execute(db)
  expect(await foundBy({ sort: '-created_at' })).toEqual([plain, grand])
  const second = await world.as('outsider').call(listDiscoverables, { page: 2, page_size: 1 })
  expect(second).toMatchObject({ items: [{ id: plain }], meta: { page: 2, page_total: 2, total: 2 } })
  expect(await foundBy({ page: 3, page_size: 1 })).toEqual([])
  await world.command('guild', 'recommend', '--guild', plain, '--off')
})

it('discovery says of members only how many they are', async () => {
  const [guild] = (await world.as('outsider').call(listDiscoverables, {})).items
  expect(Object.keys(guild!).sort()).toEqual(
    'banner category desc icon id is_member level members name online'.split(' '),
  )
})

it('a guild that is recommended no longer is changed at once again', async () => {
  await world.command('guild', 'recommend', '--guild', grand, '--off')
  expect((await world.as('outsider').call(listDiscoverables, {})).items).toEqual([])
  await world.as('owner').call(profile.updateGuild, { id: grand, name: '像素工坊' })
  expect((await world.as('owner').call(viewGuild, { id: grand })).name).toBe('像素工坊')
  expect(await world.command('review', 'list')).toEqual([])
})
