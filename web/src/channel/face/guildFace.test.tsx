import { LEVEL_BOOSTS } from '@guildhall/wire/boost/levels.ts'
import type { Guild } from '@guildhall/wire/channel/channel.ts'
import { fail } from '@guildhall/wire/failure.ts'
import { viewActivity } from '@guildhall/wire/message/activity.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { setLocale } from '../../kit/i18n.ts'
import { fakeServer } from '../../testing/fakeServer.ts'
import { guildOf, sessionOf } from '../../testing/fixtures.ts'
import { renderAt } from '../../testing/renderAt.tsx'
import { GuildFace } from './GuildFace.tsx'

let server: ReturnType<typeof fakeServer>
const onMenu = vi.fn()
const show = (more: Partial<Guild> = {}) =>
  renderAt(
    '/',
    '/',
    <GuildFace
      guild={{ ...guildOf('10', '星海公会'), ...more }}
      InviteFriends={({ guildName }) => <p>邀请到 {guildName}</p>}
      onMenu={onMenu}
    />,
    sessionOf().user,
  )

beforeEach(() => {
  setLocale('zh-CN')
  server = fakeServer()
  server.on(viewActivity, () => ({ online_count: 12, channels: [] }))
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('who may not invite is offered nothing', async () => {
  show({ permissions: permission.view_channel })
  expect(await screen.findByRole('link', { name: /成员列表/ })).toBeTruthy()
  expect(screen.queryByRole('button', { name: '邀请' })).toBeNull()
})

test('others open the sheet that invites friends', async () => {
  show({ permissions: permission.create_invite })
  fireEvent.click(await screen.findByRole('button', { name: '邀请' }))
  expect(await screen.findByText('邀请到 星海公会')).toBeTruthy()
})

test('the members are a tap away before it is known how many are online, and when that fails', async () => {
  server.on(viewActivity, () => fail('forbidden'))
  show()
  expect((await screen.findByRole('link', { name: '成员列表' })).getAttribute('href')).toBe(
    '/channels/userlist/10',
  )
})

test('it says how many members are online', async () => {
  show()
  expect(await screen.findByRole('link', { name: '成员列表 12 人在线' })).toBeTruthy()
})

test('the level says how far it is to the next one, and leads to boosting', async () => {
  show({ level: 2, boost_num: 12 })
  const level = await screen.findByRole('link', { name: `2 级 12/${LEVEL_BOOSTS[3]} 助力公会` })
  expect(level.getAttribute('href')).toBe('/guild/boost/10')
  cleanup()
  show({ level: LEVEL_BOOSTS.length - 1, boost_num: 170 })
  expect(await screen.findByRole('link', { name: /最高等级/ })).toBeTruthy()
})

test('a guild shows its banner, and without one the colour of its letters', async () => {
  const { container } = show({ banner: 'https://cdn.example/banner.png' })
  expect(container.querySelector('header img')?.getAttribute('src')).toBe('https://cdn.example/banner.png')
  cleanup()
  const without = show().container
  expect(without.querySelector('header img')).toBeNull()
  expect(without.querySelector('header')?.style.getPropertyValue('--tint')).toMatch(/^#/)
})

test('a banner that does not load leaves the colour', () => {
  const { container } = show({ banner: '/assets/gone.png' })
  fireEvent.error(container.querySelector('img')!)
  expect(container.querySelector('img')).toBeNull()
})

test('the menu opens by its button', async () => {
  show()
  fireEvent.click(screen.getByRole('button', { name: '公会菜单' }))
  await waitFor(() => expect(onMenu).toHaveBeenCalled())
})
