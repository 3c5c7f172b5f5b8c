import { viewGuild } from '@guildhall/wire/channel/channel.ts'
import { fail } from '@guildhall/wire/failure.ts'
import { listGuilds } from '@guildhall/wire/guild/guild.ts'
import { listUnread, listWaiting } from '@guildhall/wire/message/readMark.ts'
import { siteInfo } from '@guildhall/wire/site/site.ts'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { readStored, writeStored } from '../kit/browser/storage.ts'
import { setLocale } from '../kit/i18n.ts'
import { forgetNativeApp } from '../native/openApp/openApp.ts'
import { type Shell, setShell } from '../native/shell.ts'
import { fakeServer } from '../testing/fakeServer.ts'
import { channelOf, guildOf, sessionOf, siteOf } from '../testing/fixtures.ts'
import { renderAt } from '../testing/renderAt.tsx'
import ChannelsScreen from './ChannelsScreen.tsx'

const tree = [
  channelOf('40', '大厅', {
    type: 0,
    is_category: true,
    channels: [channelOf('20', '闲聊'), channelOf('24', '开黑房', { type: 2 })],
  }),
]
const hall = guildOf('10', '星海公会', tree)
let server: ReturnType<typeof fakeServer>
const show = (address: string, more = {}) =>
  renderAt(
    address,
    '/channels/:guildId?',
    <ChannelsScreen NewGuild={() => null} InviteFriends={() => null} LastWords={() => null} />,
    sessionOf(more).user,
  )

