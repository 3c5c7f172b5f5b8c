import type { GuildId } from '@guildhall/wire/id.ts'
import { listPublicGuilds, PUBLIC_GUILDS_MAX } from '@guildhall/wire/profile/publicGuilds.ts'
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { setRecommended } from '../guild/guild.ts'
import { replaceClock } from '../kit/clock.ts'
import { commit } from '../kit/events/events.ts'
import { createGuild } from '../member/member.ts'
import { openWorld, type TestWorld } from '../testing/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld({ PUBLIC_GUILDS: '1' })
  await sql`delete from guild_recommend`.execute(world.database.db)
})
afterAll(() => world.close())
afterEach(() => replaceClock(Date.now))

const newGuild = (name: string): Promise<GuildId> =>
  commit(world.app.appContext, (tx, emit) => createGuild(tx, emit, { name, ownerId: world.people.owner.id }))
const recommend = (id: GuildId, isRecommended = true) =>
  commit(world.app.appContext, (tx) => setRecommended(tx, id, isRecommended))
let later = 0
/** What a guest sees once what was kept is old. */
const shown = async () => {
  later += 11 * SECOND_MS
  replaceClock(() => Date.now() + later)
  return (await world.as(null).call(listPublicGuilds)).items
}
const names = async () => (await shown()).map(({ name }) => name)
const pageOf = async (of: TestWorld) => (await of.app.inject({ method: 'GET', url: '/' })).text

it('nobody sees a guild unless the operator wants it, in the call or on the start page', async () => {
  const closed = await openWorld({ PUBLIC_GUILDS: '0' })
  expect((await closed.as(null).call(listPublicGuilds)).items).toEqual([])
  expect((await closed.as('owner').call(listPublicGuilds)).items).toEqual([])
  const name = closed.guilds.find((it) => it.is_recommended)!.name
  expect(await pageOf(closed)).not.toContain(name)
  await closed.close()
})

it('guilds that are not recommended, are no longer, or are closed are never there', async () => {
  await newGuild('没人推荐')
  const former = await newGuild('曾被推荐')
  const gone = await newGuild('已经解散')
  await recommend(former)
  await recommend(gone)
  expect((await names()).toSorted()).toEqual(['已经解散', '曾被推荐'])
  await recommend(former, false)
  await sql`update guild set deleted_at = 1, closed_at = 1 where id = ${gone}`.execute(world.database.db)
  expect(await names()).toEqual([])
  expect(await pageOf(world)).not.toMatch(/没人推荐|曾被推荐|已经解散/)
})

it('one network cannot read them again and again', async () => {
  const few = await openWorld({ PUBLIC_GUILDS: '1', RATE_LIMIT_SCALE: '1' })
  for (let i = 0; i < 120; i++) await few.as(null).call(listPublicGuilds)
  expect(await few.as(null).refusal(listPublicGuilds)).toBe('too_many')
  await few.close()
})

it('a guest sees name, pictures, words and counts of a guild, and nothing else of it', async () => {
  const id = await newGuild('像素工坊')
  await sql`update guild set topic = '画一点', banner = '/b.png', icon = '/i.png' where id = ${id}`.execute(
    world.database.db,
  )
  await recommend(id)
  expect(await shown()).toEqual([
    { id, name: '像素工坊', desc: '画一点', banner: '/b.png', icon: '/i.png', members: 1, online: 0 },
  ])
  const page = await pageOf(world)
  expect(page).toContain('<b class="start-guild-name">像素工坊</b>')
  expect(page).toContain('1 位成员')
})

it('those with the most boost packs come first, and no more than six', async () => {
  for (let n = 0; n < PUBLIC_GUILDS_MAX; n++) {
    const id = await newGuild(`第${n}`)
    await recommend(id)
    await sql`update guild set boost_num = ${n + 1} where id = ${id}`.execute(world.database.db)
  }
  expect(await names()).toEqual(['第5', '第4', '第3', '第2', '第1', '第0'])
})

it('what is shown is read once in ten seconds', async () => {
  const before = await names()
  await sql`update guild set name = '改了名' where name = '第5'`.execute(world.database.db)
  expect((await world.as(null).call(listPublicGuilds)).items.map(({ name }) => name)).toEqual(before)
  expect((await names())[0]).toBe('改了名')
})
