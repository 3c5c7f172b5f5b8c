import { indexGuilds, listGuildsV3 } from '@guildhall/wire/guild/publicGuild.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Refused } from '../testing/calls.ts'
import { openWorld, type TestWorld } from '../testing/world.ts'

let world: TestWorld
let demo: GuildId
beforeAll(async () => {
  world = await openWorld()
  demo = world.guilds[0]?.id as GuildId
})
afterAll(() => world.close())

it('guilds are not listed to guests, and others’ guilds not at all', async () => {
  for (const route of [listGuildsV3, indexGuilds]) {
    const refused = await world
      .as(null)
      .call(route, {})
      .catch((error: unknown) => error)
    expect(refused instanceof Refused && refused.failure).toBe('not_logged_in')
  }
  const error = await world
    .as('outsider')
    .call(indexGuilds, { guild_id: demo })
    .catch((it: unknown) => it)
  expect(error instanceof Refused && error.failure).toBe('forbidden')
  expect((await world.as('outsider').call(listGuildsV3, {})).items.map(({ id }) => id)).not.toContain(demo)
})

it('guilds are listed in pages, by id upwards and downwards, with every field that clients require', async () => {
  const up = await world.as('owner').call(listGuildsV3, { sort: 'id' })
  const ids = up.items.map(({ id }) => Number(id))
  expect(ids).toEqual([...ids].sort((a, b) => a - b))
  expect(up.sort).toEqual({ id: 1 })
  const down = await world.as('owner').call(listGuildsV3, { sort: '-id', page: '1', page_size: '1' })
  expect(down.items.map(({ id }) => Number(id))).toEqual([Math.max(...ids)])
  expect(down.meta).toEqual({ page: 1, page_total: ids.length, page_size: 1, total: ids.length })
  expect(up.items[0]).toMatchObject({
    topic: expect.any(String),
    features: [],
    open_id: '0',
    enable_open: false,
    custom_id: '',
    banner: '',
    notify_type: 1,
    region: '',
    buffer_boost_num: 0,
    auto_delete_time: '',
    status: 0,
    master_id: up.items[0]?.user_id,
    recommend_info: null,
  })
})

it('the index has one guild or all, with their emoji, my nickname and my roles', async () => {
  const [one, ...none] = await world.as('member').call(indexGuilds, { guild_id: demo })
  expect(none).toEqual([])
  expect(one).toMatchObject({ id: demo, my_nickname: expect.any(String), emojis: expect.any(Array) })
  expect(one?.my_roles).toHaveLength(1)
  const all = await world.as('member').call(indexGuilds, {})
  expect(all.map(({ id }) => id)).toContain(demo)
})
