import { fail } from '@guildhall/wire/failure.ts'
import type { ChannelId, UserId } from '@guildhall/wire/id.ts'
import { unpinMessage } from '@guildhall/wire/message/action.ts'
import { listPins, type Pin } from '@guildhall/wire/message/pin.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clearUserState, roomStore } from '../../app/composition.ts'
import { setLocale } from '../../kit/i18n.ts'
import { fakeServer } from '../../testing/fakeServer.ts'
import { sessionOf } from '../../testing/fixtures.ts'
import { messageLike } from '../../testing/messages.ts'
import { renderAt } from '../../testing/renderAt.tsx'
import PinsSheet from './PinsSheet.tsx'

let server: ReturnType<typeof fakeServer>
let pins: Pin[]
const jumped = vi.fn()
const me = sessionOf().user
const show = (permissions = 842248) =>
  renderAt(
    '/x',
    '/x',
    <PinsSheet
      channelId={'20' as ChannelId}
      context={{ me, guild: null }}
      rights={{ meId: '7', mobile_verified: true, permissions, canSend: true }}
      actions={roomStore.open('20' as ChannelId, '7')}
      onJump={jumped}
      onClose={() => undefined}
    />,
  )

beforeEach(() => {
  localStorage.clear()
  setLocale('zh-CN')
  clearUserState()
  jumped.mockReset()
  server = fakeServer()
  pins = [
    {
      message: messageLike(2, { content: '周六 **开荒**，(spl)别告诉别人(spl)' }),
      pinned_at: Date.now(),
      pinned_by: { id: '4' as UserId, name: '小橙' },
    },
    { message: messageLike(1, { type: 2, content: 'x' }), pinned_at: Date.now(), pinned_by: null },
  ]
  server.on(listPins, () => pins)
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('a failed load shows an error and a retry; no pins show an empty state', async () => {
  let down = true
  server.on(listPins, () => (down ? fail('forbidden') : []))
  show()
  expect(await screen.findByText('置顶消息加载失败')).toBeTruthy()
  down = false
  fireEvent.click(screen.getByRole('button', { name: '重试' }))
  expect(await screen.findByText('还没有置顶消息')).toBeTruthy()
})

test('each pin shows its content, who pinned it and when, hides spoilers, and can be jumped to', async () => {
  show()
  expect(screen.getByRole('status', { name: '加载中' })).toBeTruthy()
  expect(await screen.findByText('周六 开荒，▇▇▇')).toBeTruthy()
  expect(screen.getByText(/^小橙 置顶于 今天/)).toBeTruthy()
  // A picture is shown as a thumbnail, with its kind as alternative text and as fallback.
  expect(screen.getByText('[图片]').className).toBe('unseen')
  fireEvent.error(document.querySelector('[data-part=pin-thumb]')!)
  expect(screen.getByText('[图片]').dataset.part).toBe('pin-text')
  expect(screen.queryByRole('button', { name: /^取消置顶/ })).toBeNull()
  fireEvent.click(screen.getAllByRole('button', { name: /查看 Ann 的置顶消息/ })[0]!)
  expect(jumped).toHaveBeenCalledWith(messageLike(2).id)
})

test('files are shown by name, cards by their first text', async () => {
  const raw = (raw_content: string) => ({ ...messageLike(3).kmarkdown, raw_content })
  const attachments = { type: 'file', name: '攻略.pdf', url: 'x' }
  pins = [
    { ...pins[1]!, message: messageLike(3, { type: 3, content: 'x', attachments }) },
    { ...pins[1]!, message: messageLike(4, { type: 10, kmarkdown: raw('\n周六名单\n先到先得') }) },
    { ...pins[1]!, message: messageLike(5, { type: 10, kmarkdown: raw('') }) },
  ]
  show()
  expect(await screen.findByText('[文件] 攻略.pdf')).toBeTruthy()
  expect(screen.getByText('周六名单')).toBeTruthy()
  expect(screen.getByText('[卡片消息]')).toBeTruthy()
})

test('moderators unpin; a refusal is shown', async () => {
  server.on(unpinMessage, () => fail('message.no_right'))
  show(permission.view_channel | permission.manage_message)
  fireEvent.click((await screen.findAllByRole('button', { name: '取消置顶 Ann 的消息' }))[0]!)
  await waitFor(() => expect(server.received(unpinMessage)).toHaveLength(1))
  expect(screen.getAllByRole('listitem')).toHaveLength(2)
  server.on(unpinMessage, ({ msg_id }) => {
    pins = pins.filter((it) => it.message.id !== msg_id)
    return { revision: 2 }
  })
  fireEvent.click(screen.getAllByRole('button', { name: '取消置顶 Ann 的消息' })[0]!)
  await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(1))
})
