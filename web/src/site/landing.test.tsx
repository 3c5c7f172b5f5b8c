import type { GuildId } from '@guildhall/wire/id.ts'
import { listPublicGuilds, type PublicGuild } from '@guildhall/wire/profile/publicGuilds.ts'
import { siteInfo } from '@guildhall/wire/site/site.ts'
import type { StartData } from '@guildhall/wire/site/startPage.ts'
import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { writeStored } from '../kit/browser/storage.ts'
import { fakeServer } from '../testing/fakeServer.ts'
import { siteOf } from '../testing/fixtures.ts'
import { renderAt } from '../testing/renderAt.tsx'
import LandingScreen from './LandingScreen.tsx'

const guild: PublicGuild = {
  id: '7' as GuildId,
  name: '像素工坊',
  icon: '',
  desc: '画一点，再画一点。',
  banner: '/banner.png',
  members: 12,
  online: 3,
}
/** As the server writes it into the document. */
const serve = (data: Partial<StartData> = {}) => {
  const script = document.createElement('script')
  script.id = 'start'
  script.type = 'application/json'
  script.textContent = JSON.stringify({
    guilds: [],
    lines: { contact: '', copyright: '', records: [] },
    ...data,
  })
  document.body.append(script)
}
const open = (at = '/') => renderAt(at, '/', <LandingScreen />)
const hrefOf = (name: string | RegExp) => screen.getByRole('link', { name }).getAttribute('href')

let server: ReturnType<typeof fakeServer>
beforeEach(() => {
  localStorage.clear()
  server = fakeServer()
})
afterEach(() => {
  cleanup()
  document.getElementById('start')?.remove()
  // biome-ignore lint/suspicious/noDocumentCookie: as a browser keeps it
  document.cookie = 'ways=; max-age=0'
})

test('where one registers by invites alone, guests are only asked to log in', () => {
  serve()
  // biome-ignore lint/suspicious/noDocumentCookie: as a browser keeps it
  document.cookie = 'ways=invite'
  open()
  expect(hrefOf('登录')).toBe('/login')
  expect(screen.queryByRole('link', { name: '注册' })).toBeNull()
})

test('nothing is said of guilds where nobody sees any, and nothing of the operator who says nothing', () => {
  serve()
  open()
  expect(screen.queryByRole('heading', { name: '正在这里聊天的公会' })).toBeNull()
  expect(document.querySelector('[data-part=site-lines]')).toBeNull()
})

test('a guest sees what it is, registers or logs in, and what was served is not asked for', () => {
  serve({
    lines: {
      contact: '商务：a@b.example',
      copyright: '',
      records: [{ text: '京ICP备1号', url: 'https://b.example' }],
    },
  })
  open()
  expect(screen.getByRole('img', { name: /一个公会的样子/ })).toBeTruthy()
  expect(hrefOf('注册')).toBe('/login?register=1')
  expect(hrefOf('登录')).toBe('/login')
  expect(hrefOf('京ICP备1号')).toBe('https://b.example')
  expect(screen.getByText('商务：a@b.example')).toBeTruthy()
  expect(server.received(listPublicGuilds)).toEqual([])
})

test('a guild leads through the login to where it is found, and at once who is logged in', () => {
  serve({ guilds: [guild] })
  const { unmount } = open()
  const entry = `/discover?search=${encodeURIComponent('像素工坊')}`
  expect(screen.getByText('3 人在线 · 12 位成员')).toBeTruthy()
  expect(hrefOf(/像素工坊/)).toBe(`/login?register=1&redir=${encodeURIComponent(entry)}`)
  unmount()
  writeStored('authorization', 'tok')
  open()
  expect(hrefOf(/像素工坊/)).toBe(entry)
  expect(hrefOf('进入公会厅')).toBe('/channels/')
  expect(screen.queryByRole('link', { name: '注册' })).toBeNull()
})

test('whoever comes from another page of it is shown the same, read from the server', async () => {
  server.on(listPublicGuilds, () => ({ items: [guild] }))
  server.on(siteInfo, () => ({ ...siteOf(), contact: '商务：a@b.example' }))
  open('/?redir=%2Fchannels%2F7')
  expect(screen.getByText('登录已失效，请重新登录').getAttribute('role')).toBe('status')
  expect(hrefOf('登录')).toBe('/login?redir=%2Fchannels%2F7')
  expect(await screen.findByText('商务：a@b.example')).toBeTruthy()
  fireEvent.click(screen.getByRole('link', { name: /像素工坊/ }))
  expect(screen.getByText(/\/login\?register=1&redir=/)).toBeTruthy()
})
