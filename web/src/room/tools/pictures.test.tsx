import { viewChannel, viewGuild } from '@guildhall/wire/channel/channel.ts'
import { kindNumber } from '@guildhall/wire/message/kind.ts'
import { history, type Message } from '@guildhall/wire/message/message.ts'
import { listUnread } from '@guildhall/wire/message/readMark.ts'
import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clearUserState, roomStore } from '../../app/composition.ts'
import { setLocale } from '../../kit/i18n.ts'
import { cache } from '../../kit/routeQuery.ts'
import { fakeServer } from '../../testing/fakeServer.ts'
import { channelOf, guildOf } from '../../testing/fixtures.ts'
import { messageLike } from '../../testing/messages.ts'
import { showRoom } from '../../testing/showRoom.tsx'

const url = (name: string) => `https://hall.example/assets/2026-11/abcdefghi${name}0u00dw.png`
const pictureOf = (seq: number, nickname: string): Message =>
  messageLike(seq, {
    type: kindNumber('image', 'specification'),
    content: url(String(seq)),
    attachments: { type: 'image', name: `${seq}.png`, url: url(String(seq)) } as never,
    author: { ...messageLike(seq).author, id: String(seq) as never, nickname },
  })

beforeEach(() => {
  localStorage.clear()
  setLocale('zh-CN')
  cache.clear()
  clearUserState()
  roomStore.setConnected(true)
  vi.stubGlobal('matchMedia', () => ({ matches: true }))
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(800)
  const server = fakeServer()
  server.on(viewGuild, () => guildOf('10', '星海公会', [channelOf('20', '闲聊')]))
  server.on(viewChannel, () => channelOf('20', '闲聊'))
  server.on(history, () => [
    pictureOf(1, '小满'),
    messageLike(2, { embeds: [{ type: 'image', url: 'https://i.example.com/b.png' }] }),
    messageLike(3),
    pictureOf(4, '阿澈'),
  ])
  server.on(listUnread, () => [])
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const viewer = () => screen.getByRole('dialog')
const openLast = async () => {
  showRoom()
  // What shares the pictures is loaded after the list.
  await expect.poll(() => document.querySelector('[data-part=message-scroll] ~ span')).toBeTruthy()
  const picture = await screen.findByRole('button', { name: '图片 4.png' })
  fireEvent.click(picture)
  await screen.findByRole('dialog')
}

test('the viewer knows who sent a picture, and goes through those of the room and of its links', async () => {
  await openLast()
  expect(within(viewer()).getByRole('status', { name: /^阿澈，/ })).toBeTruthy()
  fireEvent.keyDown(viewer(), { key: 'ArrowLeft' })
  expect(viewer().getAttribute('aria-label')).toBe('图片')
  fireEvent.keyDown(viewer(), { key: 'ArrowLeft' })
  expect(viewer().getAttribute('aria-label')).toBe('图片 1.png')
  expect(within(viewer()).getByRole('status', { name: /^小满，/ })).toBeTruthy()
})

test('a reply and a forward from there are of the picture that is shown', async () => {
  await openLast()
  fireEvent.keyDown(viewer(), { key: 'ArrowLeft' })
  fireEvent.keyDown(viewer(), { key: 'ArrowLeft' })
  fireEvent.click(within(viewer()).getByRole('button', { name: '回复' }))
  expect(await screen.findByRole('button', { name: '取消回复' })).toBeTruthy()
  expect(document.querySelector('[data-part=reply]')?.textContent).toContain('小满')
  expect(screen.queryByRole('dialog')).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: '图片 4.png' }))
  await screen.findByRole('dialog')
  fireEvent.click(within(viewer()).getByRole('button', { name: '转发' }))
  expect(await screen.findByRole('dialog', { name: '转发给' })).toBeTruthy()
})
