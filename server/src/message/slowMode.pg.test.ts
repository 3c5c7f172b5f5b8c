import { createChannel, updateChannel } from '@guildhall/wire/channel/publicChannel.ts'
import type { ChannelId, GuildId } from '@guildhall/wire/id.ts'
import { sendToChannel } from '@guildhall/wire/message/message.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { setRule } from '../channel/channel.ts'
import type { PersonName } from '../demo/world.ts'
import { replaceClock } from '../kit/clock.ts'
import { commit } from '../kit/events/events.ts'
import { Refused } from '../testing/calls.ts'
import { openWorld, type TestWorld } from '../testing/world.ts'

let world: TestWorld
let channel: ChannelId
let now = Date.now()
let restore: () => void = () => undefined
beforeAll(async () => {
  world = await openWorld()
  restore = replaceClock(() => now)
  const guild_id = world.guilds[0]?.id as GuildId
  const made = await world.as('owner').call(createChannel, { guild_id, name: '慢慢说' })
  channel = made.id
  await world.as('owner').call(updateChannel, { channel_id: channel, slow_mode: 10 })
})
afterAll(async () => {
  restore()
  await world.close()
})
afterEach(() => {
  now += 60 * SECOND_MS
})

const send = (name: PersonName, content = 'x', nonce = '') =>
  world.as(name).call(sendToChannel, { id: channel, content, nonce })
const wait = async (name: PersonName, content = 'x', nonce = '') => {
  const error = await send(name, content, nonce).then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (error !== null && !(error instanceof Refused)) throw error
  return error && [error.failure, error.body.data?.extra?.n, error.body.message]
}

it('a second message is refused, with how long to wait, until the time is over', async () => {
  expect(await wait('member')).toBe(null)
  now += 3 * SECOND_MS
  expect(await wait('member')).toEqual(['message.too_soon', 7, '慢速模式：请 7 秒后再发送'])
  now += 7 * SECOND_MS
  expect(await wait('member')).toBe(null)
})

it('of two messages at once only one is sent; others do not wait for it', async () => {
  const both = await Promise.all([wait('member', 'a'), wait('member', 'b')])
  expect(both.filter((it) => it === null)).toHaveLength(1)
  expect(await wait('muted')).toBe(null)
})

it('a message that is refused for another reason does not count', async () => {
  expect((await wait('member', ' '))?.[0]).toBe('message.empty')
  expect(await wait('member')).toBe(null)
})

it('a repeated nonce is answered with the first message', async () => {
  const first = await send('member', 'once', 'n-1')
  expect((await send('member', 'once', 'n-1')).msgId).toBe(first.msgId)
})

it('who manages the channel or its messages does not wait', async () => {
  for (const name of ['owner', 'admin'] as const) for (const _ of [1, 2]) expect(await wait(name)).toBe(null)
  const rule = { user_id: world.people.member.id, allow: permission.manage_message, deny: 0 }
  await commit(world.app.appContext, (tx, emit) => setRule(tx, emit, channel, rule))
  for (const _ of [1, 2]) expect(await wait('member')).toBe(null)
})
