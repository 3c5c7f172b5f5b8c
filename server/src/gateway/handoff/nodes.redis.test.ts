/** Two whole nodes in one process, on one database and one Redis that is stopped and started. */
import { updateOverwrite } from '@guildhall/wire/channel/overwrite.ts'
import { createChannel } from '@guildhall/wire/channel/publicChannel.ts'
import { sendToChannel } from '@guildhall/wire/message/message.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { commit } from '../../kit/events/events.ts'
import { join } from '../../member/member.ts'
import { callOver } from '../../testing/calls.ts'
import { openTestRedis, type TestRedis } from '../../testing/nodes/redis.ts'
import { type Client, openTwoNodes, received, soon, type TwoNodes } from '../../testing/nodes/twoNodes.ts'
import { openWorld, type TestWorld } from '../../testing/world.ts'

let world: TestWorld
let redis: TestRedis
let nodes: TwoNodes

beforeAll(async () => {
  ;[world, redis] = await Promise.all([openWorld(), openTestRedis()])
  nodes = await openTwoNodes(world, redis.url)
})
afterEach(() => nodes.disconnect())
afterAll(async () => {
  await nodes?.close()
  await redis?.close()
  await world?.close()
})

it('a message sent at one node is received at the other', async () => {
  const client = await nodes.connect(1, 'member')
  await nodes.sendText(0, '隔壁')
  await received(client, '隔壁')
})

it('while Redis is unavailable and after it is back, each message is received once and in order', async () => {
  const client = await nodes.connect(1, 'member')
  await nodes.sendText(0, '走前')
  await redis.kill()
  await nodes.areCutOff()
  await nodes.sendText(0, '不在 1')
  await nodes.sendText(1, '不在 2')
  await nodes.sendText(0, '不在 3')
  await received(client, '不在 3')
  await redis.start()
  await nodes.areReady()
  await nodes.sendText(0, '回来')
  await received(client, '回来')
  expect(client.words()).toEqual(['走前', '不在 1', '不在 2', '不在 3', '回来'])
})

it('a person who joins a guild at one node receives its events at the other, with or without Redis', async () => {
  const client = await nodes.connect(1, 'outsider')
  await redis.kill()
  await nodes.areCutOff()
  const guildId = world.guilds[0]!.id
  await commit(nodes.apps[0]!.appContext, (tx, emit) => join(tx, emit, guildId, world.people.outsider.id))
  const isTold = () => client.frames.some(({ d }) => d?.extra?.type === 'self_joined_guild')
  await vi.waitUntil(isTold, soon)
  await redis.start()
  await nodes.areReady()
  await nodes.sendText(0, '欢迎')
  await received(client, '欢迎')
})

it('a session that moves to a node that lags behind receives nothing twice', async () => {
  await nodes.connect(1, 'owner')
  await redis.kill()
  await nodes.areCutOff()
  for (let n = 0; n < 4; n += 1) {
    const before = await nodes.connect(0, 'member')
    await nodes.sendText(0, `之前 ${n}`)
    await received(before, `之前 ${n}`)
    // Long enough for the first node to store the session, too short for a poll of the other node.
    await new Promise((wait) => setTimeout(wait, 200))
    const sn = before.frames.findLast(({ s }) => s === 0)?.sn
    before.socket.terminate()
    const after = await nodes.connect(1, 'member', `&resume=1&sn=${sn}&session_id=${before.session()}`)
    await nodes.sendText(1, `之后 ${n}`)
    await received(after, `之后 ${n}`)
    expect(after.session()).toBe(before.session())
    expect([...before.words(), ...after.words()].filter((text) => text.endsWith(` ${n}`))).toEqual([
      `之前 ${n}`,
      `之后 ${n}`,
    ])
  }
  await redis.start()
  await nodes.areReady()
})

it('files of a channel that not everybody may view have signed addresses at every node, and after a move', async () => {
  const call = callOver(nodes.apps[0]!.inject, await world.tokenOf('owner'))
  const { id: channel_id } = await call(createChannel, { guild_id: world.guilds[0]!.id, name: '密室' })
  const { view_channel: VIEW } = permission
  await call(updateOverwrite, { channel_id, value: world.idOf('member'), allow: VIEW })
  await call(updateOverwrite, { channel_id, type: 'role_id', value: 0, deny: VIEW })
  const [here, there] = [await nodes.connect(0, 'member'), await nodes.connect(1, 'member')]
  const show = (name: string) => {
    const content = `http://localhost/assets/2026-11/${name}0p00go.png`
    return call(sendToChannel, { id: channel_id, content: JSON.stringify({ type: 9, content }) })
  }
  await show('firstfirst')
  const signed = (client: Client, name: string) =>
    client.words().find((it) => it.includes(`${name}0p00go.png?e=`))
  await vi.waitUntil(() => signed(here, 'firstfirst') && signed(there, 'firstfirst'), soon)
  expect(signed(here, 'firstfirst')).toBe(signed(there, 'firstfirst'))

  const sn = here.frames.findLast(({ s }) => s === 0)?.sn
  here.socket.terminate()
  await show('secondfile')
  const moved = await nodes.connect(1, 'member', `&resume=1&sn=${sn}&session_id=${here.session()}`)
  await vi.waitUntil(() => signed(moved, 'secondfile') && signed(there, 'secondfile'), soon)
  expect(moved.session()).toBe(here.session())
  expect(signed(moved, 'secondfile')).toBe(signed(there, 'secondfile'))
})
