import { fail } from '@guildhall/wire/failure.ts'
import { listGuilds } from '@guildhall/wire/guild/guild.ts'
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fakeServer } from '../testing/fakeServer.ts'
import { guildOf, sessionOf } from '../testing/fixtures.ts'
import { fill } from '../testing/hands.ts'
import { renderAt } from '../testing/renderAt.tsx'
import SelectGuildScreen from './SelectGuildScreen.tsx'

let server: ReturnType<typeof fakeServer>
const show = (from = '/account/boost') =>
  renderAt(
    `/select-guild?from=${encodeURIComponent(from)}&action=use_boost`,
    '/select-guild',
    <SelectGuildScreen />,
    sessionOf().user,
  )
const names = () => [...document.querySelectorAll('[data-part=name]')].map(({ textContent }) => textContent)

beforeEach(() => {
  server = fakeServer()
  server.on(listGuilds, () => [
    { ...guildOf('10', '深夜电台'), spelling: 'shen ye dian tai' },
    { ...guildOf('11', 'Gallery'), boost_num: 3, level: 1, spelling: '' },
  ])
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('guilds that are not loaded can be asked for again; there may be none', async () => {
  server.on(listGuilds, () => fail('too_many'))
  show()
  expect(await screen.findByRole('heading', { name: '加载失败' })).toBeTruthy()
  server.on(listGuilds, () => [])
  fireEvent.click(screen.getByRole('button', { name: '重试' }))
  expect(await screen.findByRole('heading', { name: '你还没有加入公会' })).toBeTruthy()
})

test('nobody is led away from this site', async () => {
  show('https://evil.example/')
  fireEvent.click(await screen.findByRole('button', { name: /Gallery/ }))
  expect(await screen.findByText('at /account/boost?guild_id=11')).toBeTruthy()
})

test.each([
  ['', ['深夜电台', 'Gallery']],
  ['sydt', ['深夜电台']],
  ['dian', ['深夜电台']],
  ['夜', ['深夜电台']],
  ['GALL', ['Gallery']],
  ['没有', []],
])('the search %s finds %j', async (typed, found) => {
  show()
  const row = await screen.findByRole('button', { name: /Gallery/ })
  expect(row.textContent).toContain('3 个助力包')
  expect(row.textContent).toContain('1 级')
  fill(screen.getByRole('searchbox'), { value: typed })
  await waitFor(() => expect(names()).toEqual(found))
})
