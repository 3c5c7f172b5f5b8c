import { viewGuild } from '@guildhall/wire/channel/channel.ts'
import { listChats } from '@guildhall/wire/chat/chat.ts'
import { forwardMessage } from '@guildhall/wire/chat/forward.ts'
import { fail } from '@guildhall/wire/failure.ts'
import { listGuilds } from '@guildhall/wire/guild/guild.ts'
import { cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fakeServer } from '../../testing/fakeServer.ts'
import { channelOf, guildOf, sessionOf } from '../../testing/fixtures.ts'
import { pressSoon } from '../../testing/hands.ts'
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
  await expect.poll(() => server.received(forwardMessage).length).toBe(1)
  expect(isClosed).toBe(false)
  server.on(forwardMessage, ({ nonce }) => ({ msgId: messageLike(2).id, msgTimestamp: 1, nonce }))
  await expect.poll(() => screen.queryByText('闲聊')?.closest('[aria-busy=true]')).toBeNull()
  await pressSoon('闲聊')
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
  expect(await screen.findByText('还有 2 条没有转发')).toBeTruthy()
  const sent = server.received(forwardMessage)
  expect(sent.map(({ msg_id }) => msg_id)).toEqual(all.slice(0, 2))
  expect(new Set(sent.map(({ nonce }) => nonce)).size).toBe(2)
  expect(isClosed).toBe(true)
})
