import { boostProduct, unusedBoosts, useBoosts } from '@guildhall/wire/boost/boost.ts'
import { allGuildRights, allGuildRightsView } from '@guildhall/wire/boost/levels.ts'
import { settings } from '@guildhall/wire/boost/settings.ts'
import { viewGuild } from '@guildhall/wire/channel/channel.ts'
import { guildId } from '@guildhall/wire/id.ts'
import { createOrder, viewOrder } from '@guildhall/wire/order/order.ts'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { setShell } from '../native/shell.ts'
import { fakeServer } from '../testing/fakeServer.ts'
import { fakeShell } from '../testing/fakeShell.ts'
import { guildOf, orderOf, sessionOf } from '../testing/fixtures.ts'
import { renderAt } from '../testing/renderAt.tsx'
import GuildBoostScreen from './GuildBoostScreen.tsx'

const FIRST_LEVEL = allGuildRights()[0]!.boost_num
const GUILD = '10'

let server: ReturnType<typeof fakeServer>
const has = (unused_boost_num: number) => server.on(unusedBoosts, () => ({ unused_boost_num }))
const reach = async () => {
  renderAt(
    `/guild/boost/${GUILD}`,
    '/guild/boost/:guildId',
    <GuildBoostScreen guildId={guildId.parse(GUILD)} />,
    sessionOf().user,
  )
  await waitFor(() => expect(server.received(unusedBoosts)).not.toEqual([]))
  fireEvent.click((await screen.findAllByRole('button', { name: '直达该等级' }))[0]!)
}
const ordered = () => server.received(createOrder)

beforeEach(() => {
  sessionStorage.clear()
  server = fakeServer()
  server.on(viewGuild, () => guildOf(GUILD, '深夜电台'))
  server.on(settings, () => ({
    guild_rights: allGuildRights(),
    guild_rights_view: allGuildRightsView('zh-CN'),
  }))
  server.on(boostProduct, () => ({
    id: 7,
    name: '助力包',
    price: 1_000,
    origin_price: 0,
    discount_label: '',
    buy_tip: '',
    period_buy: false,
    group_id: 0,
    browser_ways: ['wechat' as const],
  }))
  server.on(createOrder, () => orderOf())
  server.on(viewOrder, () => orderOf())
  has(0)
})
afterEach(() => {
  cleanup()
  document.body.replaceChildren()
  setShell(null)
  vi.unstubAllGlobals()
})

test('a level shows what is new with it, and the rest once that is asked for, on every level', async () => {
  renderAt(
    `/guild/boost/${GUILD}`,
    '/guild/boost/:guildId',
    <GuildBoostScreen guildId={guildId.parse(GUILD)} />,
    sessionOf().user,
  )
  const fresh = within(await screen.findByRole('list', { name: '4 级新增和提升的权益' }))
  expect(fresh.getByText('渐变色角色').textContent).toBe('渐变色角色新增')
  expect(fresh.getByText('成员上限').parentElement?.textContent).toBe('成员上限10 万 → 提升到20 万')
  expect(fresh.queryByText('公会横幅')).toBeNull()
  expect(screen.queryAllByRole('list', { name: '已有的权益' })).toEqual([])
  const fold = screen.getByRole('button', { name: '还包含 4 项权益' })
  fireEvent.click(fold)
  expect(fold.getAttribute('aria-expanded')).toBe('true')
  const rest = screen.getAllByRole('list', { name: '已有的权益' })
  expect(within(rest.at(-1)!).getByText('公会横幅')).toBeTruthy()
})

test('who has no packs reaches a level by one order, which uses them on the guild', async () => {
  await reach()
  const sheet = within(await screen.findByRole('dialog', { name: '直达该等级' }))
  expect(sheet.getByText('深夜电台')).toBeTruthy()
  fireEvent.click(sheet.getByRole('button', { name: '去支付' }))
  await waitFor(() =>
    expect(ordered()).toMatchObject([{ product_id: 7, count: FIRST_LEVEL, guild_id: GUILD }]),
  )
})

test('who has enough packs uses them, and buys none', async () => {
  has(FIRST_LEVEL)
  server.on(useBoosts, () => ({ unused_boost_num: 0, boost_num: FIRST_LEVEL, level: 1 }))
  await reach()
  fireEvent.click(await screen.findByRole('button', { name: '确认使用' }))
  await waitFor(() => expect(server.received(useBoosts)).toEqual([{ guild_id: GUILD, count: FIRST_LEVEL }]))
  expect(ordered()).toEqual([])
})

test('who has some is asked whether to use them or to buy what is missing', async () => {
  has(1)
  await reach()
  expect(await screen.findByRole('button', { name: '使用助力包 · 剩余 1 个' })).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: '购买助力包' }))
  fireEvent.click(await screen.findByRole('button', { name: '去支付' }))
  await waitFor(() => expect(ordered()).toMatchObject([{ count: FIRST_LEVEL, guild_id: GUILD }]))
})

test('in the app, what it sold is used on the guild', async () => {
  setShell(fakeShell({}, { buy_produce_boost: { status: 'success' } }).shell)
  server.on(useBoosts, () => ({ unused_boost_num: 0, boost_num: FIRST_LEVEL, level: 1 }))
  await reach()
  fireEvent.click(await screen.findByRole('button', { name: '去支付' }))
  await waitFor(() => expect(server.received(useBoosts)).toEqual([{ guild_id: GUILD, count: FIRST_LEVEL }]))
})

test('packs that are bought for no level stay with the person', async () => {
  renderAt(
    `/guild/boost/${GUILD}`,
    '/guild/boost/:guildId',
    <GuildBoostScreen guildId={guildId.parse(GUILD)} />,
    sessionOf().user,
  )
  fireEvent.click(await screen.findByRole('button', { name: '助力此服务器' }))
  fireEvent.click(await screen.findByRole('button', { name: '购买助力包' }))
  fireEvent.click(await screen.findByRole('button', { name: '去支付' }))
  await waitFor(() => expect(ordered()).toMatchObject([{ count: 1 }]))
  expect(ordered()[0]).not.toHaveProperty('guild_id')
})
