import { userState } from '@guildhall/wire/auth/userState.ts'
import { viewUser } from '@guildhall/wire/guild/guild.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import { viewInvite } from '@guildhall/wire/invite/invite.ts'
import { listMembers } from '@guildhall/wire/member/member.ts'
import { userList } from '@guildhall/wire/member/userList.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openConnection } from '../testing/connection.ts'
import { openWorld, type TestWorld } from '../testing/world.ts'

const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15'
const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36'

let world: TestWorld
let port: number
beforeAll(async () => {
  world = await openWorld()
  port = Number(new URL(await world.app.listen()).port)
})
afterAll(() => world.close())

const demo = () => world.guilds[0]!.id as GuildId
async function connect(agent: string) {
  const { gateway_url } = await world.as('member').call(userState)
  return openConnection(gateway_url, port, { 'user-agent': agent })
}
const seen = async () => {
  const { data, online_count } = await world.as('owner').call(listMembers, { id: demo() })
  const row = data.find(({ id }) => id === world.people.member.id)
  const { items } = await world.as('owner').call(userList, {
    guild_id: demo(),
    filter_user_id: world.people.member.id,
  })
  const card = await world.as('owner').call(viewUser, { user_id: world.people.member.id, guild_id: demo() })
  const { guild } = await world.as(null).call(viewInvite, { id: world.invite })
  expect([row?.os, row?.online]).toEqual([card.os, card.online])
  expect([row?.os, row?.online]).toEqual([items[0]?.os, items[0]?.online])
  expect(online_count).toBe(guild.online_count)
  return [row?.os, online_count]
}

it('list, card, invite and the public call say the same system and number, through every change of connections', async () => {
  expect(await seen()).toEqual(['', 0])
  const phone = await connect(IPHONE)
  expect(await seen()).toEqual(['iOS', 1])
  const desk = await connect(WINDOWS)
  expect(await seen()).toEqual(['Windows', 1])
  desk.close()
  await expect.poll(seen).toEqual(['iOS', 1])
  phone.close()
  await expect.poll(seen).toEqual(['', 0])
})
