import { type Guild, viewGuild } from '@guildhall/wire/channel/channel.ts'
import { fail } from '@guildhall/wire/failure.ts'
import type { Role } from '@guildhall/wire/guild/guild.ts'
import {
  type Onboarding,
  postRoles,
  updateOnboarding,
  viewOnboarding,
} from '@guildhall/wire/onboarding/onboarding.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { MANAGING } from '../../channel/managing.ts'
import { guildChanged } from '../../guild/guild.ts'
import { Suspense } from '../../kit/lazy/lazy.tsx'
import { cache } from '../../kit/routeQuery.ts'
import { fakeServer } from '../../testing/fakeServer.ts'
import { channelOf, guildOf, sessionOf } from '../../testing/fixtures.ts'
import { fill, pressSoon } from '../../testing/hands.ts'
import { renderAt } from '../../testing/renderAt.tsx'
import AccountPages from '../AccountPages.tsx'

let server: ReturnType<typeof fakeServer>
let guild: Guild
let stored: Onboarding
beforeEach(() => {
  cache.clear()
  server = fakeServer()
  guild = { ...guildOf('10', '夜航'), permissions: MANAGING }
  stored = { rules_on: false, rules: [{ title: '友善', words: '' }], questions: [] }
  server.on(viewGuild, () => guild)
  server.on(viewOnboarding, () => stored)
  server.on(updateOnboarding, ({ guild_id: _, ...change }) => {
    stored = { ...stored, ...change } as Onboarding
    return stored
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const open = () =>
  renderAt(
    '/guild/settings/10/onboarding',
    '/*',
    <Suspense>
      <AccountPages />
    </Suspense>,
    sessionOf().user,
  )
const titles = () => screen.getAllByLabelText<HTMLInputElement>('标题').map(({ value }) => value)

test('rules that are refused stay as they were typed, with the reason', async () => {
  server.on(updateOnboarding, () => fail('onboarding.no_rules'))
  open()
  await pressSoon('删除规则 1')
  fireEvent.click(screen.getByRole('switch', { name: '加入的人须同意规则' }))
  await pressSoon('保存')
  expect(await screen.findByText('先写下至少一条规则，再打开')).toBeTruthy()
  expect(screen.getByRole<HTMLInputElement>('switch', { name: '加入的人须同意规则' }).checked).toBe(true)
})

test('rules are written, put in order, switched on and saved, and only what changed is sent', async () => {
  open()
  await pressSoon('添加规则')
  fill(screen.getAllByLabelText('标题')[1]!, { value: '不发广告' })
  await pressSoon('上移规则 2')
  expect(titles()).toEqual(['不发广告', '友善'])
  await pressSoon('保存')
  expect(await screen.findByText('已保存')).toBeTruthy()
  const rules = [
    { title: '不发广告', words: '' },
    { title: '友善', words: '' },
  ]
  expect(server.received(updateOnboarding)).toEqual([{ guild_id: '10', rules }])
  fireEvent.click(screen.getByRole('switch', { name: '加入的人须同意规则' }))
  await pressSoon('保存')
  await expect
    .poll(() => server.received(updateOnboarding).at(-1))
    .toEqual({ guild_id: '10', rules_on: true })
})

test('what somebody else changes is shown, and what is typed meanwhile stays', async () => {
  open()
  fireEvent.click(await screen.findByRole('switch', { name: '加入的人须同意规则' }))
  stored = { ...stored, rules: [{ title: '另一条', words: '' }] }
  guildChanged('10')
  await expect.poll(titles).toEqual(['另一条'])
  expect(screen.getByRole<HTMLInputElement>('switch', { name: '加入的人须同意规则' }).checked).toBe(true)
})

test('a guild has at most sixteen rules', async () => {
  stored = { ...stored, rules: Array.from({ length: 15 }, (_, n) => ({ title: `规则${n}`, words: '' })) }
  open()
  await pressSoon('添加规则')
  expect(screen.getByRole<HTMLButtonElement>('button', { name: '最多 16 条规则' }).disabled).toBe(true)
})

const role = (role_id: number, name: string, permissions = 0): Role => ({
  role_id,
  name,
  position: role_id,
  permissions,
  color: 0,
  hoist: 0,
  mentionable: 0,
})

test('a question without words or roles is not sent, and it is said what it needs', async () => {
  guild = { ...guild, is_master: true, roles: [role(3, '北服')] }
  open()
  await pressSoon('添加问题')
  await pressSoon('保存')
  expect(await screen.findByText('每条规则要有标题，每个问题要有内容和至少一个角色')).toBeTruthy()
  expect(server.received(updateOnboarding)).toEqual([])
})

test('roles are offered under a question: those that one may give, without rights over others', async () => {
  guild = {
    ...guild,
    my_roles: [2],
    roles: [
      role(1, '会长'),
      role(2, '管事'),
      role(3, '北服'),
      role(4, '纪律', permission.mute_member),
      role(5, '南服'),
      role(0, '全体'),
    ],
  }
  open()
  await pressSoon('添加问题')
  expect(screen.getAllByRole('checkbox').map((it) => it.closest('label')!.textContent)).toEqual([
    '北服',
    '南服',
  ])
  fill(screen.getByLabelText('问题内容'), { value: '在哪个服' })
  fireEvent.click(screen.getByRole('checkbox', { name: '北服' }))
  fireEvent.click(screen.getByRole('switch', { name: '可多选' }))
  await pressSoon('添加问题')
  // What one question has, no other gets.
  expect(screen.getAllByRole('checkbox', { name: '北服' })).toHaveLength(1)
  await pressSoon('删除问题 2')
  await pressSoon('保存')
  const questions = [{ title: '在哪个服', several: true, role_ids: [3] }]
  await expect.poll(() => server.received(updateOnboarding)).toEqual([{ guild_id: '10', questions }])
})

describe('the roles to choose, in a message', () => {
  const asked = { title: '在哪个服', several: false, role_ids: [3] }
  beforeEach(() => {
    stored = { ...stored, questions: [asked] }
    guild = {
      ...guild,
      is_master: true,
      roles: [role(3, '北服')],
      channels: [
        channelOf('20', '看不见', { permissions: 0 }),
        channelOf('30', '大厅', {
          type: 0,
          is_category: true,
          channels: [channelOf('21', '领角色'), channelOf('22', '开黑房', { type: 2 })],
        }),
        channelOf('23', '公告', { is_readonly: true }),
      ],
    }
  })
  const names = () => screen.getAllByRole('option').map(({ textContent }) => textContent)

  test('are not posted before there are some', async () => {
    stored = { ...stored, questions: [] }
    open()
    const button = await screen.findByRole<HTMLButtonElement>('button', { name: '在频道里发布' })
    expect(button.disabled).toBe(true)
    expect(screen.getByText('先添加一个有可选角色的问题并保存，再发布')).toBeTruthy()
  })

  test('are offered no channel where one may not write', async () => {
    guild = { ...guild, is_master: false }
    open()
    await pressSoon('在频道里发布')
    expect(names()).toEqual(['#领角色'])
    cleanup()
    guild = { ...guild, channels: [] }
    open()
    await pressSoon('在频道里发布')
    expect(await screen.findByText('没有你可以发言的文字频道')).toBeTruthy()
  })

  test('are posted in the chosen channel; a refusal says why, and the sheet stays', async () => {
    server.on(postRoles, () => fail('too_many'))
    open()
    await pressSoon('在频道里发布')
    expect(names()).toEqual(['#领角色', '#公告'])
    fill(screen.getByLabelText('发布到'), { value: '23' })
    await pressSoon('发布')
    await expect.poll(() => screen.queryByText(/频繁/)).toBeTruthy()
    server.on(postRoles, () => ({}))
    await pressSoon('发布')
    expect(await screen.findByText('已发布到 #公告')).toBeTruthy()
    expect(server.received(postRoles)).toEqual(Array(2).fill({ guild_id: '10', channel_id: '23' }))
    await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
  })
})
