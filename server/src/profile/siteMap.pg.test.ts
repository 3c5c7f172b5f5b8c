import type { GuildId } from '@guildhall/wire/id.ts'
import { deleteInvite } from '@guildhall/wire/invite/manage.ts'
import { setCustomId } from '@guildhall/wire/invite/shortAddress.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { setRecommended } from '../guild/guild.ts'
import { commit } from '../kit/events/events.ts'
import { createGuild } from '../member/member.ts'
import { openWorld, type TestWorld } from '../testing/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld({ SITE_MAP: '1' })
  await sql`delete from guild_recommend`.execute(world.database.db)
})
afterAll(() => world.close())

const newGuild = async (customId: string): Promise<GuildId> => {
  const id = await commit(world.app.appContext, (tx, emit) =>
    createGuild(tx, emit, { name: '地图', ownerId: world.people.owner.id }),
  )
  await sql`update guild set level = 6 where id = ${id}`.execute(world.database.db)
  if (customId !== '') await world.as('owner').call(setCustomId, { guild_id: id, custom_id: customId })
  return id
}
const recommend = async (id: GuildId, day: string, isRecommended = true) => {
  await commit(world.app.appContext, (tx) => setRecommended(tx, id, isRecommended))
  await sql`update guild_recommend set created_at = ${Date.parse(day)} where guild_id = ${id}`.execute(
    world.database.db,
  )
}
/** Its addresses, each with the day of its last change. */
const entries = async () => {
  const { status, text } = await world.app.inject({ method: 'GET', url: '/sitemap.xml' })
  expect(status).toBe(200)
  return [...text.matchAll(/<url><loc>(.*?)<\/loc><lastmod>(.*?)<\/lastmod><\/url>/g)].map(
    ([, at, day]) => `${new URL(at!).pathname} ${day}`,
  )
}

it('there is no map of the site unless the operator wants one', async () => {
  const other = await openWorld()
  const { status } = await other.app.inject({ method: 'GET', url: '/sitemap.xml' })
  await other.close()
  expect(status).toBe(404)
})

it('the map has the guilds that are recommended now, and no others', async () => {
  const star = await newGuild('Star-Map')
  await newGuild('not-shown')
  expect(await entries()).toEqual([])
  await recommend(star, '2026-05-01')
  expect(await entries()).toEqual(['/g/Star-Map 2026-05-01'])
  await sql`update guild_recommend set passed_at = ${Date.parse('2026-06-02')}`.execute(world.database.db)
  expect(await entries()).toEqual(['/g/Star-Map 2026-06-02'])
  await recommend(star, '2026-05-01', false)
  expect(await entries()).toEqual([])
})

it('guilds without an address of their own are found at one page; closed and deleted ones are not', async () => {
  const [bare, other, shut, gone] = [
    await newGuild(''),
    await newGuild(''),
    await newGuild('shut-map'),
    await newGuild('gone-map'),
  ]
  await recommend(bare, '2026-03-01')
  await recommend(other, '2026-04-01')
  await recommend(shut, '2026-02-01')
  await recommend(gone, '2026-09-01')
  const { headers } = await world.app.inject({
    method: 'GET',
    url: '/g/shut-map',
    headers: { accept: 'text/html' },
  })
  await world.as('owner').call(deleteInvite, { url_code: String(headers.location).split('/').at(-1)! })
  await sql`update guild set deleted_at = 1 where id = ${gone}`.execute(world.database.db)
  expect(await entries()).toEqual(['/discover 2026-04-01'])
})

it('one network cannot have it made again and again', async () => {
  const few = await openWorld({ SITE_MAP: '1', RATE_LIMIT_SCALE: '1' })
  const ask = () => few.app.inject({ method: 'GET', url: '/sitemap.xml' })
  for (let i = 0; i < 30; i++) expect((await ask()).status).toBe(200)
  expect((await ask()).status).toBe(429)
  await few.close()
})
