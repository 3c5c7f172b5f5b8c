import { viewGuild } from '@guildhall/wire/channel/channel.ts'
import { fail } from '@guildhall/wire/failure.ts'
import { viewInviteV2 } from '@guildhall/wire/invite/inviteCard.ts'
import { mentionText } from '@guildhall/wire/kmarkdown/text.ts'
import { clickButton } from '@guildhall/wire/message/card.ts'
import { viewOnboarding } from '@guildhall/wire/onboarding/onboarding.ts'
import { goWildPath } from '@guildhall/wire/site/outside.ts'
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ErrorBoundary } from '../message/ErrorBoundary.tsx'
import { cardsOf } from '../testing/cards.ts'
import { fakeServer } from '../testing/fakeServer.ts'
import { guildOf, inviteOf } from '../testing/fixtures.ts'
import { press } from '../testing/hands.ts'
import { renderAt } from '../testing/renderAt.tsx'
import Cards from './Cards.tsx'
import { estimateCardHeight } from './cardHeight.ts'

const NOW = 1_790_000_000_000
const all = cardsOf({
  picture: '/assets/2026-11/aaaaaaaaaa0dw0dw.png',
  tall: '/assets/2026-11/aaaaaaaaaa05k0rs.png',
  file: '/attachments/2026-11/21/aaaaaaaaaaaaaaaa.pdf',
  audio: '/attachments/2026-11/21/bbbbbbbbbbbbbbbb.mp3',
  video: '/attachments/2026-11/21/cccccccccccccccc.mp4',
  code: 'AbCd12',
  now: NOW,
})
let server: ReturnType<typeof fakeServer>
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now: NOW })
  server = fakeServer()
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const names = { user: () => null, role: () => null, channel: () => null, words: mentionText['zh-CN'] }
const draw = (cards: unknown, own = false) =>
  renderAt(
    '/',
    '/',
    <Cards
      content={typeof cards === 'string' ? cards : JSON.stringify(cards)}
      context={{
        messageId: '00000000-0000-4000-8000-000000000001' as never,
        names,
        reader: { id: '7', roles: [] },
        own,
      }}
    />,
  )
const one = (...modules: unknown[]) => [{ type: 'card', modules }]
const button = (more: object) =>
  one({ type: 'action-group', elements: [{ type: 'button', text: '去', ...more }] })

test('a button that leads to the roles of another site is behind the warning', () => {
  const address = 'https://elsewhere.example/channels/10?roles'
  draw(button({ click: 'link', value: address }))
  expect(screen.getByRole('link', { name: '去' }).getAttribute('href')).toBe(goWildPath(address))
})

test('a button that leads to the roles of a guild opens them above the room, or says why not', async () => {
  server.on(viewGuild, () => fail('forbidden'))
  draw(button({ click: 'link', value: `${location.origin}/channels/10?roles` }))
  press('去')
  expect(await screen.findByText('可选角色没有加载出来')).toBeTruthy()
  cleanup()
  server.on(viewGuild, () => guildOf('10', '夜航'))
  server.on(viewOnboarding, () => ({ rules_on: false, rules: [], questions: [] }))
  draw(button({ click: 'link', value: `${location.origin}/channels/10?roles` }))
  press('去')
  expect(await screen.findByRole('dialog', { name: '选择角色' })).toBeTruthy()
  expect(await screen.findByText('这个公会现在没有可以自己选择的角色')).toBeTruthy()
  press('关闭')
  expect(screen.queryByRole('dialog')).toBeNull()
})

test.each(['', '[', '{}', '[{"type":"card"}]', '[{"type":"card","modules":[{"type":"x"}]}]'])(
  'a stored card that cannot be read says so in its place: %s',
  (content) => {
    draw(content)
    expect(screen.getByText('卡片消息格式错误')).toBeTruthy()
  },
)

test('content that fails to render is replaced by an error line, and the rest stays', () => {
  vi.spyOn(console, 'error').mockReturnValue()
  const Breaks = (): never => {
    throw new Error('broken')
  }
  renderAt(
    '/',
    '/',
    <>
      <ErrorBoundary resetKey={1} fallback={<p>坏了</p>}>
        <Breaks />
      </ErrorBoundary>
      <p>还在</p>
    </>,
  )
  expect(screen.getByText('坏了')).toBeTruthy()
  expect(screen.getByText('还在')).toBeTruthy()
})

