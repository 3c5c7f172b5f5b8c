import { viewChannel, viewGuild } from '@guildhall/wire/channel/channel.ts'
import { addReaction, deleteReaction } from '@guildhall/wire/message/action.ts'
import { emojiId } from '@guildhall/wire/message/emoji.ts'
import { history, type Message } from '@guildhall/wire/message/message.ts'
import { listUnread } from '@guildhall/wire/message/readMark.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clearUserState, roomStore } from '../../app/composition.ts'
import { addRecentEmoji } from '../../emoji/recentEmoji.ts'
import { setLocale } from '../../kit/i18n.ts'
import { cache } from '../../kit/routeQuery.ts'
import { fakeServer } from '../../testing/fakeServer.ts'
import { channelOf, guildOf } from '../../testing/fixtures.ts'
import { press } from '../../testing/hands.ts'
import { messageLike } from '../../testing/messages.ts'
import { showRoom } from '../../testing/showRoom.tsx'
import { left } from '../../ui/page/useEntrance.ts'

// What the first screen does not need comes at once here.
vi.mock('../../kit/useLater.ts', () => ({ useLater: () => true }))

let server: ReturnType<typeof fakeServer>
let stored: Message[]

beforeEach(() => {
  localStorage.clear()
  setLocale('zh-CN')
  cache.clear()
  clearUserState()
  roomStore.setConnected(true)
  // A phone: fingers, and no mouse.
  vi.stubGlobal('matchMedia', (query: string) => ({ matches: query.includes('coarse') }))
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(800)
  stored = [messageLike(1, { content: '今晚 [攻略](https://a.example) `npm`' }), messageLike(2)]
  server = fakeServer()
  server.on(viewGuild, () => guildOf('10', '星海公会', [channelOf('20', '闲聊')]))
  server.on(viewChannel, () => channelOf('20', '闲聊'))
  server.on(history, () => stored)
  server.on(listUnread, () => [])
  server.on(addReaction, () => ({ revision: 1 }) as never)
  server.on(deleteReaction, () => ({ revision: 2 }) as never)
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const opened = async () => {
  showRoom()
  // Loaded with what the fingers do.
  await screen.findByRole('button', { name: '文字格式' })
  await expect.poll(() => document.querySelector('[data-part=message-scroll] ~ span')).toBeTruthy()
}
const row = (words: string | RegExp) => screen.getByText(words).closest<HTMLElement>('[data-part=message]')!
/** When the next event of a finger happens, ms: a busy machine takes longer for a tap than any finger. */
let at = 1_000
/** A finger's events on an element, each 20 ms after the one before. */
const finger = (on: Element, type: string, x: number, y: number, pointerType = 'touch') => {
  const event = new PointerEvent(type, { bubbles: true, pointerId: 1, pointerType, clientX: x, clientY: y })
  at += 20
  Object.defineProperty(event, 'timeStamp', { value: at })
  return act(() => on.dispatchEvent(event))
}
const swipe = (
  on: Element,
  dx: number,
  dy = 0,
  { from = 300, pointerType = 'touch', last = 'pointerup' } = {},
) => {
  finger(on, 'pointerdown', from, 400, pointerType)
  for (const part of [0.25, 0.5, 1]) finger(on, 'pointermove', from + dx * part, 400 + dy * part, pointerType)
  const during = row('message 2').style.transform
  finger(on, last, from + dx, 400 + dy, pointerType)
  return during
}
const isReplying = () => screen.queryByRole('button', { name: '取消回复' }) !== null

test('no swipe: one that was too short, taken away, slanting, to the right, or by a mouse', async () => {
  await opened()
  const on = row('message 2')
  swipe(on, -40)
  swipe(on, -200, 0, { last: 'pointercancel' })
  expect(swipe(on, -100, 90)).toBe('')
  expect(swipe(on, 120)).toBe('')
  expect(swipe(on, -120, 0, { pointerType: 'mouse' })).toBe('')
  expect(isReplying()).toBe(false)
})

test('no swipe where something scrolls sideways, and none of who may not write', async () => {
  await opened()
  const code = screen.getByText('npm')
  vi.spyOn(code, 'scrollWidth', 'get').mockReturnValue(900)
  vi.spyOn(code, 'clientWidth', 'get').mockReturnValue(200)
  code.style.overflowX = 'auto'
  swipe(code, -120)
  expect(isReplying()).toBe(false)
  cleanup()
  clearUserState()
  const channel = channelOf('20', '闲聊')
  const closed = { ...channel, permissions: channel.permissions & ~permission.send_message }
  server.on(viewGuild, () => guildOf('10', '星海公会', [closed]))
  server.on(viewChannel, () => closed)
  cache.clear()
  showRoom()
  await expect.poll(() => document.querySelector('[data-part=message-scroll] ~ span')).toBeTruthy()
  expect(swipe(row('message 2'), -120)).toBe('')
})

test('a swipe to the left moves the message with the finger, and replies', async () => {
  const vibrate = vi.fn()
  vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { vibrate }))
  await opened()
  const on = row('message 2')
  expect(swipe(on, -80)).toBe('translateX(-80px)')
  expect(on.style.transform).toBe('')
  await expect.poll(isReplying).toBe(true)
  expect(document.querySelector('[data-part=reply]')?.textContent).toContain('message 2')
  expect(vibrate).toHaveBeenCalledTimes(1)
})

