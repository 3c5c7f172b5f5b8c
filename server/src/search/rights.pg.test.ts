import { leaveGuild } from '@guildhall/wire/guild/ownGuild.ts'
import type { ChannelId } from '@guildhall/wire/id.ts'
import { deleteMessage } from '@guildhall/wire/message/action.ts'
import { searchFiles, searchMessages } from '@guildhall/wire/search/search.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createChannel, HIDDEN_FROM_EVERYONE, setRule } from '../channel/channel.ts'
import { commit } from '../kit/events/events.ts'
import { openWorld, type TestWorld } from '../testing/world.ts'

let world: TestWorld
let id: ChannelId
beforeAll(async () => {
  world = await openWorld()
  id = await commit(world.app.appContext, (tx, emit) =>
    createChannel(tx, emit, { guildId: world.guildId, name: '竞', type: 1 }),
  )
})
afterAll(() => world?.close())
const found = async () => (await world.as('member').call(searchMessages, { q: '口令' })).items.length

it('a search that begins after a message was deleted never has it, however many run', async () => {
  for (let round = 0; round < 5; round += 1) {
    const message = await world.as('owner').say(id, '口令')
    const running = [found(), found()]
    await world.as('owner').call(deleteMessage, { msg_id: message.id })
    const after = await Promise.all([found(), found()])
    expect(after).toEqual([0, 0])
    for (const count of await Promise.all(running)) expect(count).toBeLessThanOrEqual(1)
  }
})

it('a search that begins after a channel was hidden has nothing of it', async () => {
  await world.as('owner').say(id, '口令')
  expect(await found()).toBe(1)
  const running = [found(), found()]
  await commit(world.app.appContext, (tx, emit) => setRule(tx, emit, id, HIDDEN_FROM_EVERYONE))
  expect(await Promise.all([found(), found()])).toEqual([0, 0])
  await Promise.all(running)
})

it('who has left a guild finds nothing of it', async () => {
  await world.as('admin').say(world.main.id, '口令')
  expect(await found()).toBe(1)
  await world.as('member').call(leaveGuild, { guild_id: world.guildId })
  expect(await found()).toBe(0)
  const where = { q: '口令', guild_id: world.guildId }
  for (const route of [searchMessages, searchFiles])
    expect(await world.as('member').refusal(route, where)).toBe('forbidden')
})

it('a person searches so often as the scaled limit allows in ten seconds, over all sessions and both calls', async () => {
  const strict = await openWorld({ RATE_LIMIT_SCALE: '0.2' })
  try {
    const sessions = [await strict.login('member'), await strict.login('member')]
    const refusals: string[] = []
    for (let each = 0; each < 7; each += 1) {
      const route = each % 3 === 0 ? searchFiles : searchMessages
      refusals.push(await strict.as({ token: sessions[each % 2]! }).refusal(route, { q: '口令' }))
    }
    expect(refusals).toEqual([...Array(6).fill('none'), 'too_many'])
    expect(await strict.as('owner').refusal(searchMessages, { q: '口令' })).toBe('none')
  } finally {
    await strict.close()
  }
})