test('every kind of card is drawn', () => {
  server.on(viewInviteV2, () => inviteOf())
  for (const [name, cards] of Object.entries(all)) {
    const { container, unmount } = draw(cards)
    expect(container.querySelector('[data-part=card], [data-unsupported]'), name).toBeTruthy()
    expect(container.querySelector('[data-unsupported]') !== null, name).toBe(name === 'broken')
    expect(estimateCardHeight(JSON.stringify(cards)), name).toBeGreaterThan(20)
    unmount()
  }
})

test('plain text of a card is not parsed as markup', () => {
  const { container } = draw(
    one('<b>x</b>', { type: 'section', text: { type: 'kmarkdown', content: '**y**<i>z</i>' } }),
  )
  expect(container.querySelector('b, i')).toBeNull()
  expect(container.querySelector('strong')?.textContent).toBe('y')
})

test('a link button opens its address in a new tab without an opener', () => {
  draw(button({ click: 'link', value: 'https://example.com/a' }))
  const link = screen.getByRole('link', { name: '去' })
  expect(link.getAttribute('href')).toBe(goWildPath('https://example.com/a'))
  expect(link.getAttribute('target')).toBe('_blank')
  expect(link.getAttribute('rel')).toContain('noopener')
})

test('a button without an action cannot be pressed', () => {
  draw(button({}))
  expect(screen.queryByRole('button')).toBeNull()
  expect(screen.getByText('去')).toBeTruthy()
})

test('a return-val button sends its value once, also on repeated taps, and confirms it', async () => {
  let answer: (value: Record<string, unknown>) => void = () => undefined
  server.on(clickButton, () => new Promise((resolve) => (answer = resolve)))
  draw(button({ click: 'return-val', value: 'join' }))
  const here = screen.getByRole('button', { name: '去' })
  fireEvent.click(here)
  fireEvent.click(here)
  await waitFor(() => expect(server.received(clickButton)).toHaveLength(1))
  expect(here.getAttribute('aria-disabled')).toBe('true')
  answer({})
  expect(await screen.findByText('已提交')).toBeTruthy()
  expect(server.received(clickButton)).toEqual([
    { msg_id: '00000000-0000-4000-8000-000000000001', value: 'join' },
  ])
})

test('a button of an outdated card shows why nothing happened', async () => {
  server.on(clickButton, () => fail('card.no_button'))
  draw(button({ click: 'return-val', value: 'join' }))
  fireEvent.click(screen.getByRole('button', { name: '去' }))
  expect(await screen.findByText('该按钮已失效')).toBeTruthy()
})

test('countdowns share one timer, which stops when all have ended', () => {
  const set = vi.spyOn(globalThis, 'setInterval')
  const clear = vi.spyOn(globalThis, 'clearInterval')
  draw(
    one(
      { type: 'countdown', mode: 'second', startTime: NOW, endTime: NOW + 2_000 },
      { type: 'countdown', mode: 'hour', endTime: NOW + 3_661_000 },
      { type: 'countdown', mode: 'day', endTime: NOW + 90_000_000 },
    ),
  )
  const [first, second, third] = screen.getAllByRole('timer')
  expect(first?.textContent).toBe('2秒')
  expect(second?.textContent).toBe('01时01分01秒')
  expect(third?.textContent).toBe('01天01时00分00秒')
  expect(set).toHaveBeenCalledOnce()
  act(() => void vi.advanceTimersByTime(1_000))
  expect(first?.textContent).toBe('1秒')
  expect(second?.textContent).toBe('01时01分00秒')
  act(() => void vi.advanceTimersByTime(1_000))
  expect(screen.getByText('已结束')).toBeTruthy()
  expect(screen.getAllByRole('timer')).toHaveLength(2)
  act(() => void vi.advanceTimersByTime(90_000_000))
  expect(screen.getAllByText('已结束')).toHaveLength(3)
  expect(clear).toHaveBeenCalledTimes(set.mock.calls.length)
  expect(vi.getTimerCount()).toBe(0)
})