const tapTwice = (on: Element) => {
  for (const _ of [1, 2]) {
    finger(on, 'pointerdown', 200, 400)
    finger(on, 'pointerup', 200, 400)
  }
}
const reacted = () => server.received(addReaction).map(({ emoji }) => emoji)

test('two taps react with the thumb where no emoji was picked yet, and two more take it back', async () => {
  await opened()
  tapTwice(row('message 2'))
  await expect.poll(reacted).toEqual([emojiId('👍')])
  stored = []
  await expect.poll(() => screen.queryByText('👍')).toBeTruthy()
  tapTwice(row('message 2'))
  await expect.poll(() => server.received(deleteReaction).length).toBe(1)
})

test('two taps react with what was picked last and may be used here', async () => {
  addRecentEmoji({ id: emojiId('🚀'), name: '🚀' })
  addRecentEmoji({ id: '99/abc', name: '别家' })
  await opened()
  tapTwice(row('message 2'))
  await expect.poll(reacted).toEqual([emojiId('🚀')])
})

test('two taps on a link, on a button, or on two messages do not react', async () => {
  await opened()
  tapTwice(screen.getByRole('link', { name: /攻略/ }))
  tapTwice(screen.getAllByRole('button', { name: 'Ann 的消息：更多操作' })[0]!)
  for (const words of [/今晚/, 'message 2']) {
    finger(row(words), 'pointerdown', 200, 400)
    finger(row(words), 'pointerup', 200, 400)
  }
  tapTwice(row('message 2'))
  await expect.poll(() => reacted().length).toBe(1)
})

test('a drag from the left edge takes the room along, and goes back when it is released far enough', async () => {
  vi.stubGlobal('innerWidth', 390)
  await opened()
  const page = document.querySelector('main')!.parentElement!
  const back = vi.fn()
  screen.getByRole('button', { name: '返回' }).addEventListener('click', back)
  finger(row('message 2'), 'pointerdown', 10, 400)
  finger(row('message 2'), 'pointermove', 60, 402)
  finger(row('message 2'), 'pointermove', 90, 402)
  expect(page.style.transform).toBe('translateX(80px)')
  finger(row('message 2'), 'pointerup', 90, 402)
  expect(page.style.transform).toBe('')
  expect(swipe(row('message 2'), 300, 0, { from: 120 })).toBe('')
  expect(page.style.transform).toBe('')
  expect(back).not.toHaveBeenCalled()
  swipe(row('message 2'), 200, 0, { from: 10 })
  await expect.poll(() => back.mock.calls.length).toBe(1)
})

test('below the dragged room is the list as it was left, until the room covers it again or somebody logs out', async () => {
  const list = document.createElement('div')
  list.innerHTML = '<main><nav data-top="40">频道们</nav></main>'
  await opened()
  left.list = list
  const on = row('message 2')
  finger(on, 'pointerdown', 10, 400)
  finger(on, 'pointermove', 90, 402)
  const below = screen.getByText('频道们')
  expect(below.scrollTop).toBe(40)
  expect(below.closest('[aria-hidden=true]')).toBeTruthy()
  finger(on, 'pointerup', 90, 402)
  await expect.poll(() => screen.queryByText('频道们')).toBeNull()
  clearUserState()
  expect(left.list).toBeUndefined()
})

test('a part of a text is chosen in a sheet that the menu leads to', async () => {
  await opened()
  fireEvent.click(screen.getAllByRole('button', { name: 'Ann 的消息：更多操作' })[1]!)
  await screen.findByRole('button', { name: '选择文字' })
  press('选择文字')
  expect(screen.getByRole('dialog', { name: '选择文字' }).textContent).toContain('message 2')
  expect(getSelection()?.toString()).toContain('message 2')
})
