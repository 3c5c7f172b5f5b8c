import { boostTrend, unusedBoosts } from '@guildhall/wire/boost/boost.ts'
import { allGuildRights, allGuildRightsView } from '@guildhall/wire/boost/levels.ts'
import { settings } from '@guildhall/wire/boost/settings.ts'
import { viewGuild } from '@guildhall/wire/channel/channel.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { fakeServer } from '../testing/fakeServer.ts'
import { guildOf, sessionOf } from '../testing/fixtures.ts'
import { renderAt } from '../testing/renderAt.tsx'
import BoostStatusScreen from './BoostStatusScreen.tsx'
import GuildBoostScreen from './GuildBoostScreen.tsx'

const guildId = '10' as GuildId
const WIDTH = 68
let server: ReturnType<typeof fakeServer>

/** Seven days, of which today and tomorrow are in a grace. */
const items = Array.from({ length: 7 }, (_, n) => ({
  date: `2026-11-${24 + n}`,
  count: 15,
  kept_level: n < 2 ? 3 : 2,
  kept_until: n < 2 ? '2026-11-25' : '',
}))
const showStatus = () =>
  renderAt(
    '/guild/boost-status/10',
    '/guild/boost-status/10',
    <BoostStatusScreen guildId={guildId} />,
    sessionOf().user,
  )
const chosen = () => screen.getByRole('button', { pressed: true }).textContent

beforeEach(() => {
  server = fakeServer()
  server.on(boostTrend, () => ({ items, today: '2026-11-24' }))
  server.on(viewGuild, () => ({ ...guildOf('10', '星海公会'), boost_num: 15, level: 3 }))
  server.on(unusedBoosts, () => ({ unused_boost_num: 0 }))
  server.on(settings, () => ({
    guild_rights: allGuildRights(),
    guild_rights_view: allGuildRightsView('zh-CN'),
  }))
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('in a grace both pages show the level that is kept, and until when', () => {
  const text = '缓冲期：3 级保留至 11/25，助力包只够 2 级'
  test('of a day', async () => {
    showStatus()
    expect(await screen.findByText(text)).toBeTruthy()
    expect(screen.getByRole('button', { name: /今天/ }).textContent).toContain('3 级')
    fireEvent.click(screen.getByRole('button', { name: /11\/26/ }))
    expect(screen.queryByText(/缓冲期：/)).toBeNull()
  })
  test('of the guild', async () => {
    renderAt('/guild/boost/10', '/guild/boost/10', <GuildBoostScreen guildId={guildId} />, sessionOf().user)
    expect(await screen.findByText(text)).toBeTruthy()
  })
  test('and a guild with packs enough is not asked about', async () => {
    server.on(viewGuild, () => ({ ...guildOf('10', '星海公会'), boost_num: 20, level: 3 }))
    renderAt('/guild/boost/10', '/guild/boost/10', <GuildBoostScreen guildId={guildId} />, sessionOf().user)
    expect(await screen.findByText('星海公会')).toBeTruthy()
    expect(server.received(boostTrend)).toEqual([])
  })
})

describe('the chart', () => {
  const cells = (row: HTMLElement) => [...row.children].map(({ textContent }) => textContent)
  test('read aloud has the packs, the level with its grace, and what the next level needs', async () => {
    showStatus()
    const [, first, , third] = within(await screen.findByRole('table')).getAllByRole('row')
    expect(cells(first!)).toEqual(['2026-11-24', '15', '3 · 缓冲期', '20'])
    expect(cells(third!)).toEqual(['2026-11-26', '15', '2', '20'])
  })
  test('is followed by what comes, in words', async () => {
    showStatus()
    expect(await screen.findByText('如果没有新的助力，11/26 起为 2 级')).toBeTruthy()
  })
  test.each([
    ['no packs', 0, '还没有使用中的助力包'],
    ['packs that end today', 2, '现有的助力包今天到期'],
  ])('gives way to words where a guild has %s', async (_, count, words) => {
    const today = { date: '2026-11-24', count, kept_level: 0, kept_until: '' }
    server.on(boostTrend, () => ({ items: [today], today: today.date }))
    showStatus()
    expect(await screen.findByRole('heading', { name: words })).toBeTruthy()
    expect(screen.getByRole('link', { name: '助力此服务器' }).getAttribute('href')).toBe('/guild/boost/10')
    expect(screen.queryByRole('table')).toBeNull()
  })
})

describe('of the days', () => {
  /** The days stand side by side, and the box shows three of them. */
  const layOut = async () => {
    showStatus()
    const days = await screen.findAllByRole('button', { name: /级/ })
    const box = days[0]!.parentElement!
    const size = (it: HTMLElement, sizes: object) => {
      for (const [name, value] of Object.entries(sizes))
        Object.defineProperty(it, name, { value, configurable: true, writable: true })
    }
    size(box, { clientWidth: 3 * WIDTH, scrollTo: vi.fn() })
    for (const [at, day] of days.entries())
      size(day, { offsetLeft: (at + 1) * WIDTH, offsetWidth: WIDTH, clientWidth: WIDTH })
    return {
      box,
      scroll(left: number) {
        box.scrollLeft = left
        fireEvent.scroll(box)
      },
    }
  }

  test('the tapped one is chosen, whatever comes to the middle while it is brought there', async () => {
    const { scroll } = await layOut()
    for (const [name, at] of [
      ['11/30', 6],
      ['今天', 0],
      ['11/26', 2],
    ] as const) {
      const day = screen.getByRole('button', { name: new RegExp(name) })
      fireEvent.pointerDown(day)
      fireEvent.click(day)
      for (const passed of [3, 1, at]) scroll(passed * WIDTH)
      expect(chosen()).toContain(name)
    }
  })

  test('keys choose the one beside, the first and the last, and there the cursor is', async () => {
    await layOut()
    for (const [key, name] of [
      ['ArrowRight', '11/25'],
      ['End', '11/30'],
      ['ArrowRight', '11/30'],
      ['ArrowLeft', '11/29'],
      ['Home', '今天'],
    ] as const) {
      fireEvent.keyDown(screen.getByRole('button', { pressed: true }), { key })
      expect(chosen()).toContain(name)
      expect(document.activeElement?.textContent).toContain(name)
    }
  })

  test('the one that is slid to is chosen, without the browser saying that it ended; the ends can be slid to', async () => {
    const { box, scroll } = await layOut()
    fireEvent.pointerDown(box)
    for (const [left, name] of [
      [3.4, '11/27'],
      [6, '11/30'],
      [0.2, '今天'],
      [0, '今天'],
    ] as const) {
      scroll(left * WIDTH)
      expect(chosen()).toContain(name)
    }
  })
})
