import { viewChannel, viewGuild } from '@guildhall/wire/channel/channel.ts'
import { listGuildEmoji } from '@guildhall/wire/emoji/emoji.ts'
import { history } from '@guildhall/wire/message/message.ts'
import { listUnread } from '@guildhall/wire/message/readMark.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clearUserState, roomStore } from '../../app/composition.ts'
import { writeStored } from '../../kit/browser/storage.ts'
import { setLocale } from '../../kit/i18n.ts'
import { cache } from '../../kit/routeQuery.ts'
import { fakeServer } from '../../testing/fakeServer.ts'
import { channelOf, guildOf } from '../../testing/fixtures.ts'
import { fill, press, pressSoon } from '../../testing/hands.ts'
import { messageLike } from '../../testing/messages.ts'
import { showRoom } from '../../testing/showRoom.tsx'

let server: ReturnType<typeof fakeServer>

beforeEach(() => {
  localStorage.clear()
  setLocale('zh-CN')
  cache.clear()
  clearUserState()
  roomStore.setConnected(true)
  vi.stubGlobal('matchMedia', () => ({ matches: true }))
  server = fakeServer()
  server.on(viewGuild, () => guildOf('10', '星海公会', [channelOf('20', '闲聊')]))
  server.on(viewChannel, () => channelOf('20', '闲聊'))
  server.on(history, () => [messageLike(1)])
  server.on(listUnread, () => [])
  server.on(listGuildEmoji, () => ({ items: [], meta: {} as never, sort: {} }))
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const field = () => screen.findByRole('textbox', { name: '发送消息到 #闲聊' }) as Promise<HTMLTextAreaElement>
const write = async (text: string, from = text.length) => {
  const box = await field()
  act(() => box.focus())
  fill(box, { value: text, selectionStart: text.length, selectionEnd: text.length })
  box.setSelectionRange(from, text.length)
  return box
}
const chosen = ({ value, selectionStart, selectionEnd }: HTMLTextAreaElement) =>
  value.slice(selectionStart, selectionEnd)
const preview = () => screen.queryByRole('region', { name: '预览' })

test('the bar is folded until it is opened, and stays open on this device', async () => {
  const first = showRoom()
  await screen.findByRole('button', { name: '文字格式' })
  expect(screen.queryByRole('toolbar')).toBeNull()
  press('文字格式')
  expect(screen.getByRole('toolbar', { name: '文字格式' })).toBeTruthy()
  first.unmount()
  showRoom()
  expect(await screen.findByRole('toolbar', { name: '文字格式' })).toBeTruthy()
})

test('a button formats what is chosen, which stays chosen, and takes the format away again', async () => {
  showRoom()
  const box = await write('今晚七点', 2)
  await pressSoon('文字格式')
  press('加粗')
  expect(box.value).toBe('今晚**七点**')
  expect(chosen(box)).toBe('七点')
  press('加粗')
  expect(box.value).toBe('今晚七点')
})

test('so do the keys, with the bar folded, unless keys are switched off', async () => {
  showRoom()
  const box = await write('今晚七点', 2)
  await screen.findByRole('button', { name: '文字格式' })
  const key = (key: string, more = {}) => fireEvent.keyDown(box, { key, ctrlKey: true, ...more })
  key('i')
  expect(box.value).toBe('今晚*七点*')
  key('X', { shiftKey: true })
  expect(box.value).toBe('今晚*~~七点~~*')
  writeStored('keys', 'off')
  key('b')
  expect(box.value).toBe('今晚*~~七点~~*')
})

test('the preview is there only where the text looks different, and while it is wanted', async () => {
  writeStored('formats', { open: true })
  showRoom()
  await write('看 https://a.example 和 1 * 2')
  await screen.findByRole('toolbar')
  expect(preview()).toBeNull()
  await write('**七点** 开团')
  await expect.poll(() => preview()?.querySelector('strong')?.textContent).toBe('七点')
  press('预览')
  expect(preview()).toBeNull()
  expect(screen.getByRole('button', { name: '预览' }).getAttribute('aria-pressed')).toBe('false')
})

test('the arrow keys lead along the bar, which is one stop of Tab', async () => {
  writeStored('formats', { open: true })
  showRoom()
  const bold = await screen.findByRole('button', { name: '加粗' })
  act(() => bold.focus())
  fireEvent.keyDown(bold, { key: 'ArrowRight' })
  expect(document.activeElement).toBe(screen.getByRole('button', { name: '斜体' }))
  fireEvent.keyDown(bold, { key: 'ArrowLeft' })
  fireEvent.keyDown(bold, { key: 'ArrowLeft' })
  expect(document.activeElement).toBe(screen.getByRole('button', { name: '预览' }))
  expect(
    screen.getAllByRole('button').filter((it) => it.closest('[role=toolbar]') && it.tabIndex === 0),
  ).toHaveLength(1)
})

/** A paste with these in the clipboard. */
const paste = (at: Element, text: string, ...files: File[]) =>
  fireEvent.paste(at, {
    clipboardData: {
      types: ['text/plain', ...(files.length > 0 ? ['Files'] : [])],
      files,
      items: [],
      getData: () => text,
    },
  })
const report = new File(['x'], '排班.pdf', { type: 'application/pdf' })

test('without the right to upload a pasted file is its name', async () => {
  const channel = channelOf('20', '闲聊')
  const closed = { ...channel, permissions: channel.permissions & ~permission.upload_file }
  server.on(viewGuild, () => guildOf('10', '星海公会', [closed]))
  server.on(viewChannel, () => closed)
  showRoom()
  const box = await field()
  await screen.findByRole('button', { name: '文字格式' })
  expect(paste(box, '排班.pdf', report)).toBe(true)
})

test('a file is attached that is pasted into the field, or where nothing is written', async () => {
  showRoom()
  const box = await field()
  await screen.findByRole('button', { name: '文字格式' })
  expect(paste(box, '排班.pdf', report)).toBe(false)
  expect(await screen.findByRole('list', { name: '待发送的图片和文件' })).toBeTruthy()
  expect(paste(document.body, '排班.pdf', report)).toBe(false)
  await expect.poll(() => screen.getByRole('list', { name: '待发送的图片和文件' }).children.length).toBe(2)
  expect(box.value).toBe('')
})

test('while files are dragged over the page, the room shows where they go', async () => {
  showRoom()
  await screen.findByRole('button', { name: '文字格式' })
  const dataTransfer = { types: ['Files'], files: [report] }
  fireEvent.dragOver(document.body, { dataTransfer: { types: ['text/plain'], files: [] } })
  expect(screen.queryByText('松开即可添加')).toBeNull()
  fireEvent.dragOver(document.body, { dataTransfer })
  expect(screen.getByText('松开即可添加').closest('main')).toBeTruthy()
  fireEvent.drop(document.body, { dataTransfer })
  expect(screen.queryByText('松开即可添加')).toBeNull()
  expect(await screen.findByRole('list', { name: '待发送的图片和文件' })).toBeTruthy()
})
