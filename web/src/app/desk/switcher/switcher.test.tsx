import { viewGuild } from '@guildhall/wire/channel/channel.ts'
import { listRooms } from '@guildhall/wire/channel/rooms.ts'
import { listChats } from '@guildhall/wire/chat/chat.ts'
import { listFriends } from '@guildhall/wire/friend/friend.ts'
import { listGuilds } from '@guildhall/wire/guild/guild.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import { cleanup, fireEvent, screen } from '@testing-library/react'
import { useLocation } from 'react-router'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { writeStored } from '../../../kit/browser/storage.ts'
import { fakeServer } from '../../../testing/fakeServer.ts'
import { guildOf, sessionOf } from '../../../testing/fixtures.ts'
import { fill } from '../../../testing/hands.ts'
import { renderAt } from '../../../testing/renderAt.tsx'
import Switcher from './Switcher.tsx'

let server: ReturnType<typeof fakeServer>

beforeEach(() => {
  localStorage.clear()
  server = fakeServer()
  server.on(listRooms, () => [])
  server.on(listChats, () => ({
    items: [],
    meta: { page: 1, page_total: 1, page_size: 50, total: 0 },
    sort: {},
  }))
  server.on(listFriends, () => ({
    friend: [],
    request: [],
    block: [],
    blocked: [],
    all_request: [],
    relation: [],
  }))
  server.on(listGuilds, () => [guildOf('10', '星海公会')])
  writeStored('last_guild', '10')
})
afterEach(cleanup)

function Page() {
  const { pathname, search } = useLocation()
  return <p>at {pathname + search}</p>
}

const show = (permissions: number) => {
  server.on(viewGuild, () => ({ ...guildOf('10', '星海公会'), permissions }))
  renderAt(
    '/',
    '/*',
    <>
      <Page />
      <Switcher onClose={() => undefined} />
    </>,
    sessionOf().user,
  )
}
const type = (value: string) => fill(screen.getByRole('combobox'), { value })

test('settings of a guild that one may not manage are not found, nor pages that are not offered', async () => {
  show(0)
  type('设备')
  expect((await screen.findAllByRole('option'))[0]!.textContent).toContain('登录设备')
  for (const nothing of ['角色', '第三方']) {
    type(nothing)
    expect(await screen.findByText('没有找到')).toBeTruthy()
  }
})

test('a section of the settings of the guild that was open last is found and opened', async () => {
  show(permission.manage_role)
  type('角色')
  expect((await screen.findAllByRole('option'))[0]!.textContent).toContain('星海公会')
  type('封禁')
  expect(await screen.findByText('没有找到')).toBeTruthy()
  type('角色')
  fireEvent.keyDown(screen.getByRole('combobox'), { key: 'Enter' })
  expect(await screen.findByText('at /guild/settings/10/roles')).toBeTruthy()
})

test('the last one searches messages for what was typed', async () => {
  show(0)
  type(' 火锅 & 烧烤 ')
  const options = await screen.findAllByRole('option')
  expect(options.at(-1)!.textContent).toContain('搜索消息“火锅 & 烧烤”')
  fireEvent.click(options.at(-1)!)
  expect(await screen.findByText(`at /search?q=${encodeURIComponent('火锅 & 烧烤')}`)).toBeTruthy()
})