beforeEach(() => {
  localStorage.clear()
  setLocale('zh-CN')
  server = fakeServer()
  server.on(listUnread, () => [])
  server.on(listWaiting, () => [])
  server.on(listGuilds, () => [hall, guildOf('11', 'Night Owls')])
  server.on(viewGuild, ({ id }) => (id === '10' ? hall : guildOf('11', 'Night Owls')))
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('a user without guilds sees how to join one', async () => {
  server.on(listGuilds, () => [])
  show('/channels/')
  expect(await screen.findByText('还没有加入公会')).toBeTruthy()
})

test('a guild without view permission shows an error and a way to the own ones, which are still listed', async () => {
  server.on(viewGuild, ({ id }) => (id === '99' ? fail('forbidden') : hall))
  show('/channels/99')
  expect(await screen.findByText('看不到这个公会')).toBeTruthy()
  expect(await screen.findByRole('link', { name: '星海公会' })).toBeTruthy()
  fireEvent.click(screen.getByRole('link', { name: '回到我的公会' }))
  expect(await screen.findByRole('heading', { name: '星海公会' })).toBeTruthy()
})

test('a guild without channels shows an empty state', async () => {
  show('/channels/11')
  expect(await screen.findByText('还没有可见的频道')).toBeTruthy()
})

test('without a guild in the address, the last opened one is opened', async () => {
  writeStored('last_guild', '11')
  show('/channels/')
  expect(await screen.findByRole('heading', { name: 'Night Owls' })).toBeTruthy()
  cleanup()
  localStorage.clear()
  show('/channels/')
  expect(await screen.findByRole('heading', { name: '星海公会' })).toBeTruthy()
})

test('guilds that are not open show that they have unread messages; mentions are counted on every guild', async () => {
  server.on(listGuilds, () => [hall, guildOf('11', 'Night Owls'), guildOf('12', 'Quiet')])
  const waits = (guild_id: string, mention_count: number) =>
    ({ guild_id, is_unread: true, mention_count, last_seq: 9 }) as never
  server.on(listWaiting, () => [waits('10', 3), waits('11', 0)])
  show('/channels/10')
  expect(await screen.findByRole('link', { name: '星海公会 3 条提到我的消息' })).toBeTruthy()
  const owls = await screen.findByRole('link', { name: 'Night Owls 有未读消息' })
  expect(owls.closest('li')?.dataset.unread).toBe('true')
  expect(screen.getByRole('link', { name: 'Quiet' }).closest('li')?.dataset.unread).toBeUndefined()
  expect(screen.getByRole('link', { name: /^星海公会/ }).closest('li')?.dataset.unread).toBeUndefined()
})

test('the open guild is marked, a text channel links to its room', async () => {
  show('/channels/10')
  expect((await screen.findByRole('link', { name: '星海公会' })).getAttribute('aria-current')).toBe('page')
  const link = await screen.findByRole('link', { name: /闲聊/ })
  expect(link.getAttribute('href')).toBe('/channels/10/20')
})

describe('where there is no app', () => {
  test('a voice channel says that it cannot be heard here, advises no app, and its only button closes that', async () => {
    show('/channels/10')
    const voice = await screen.findByRole('button', { name: /开黑房/ })
    expect(voice.textContent).toContain('语音，仅在 APP 内')
    fireEvent.click(voice)
    const dialog = await screen.findByRole('alertdialog', { name: '提醒' })
    expect(within(dialog).getByText('网页暂不支持语音频道')).toBeTruthy()
    expect(dialog.textContent).not.toContain('APP')
    expect(within(dialog).getAllByRole('button')).toHaveLength(1)
    fireEvent.click(within(dialog).getByRole('button', { name: '知道了' }))
    expect(screen.queryByRole('alertdialog')).toBeNull()
  })

  test('no tip opens one', async () => {
    show('/channels/10')
    await screen.findByRole('button', { name: /开黑房/ })
    expect(screen.queryByRole('button', { name: '打开 APP' })).toBeNull()
  })
})

describe('where there is an app', () => {
  const gone: string[] = []
  beforeEach(() => {
    gone.length = 0
    forgetNativeApp()
    // biome-ignore lint/suspicious/noDocumentCookie: as the server does
    document.cookie = 'apps=ios; path=/'
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (iPhone; CPU iPhone OS 17_0)')
    vi.spyOn(location, 'assign').mockImplementation((address) => void gone.push(String(address)))
    server.on(siteInfo, () => siteOf({ scheme: 'hall' }))
  })
  afterEach(() => {
    // biome-ignore lint/suspicious/noDocumentCookie: as the server does
    document.cookie = 'apps=; path=/'
    vi.restoreAllMocks()
  })

  test('a tip opens it at the guild, for people with a verified number', async () => {
    show('/channels/10')
    fireEvent.click(await screen.findByRole('button', { name: '打开 APP' }))
    await waitFor(() => expect(gone).toEqual(['hall://channels/10']))
    window.dispatchEvent(new Event('pagehide'))
  })

  test('the others are led to verify their number', async () => {
    show('/channels/10', { mobile_verified: false })
    expect(await screen.findByRole('link', { name: '用户验证' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: '打开 APP' })).toBeNull()
  })

  test('a voice channel shows its dialog and tries the app by itself, and again by its button', async () => {
    show('/channels/10')
    fireEvent.click(await screen.findByRole('button', { name: /开黑房/ }))
    const dialog = await screen.findByRole('alertdialog', { name: '提醒' })
    expect(within(dialog).getByText('打开 APP，畅享 96K 高音质语音')).toBeTruthy()
    const atChannel = expect.stringMatching(/^hall:\/\/channels\/10\/\d+$/)
    await waitFor(() => expect(gone).toEqual([atChannel]))
    window.dispatchEvent(new Event('pagehide'))
    expect(screen.getByRole('alertdialog', { name: '提醒' })).toBeTruthy()
    fireEvent.click(within(dialog).getByRole('button', { name: '打开 APP' }))
    await waitFor(() => expect(gone).toEqual([atChannel, atChannel]))
    window.dispatchEvent(new Event('pagehide'))
  })
})

test('inside of the app a voice channel is joined there', async () => {
  const asked: unknown[] = []
  setShell({
    config: { app_plantform: 'IOS', version: '1', calls: [] },
    has: () => true,
    call: (async (...call: unknown[]) => asked.push(call)) as unknown as Shell['call'],
    on: () => () => undefined,
  })
  show('/channels/10')
  const voice = await screen.findByRole('button', { name: /开黑房/ })
  expect(voice.textContent).not.toContain('仅在 APP 内')
  fireEvent.click(voice)
  await waitFor(() =>
    expect(asked).toEqual([['join_audio', { guild_id: '10', channel_id: expect.stringMatching(/^\d+$/) }]]),
  )
  expect(screen.queryByRole('alertdialog')).toBeNull()
  setShell(null)
})

test('what leads nowhere yet is not offered', async () => {
  show('/channels/10')
  fireEvent.click(await screen.findByRole('button', { name: '我的菜单' }))
  for (const name of ['打开 APP', '用户验证', '验证']) {
    expect(screen.queryByRole('button', { name })).toBeNull()
    expect(screen.queryByRole('link', { name })).toBeNull()
  }
})

test('a user without a verified number is led to verify it, by a tip and by the menu', async () => {
  show('/channels/10', { mobile_verified: false })
  const tip = await screen.findByRole('link', { name: '用户验证' })
  expect(tip.getAttribute('href')).toBe('/authenticate')
  fireEvent.click(screen.getByRole('button', { name: '我的菜单' }))
  expect((await screen.findByRole('link', { name: '验证' })).getAttribute('href')).toBe('/authenticate')
})

test('a closed category stays closed after a reload', async () => {
  show('/channels/10')
  const head = await screen.findByRole('button', { name: '大厅' })
  fireEvent.click(head)
  expect(head.getAttribute('aria-expanded')).toBe('false')
  expect(screen.queryByText('闲聊')).toBeNull()
  cleanup()
  show('/channels/10')
  expect((await screen.findByRole('button', { name: '大厅' })).getAttribute('aria-expanded')).toBe('false')
})

test('the menu changes the theme and the language', async () => {
  show('/channels/10')
  fireEvent.click(await screen.findByRole('button', { name: '我的菜单' }))
  fireEvent.click(screen.getByRole('switch', { name: '深色模式' }))
  expect(document.documentElement.dataset.theme).toBe('dark')
  fireEvent.click(screen.getByRole('button', { name: /语言/ }))
  expect(screen.getByRole('switch', { name: 'Dark theme' })).toBeTruthy()
  expect(readStored('locale')).toBe('en')
})

test('logging out asks for confirmation, then leads to the landing page', async () => {
  writeStored('authorization', 'tok')
  show('/channels/10')
  fireEvent.click(await screen.findByRole('button', { name: '我的菜单' }))
  fireEvent.click(screen.getByRole('button', { name: '退出登录' }))
  expect(readStored('authorization')).toBe('tok')
  fireEvent.click(screen.getByRole('button', { name: '退出登录' }))
  expect(await screen.findByText('at /')).toBeTruthy()
  expect(readStored('authorization')).toBeNull()
})

test('a channel shows its unread count, and mentions are highlighted', async () => {
  const waits = { guild_id: '10' as never, read_seq: 0, last_seq: 9 }
  server.on(viewGuild, () => guildOf('10', '星海公会', [channelOf('20', '闲聊'), channelOf('21', '公告')]))
  server.on(listUnread, () => [
    { ...waits, channel_id: '20' as never, unread_count: 100, mention_count: 0 },
    { ...waits, channel_id: '21' as never, unread_count: 5, mention_count: 2 },
  ])
  show('/channels/10')
  expect(await screen.findByText('99+ 条未读消息')).toBeTruthy()
  expect(screen.getByText('2 条提到我的消息')).toBeTruthy()
  expect(screen.getByText('2').dataset.part).toBe('badge')
})

const waitsIn = (channel_id: string, unread_count: number, mention_count: number) => ({
  guild_id: '10' as never,
  channel_id: channel_id as never,
  read_seq: 0,
  last_seq: 9,
  unread_count,
  mention_count,
})

test('a closed category still shows its unread channels, and its head their mentions', async () => {
  writeStored('collapsed', ['40'])
  const channels = [channelOf('20', '闲聊'), channelOf('21', '公告'), channelOf('22', '安静')]
  server.on(viewGuild, () =>
    guildOf('10', '星海公会', [channelOf('40', '大厅', { type: 0, is_category: true, channels })]),
  )
  server.on(listUnread, () => [waitsIn('20', 3, 0), waitsIn('21', 4, 2), waitsIn('22', 0, 0)])
  show('/channels/10')
  const head = await screen.findByRole('button', { name: '大厅 2 条提到我的消息' })
  expect(head.getAttribute('aria-expanded')).toBe('false')
  expect(screen.getByRole('link', { name: /闲聊/ })).toBeTruthy()
  expect(screen.getByRole('link', { name: /公告/ })).toBeTruthy()
  expect(screen.queryByText('安静')).toBeNull()
  fireEvent.click(head)
  expect(screen.getByText('安静')).toBeTruthy()
})

test('a channel with a draft says so', async () => {
  writeStored('drafts', { 20: '没写完' })
  show('/channels/10')
  expect((await screen.findByRole('link', { name: /闲聊/ })).textContent).toContain('有草稿')
})

test('the tab is named after the guild, with its unread messages in front', async () => {
  server.on(listUnread, () => [waitsIn('20', 3, 1), waitsIn('21', 4, 0)])
  show('/channels/10')
  await screen.findByRole('link', { name: /闲聊/ })
  await waitFor(() => expect(document.title).toBe('(7) 星海公会 · 公会厅'))
})

test('the list stands where it was left', async () => {
  show('/channels/10')
  const list = await screen.findByRole('navigation', { name: '频道' })
  list.scrollTop = 120
  fireEvent.scroll(list)
  cleanup()
  show('/channels/10')
  expect((await screen.findByRole('navigation', { name: '频道' })).scrollTop).toBe(120)
})

describe('the right button, as holding does', () => {
  const copied: string[] = []
  beforeEach(() => {
    copied.length = 0
    vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async (text) => void copied.push(text))
  })
  afterEach(() => vi.restoreAllMocks())
  const copy = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }))

  test('on a guild that is not open opens its menu, with its address', async () => {
    show('/channels/10')
    expect(fireEvent.contextMenu(await screen.findByRole('link', { name: 'Night Owls' }))).toBe(false)
    expect(await screen.findByRole('dialog', { name: 'Night Owls' })).toBeTruthy()
    await copy('复制公会链接')
    await expect.poll(() => copied).toEqual([`${location.origin}/channels/11`])
    await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
  })

  test('on a guild that is gone says why', async () => {
    server.on(viewGuild, ({ id }) => (id === '10' ? hall : fail('forbidden')))
    show('/channels/10')
    fireEvent.contextMenu(await screen.findByRole('link', { name: 'Night Owls' }))
    await expect.poll(() => server.received(viewGuild).at(-1)).toEqual({ id: '11' })
    expect(await screen.findByText('服务器错误：未授权的访问')).toBeTruthy()
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  test('on a channel opens its menu; a voice channel has its address alone', async () => {
    show('/channels/10')
    expect(fireEvent.contextMenu(await screen.findByRole('link', { name: /闲聊/ }))).toBe(false)
    const menu = await screen.findByRole('dialog', { name: '闲聊' })
    expect(within(menu).getByRole('button', { name: '标为已读' })).toBeTruthy()
    await copy('复制频道链接')
    await expect.poll(() => copied).toEqual([`${location.origin}/channels/10/20`])
    fireEvent.contextMenu(await screen.findByRole('button', { name: /开黑房/ }))
    const voice = await screen.findByRole('dialog', { name: '开黑房' })
    expect(within(voice).getByRole('button', { name: '复制频道链接' })).toBeTruthy()
    expect(within(voice).queryByRole('button', { name: '标为已读' })).toBeNull()
  })
})
