import { viewGuild } from '@guildhall/wire/channel/channel.ts'
import { listRooms } from '@guildhall/wire/channel/rooms.ts'
import { createPrivate, listChats } from '@guildhall/wire/chat/chat.ts'
import { forwardMessage } from '@guildhall/wire/chat/forward.ts'
import { fail } from '@guildhall/wire/failure.ts'
import { listFriends } from '@guildhall/wire/friend/friend.ts'
import { listGuilds } from '@guildhall/wire/guild/guild.ts'
import { cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fakeServer } from '../../testing/fakeServer.ts'
import { channelOf, friendsOf, guildOf, sessionOf } from '../../testing/fixtures.ts'
import { press, pressSoon, type, typeSoon } from '../../testing/hands.ts'
import { messageLike } from '../../testing/messages.ts'
import { renderAt } from '../../testing/renderAt.tsx'
import ForwardSheet from './ForwardSheet.tsx'

let server: ReturnType<typeof fakeServer>
let isClosed = false
beforeEach(() => {
  isClosed = false
  server = fakeServer()
  server.on(listChats, () => ({
    items: [],
    meta: { page: 1, page_total: 1, page_size: 50, total: 0 },
    sort: {},
  }))
  server.on(listGuilds, () => [])
  server.on(listRooms, () => [])
  server.on(listFriends, () => friendsOf([{ id: '5', username: '小满', spelling: 'xiao man' }]))
  server.on(viewGuild, () => guildOf('10', '星海公会', [channelOf('20', '闲聊')]))
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const show = (ids = [messageLike(1).id]) =>
  renderAt(
    '/x',
    '/x',
    <ForwardSheet
      messageIds={ids}
      guildId={'10' as never}
      onClose={() => {
        isClosed = true
      }}
    />,
    sessionOf().user,
  )

test('what is sent on again after a failure is the same message to the server', async () => {
  server.on(forwardMessage, () => fail('internal'))
  show()
  await pressSoon('闲聊')
  await pressSoon('发送')
  await expect.poll(() => server.received(forwardMessage).length).toBe(1)
  expect(isClosed).toBe(false)
  server.on(forwardMessage, ({ nonce }) => ({ msgId: messageLike(2).id, msgTimestamp: 1, nonce }))
  await expect
    .poll(() => screen.getByRole('button', { name: '发送' }).getAttribute('aria-disabled'))
    .toBeNull()
  await pressSoon('发送')
  await expect.poll(() => isClosed).toBe(true)
  const [first, second] = server.received(forwardMessage)
  expect(first?.nonce).not.toBe('')
  expect(second).toEqual(first)
})

test('several go in their order; after one that is refused it says how many did not', async () => {
  const all = [messageLike(1).id, messageLike(2).id, messageLike(3).id]
  server.on(forwardMessage, ({ msg_id, nonce }) =>
    msg_id === all[1] ? fail('internal') : { msgId: messageLike(9).id, msgTimestamp: 1, nonce },
  )
  show(all)
  await pressSoon('闲聊')
  await pressSoon('发送 3 条消息')
  expect(await screen.findByText('还有 2 条没有转发')).toBeTruthy()
  const sent = server.received(forwardMessage)
  expect(sent.map(({ msg_id }) => msg_id)).toEqual(all.slice(0, 2))
  expect(new Set(sent.map(({ nonce }) => nonce)).size).toBe(2)
  expect(isClosed).toBe(true)
})

test('a word goes after the message; when it is refused the second try repeats both', async () => {
  localStorage.clear()
  server.on(forwardMessage, ({ nonce }) => ({ msgId: messageLike(2).id, msgTimestamp: 1, nonce }))
  server.on(createPrivate, () => fail('message.not_allowed'))
  show()
  await typeSoon('搜索', 'xiaom')
  await pressSoon(/小满/)
  await typeSoon(/附一句话/, ' 看这个 ')
  press('发送')
  expect(await screen.findByRole('textbox', { name: /附一句话/, description: /./ })).toBeTruthy()
  server.on(createPrivate, ({ nonce }) => ({ msg_id: messageLike(3).id, msg_timestamp: 1, nonce }))
  await expect
    .poll(() => screen.getByRole('button', { name: '发送' }).getAttribute('aria-disabled'))
    .toBeNull()
  press('发送')
  await expect.poll(() => isClosed).toBe(true)
  const [first, second] = server.received(createPrivate)
  expect(second).toEqual(first)
  expect(second).toMatchObject({ target_id: '5', content: '看这个' })
  expect(new Set(server.received(forwardMessage).map(({ nonce }) => nonce)).size).toBe(1)
  cleanup()
  // Who was forwarded to is offered first the next time.
  show()
  expect(await screen.findByRole('heading', { name: '最近' })).toBeTruthy()
  expect(await screen.findByRole('button', { name: /小满/ })).toBeTruthy()
})

test('a search without a match says so', async () => {
  show()
  await screen.findByText('闲聊')
  type('搜索', '没有')
  expect(await screen.findByText('没有找到这个人或频道')).toBeTruthy()
})