test('a countdown that has ended starts no timer', () => {
  const set = vi.spyOn(globalThis, 'setInterval')
  draw(one({ type: 'countdown', mode: 'day', endTime: NOW - 1 }))
  expect(screen.getByText('已结束')).toBeTruthy()
  expect(set).not.toHaveBeenCalled()
})

test('audio and video do not play on the page, and can be downloaded', async () => {
  draw(all.files)
  fireEvent.click(screen.getByRole('button', { name: /^播放\s*首杀录像/ }))
  expect(await screen.findByRole('alertdialog', { name: '提醒' })).toBeTruthy()
  expect(screen.getByRole('link', { name: '下载文件' })).toBeTruthy()
})

test('a high card is folded, and keeps its state after it is drawn again', () => {
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(900)
  const { unmount } = draw(all.folded)
  fireEvent.click(screen.getByRole('button', { name: '展开' }))
  unmount()
  draw(all.folded)
  fireEvent.click(screen.getByRole('button', { name: '收起' }))
  expect(screen.getByRole('button', { name: '展开' }).getAttribute('aria-expanded')).toBe('false')
})

test.each([
  [false, '你收到了一个邀请，但是…'],
  [true, '你发送了一个邀请，但是…'],
])('an expired invite shows that it has expired, own %s', async (own, title) => {
  server.on(viewInviteV2, () => fail('invite.expired'))
  draw(one({ type: 'invite', code: 'AbCd12' }), own)
  expect(screen.getByRole('status', { name: '加载中' })).toBeTruthy()
  expect(await screen.findByText(title)).toBeTruthy()
  expect(screen.getByText('邀请已过期')).toBeTruthy()
  expect(screen.getByText('意外很少，但总会发生')).toBeTruthy()
})

test('an invite shows its guild, with another label for members', async () => {
  server.on(viewInviteV2, () => inviteOf())
  draw(one({ type: 'invite', code: 'AbCd12' }))
  expect(await screen.findByText('星海公会')).toBeTruthy()
  expect(screen.getByRole('button', { name: '加入' })).toBeTruthy()
  cleanup()
  server.on(viewInviteV2, () => inviteOf({ joined: true }))
  draw(one({ type: 'invite', code: 'AbCd12' }))
  fireEvent.click(await screen.findByRole('button', { name: '进入' }))
  expect(await screen.findByText('at /channels/10/20')).toBeTruthy()
})

test.each([
  ['no modules', []],
  [
    'modules that show nothing',
    [
      { type: 'section', text: ' ' },
      { type: 'header', text: '' },
    ],
  ],
])('a card with %s is not drawn beside others; alone it says that it is empty', (_, modules) => {
  const blank = { type: 'card', modules }
  draw([blank, { type: 'card', modules: [{ type: 'header', text: '公告' }] }])
  expect(document.querySelectorAll('[data-part=card]')).toHaveLength(1)
  cleanup()
  draw([blank])
  expect(document.querySelector('[data-part=card]')).toBeNull()
  expect(screen.getByText('空卡片')).toBeTruthy()
})

test('a picture of a card that fails to load offers another try', () => {
  draw(one({ type: 'container', elements: [{ type: 'image', src: 'https://i.example.com/a.png' }] }))
  fireEvent.error(document.querySelector('img')!)
  fireEvent.click(screen.getByRole('button', { name: '图片加载失败 点按重试' }))
  expect(document.querySelector('img')).not.toBeNull()
})

test('a picture of a card in the full screen stays there while that in the card fails', async () => {
  draw(one({ type: 'container', elements: [{ type: 'image', src: 'https://i.example.com/a.png' }] }))
  const inCard = () => document.querySelector('[data-part=card-picture] img')
  fireEvent.click(document.querySelector('[data-part=card-picture]')!)
  const viewer = await screen.findByRole('dialog')
  fireEvent.error(inCard()!)
  expect([inCard(), screen.getByRole('dialog')]).toEqual([null, viewer])
})
