import { type Guild, viewGuild } from '@guildhall/wire/channel/channel.ts'
import { fail } from '@guildhall/wire/failure.ts'
import { listGuilds, type Role } from '@guildhall/wire/guild/guild.ts'
import { type ListedInvite, listInvites } from '@guildhall/wire/invite/manage.ts'
import { history } from '@guildhall/wire/message/message.ts'
import { listUnread, listWaiting } from '@guildhall/wire/message/readMark.ts'
import {
  acceptRules,
  chooseRole,
  closeChecklist,
  type Onboarding,
  viewOnboarding,
} from '@guildhall/wire/onboarding/onboarding.ts'
import { cleanup, fireEvent, screen } from '@testing-library/react'
import { useLocation } from 'react-router'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import ChannelsScreen from '../channel/ChannelsScreen.tsx'
import { guildChanged } from '../guild/guild.ts'
import { cache, queryKeyOf, useRouteQuery } from '../kit/routeQuery.ts'
import { fakeServer } from '../testing/fakeServer.ts'
import { channelOf, guildOf, sessionOf } from '../testing/fixtures.ts'
import { pressSoon } from '../testing/hands.ts'
import { renderAt } from '../testing/renderAt.tsx'
import { showRoom } from '../testing/showRoom.tsx'
import { GuildNotes, RolesSheet } from './onboarding.tsx'

let server: ReturnType<typeof fakeServer>
let owes = true
let onboarding: Onboarding
beforeEach(() => {
  cache.clear()
  localStorage.clear()
  owes = true
  onboarding = { rules_on: true, rules: [{ title: '友善', words: '不骂人' }], questions: [] }
  server = fakeServer()
  server.on(viewGuild, () => ({
    ...guildOf('10', '夜航', [channelOf('20', '闲聊')]),
    user_config: { nickname: '', role_ids: [], ...(owes && { owes_rules: true }) },
  }))
  server.on(history, () => [])
  server.on(viewOnboarding, () => onboarding)
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('who has to accept the rules reads them where the composer stands, accepts, and may write', async () => {
  showRoom()
  expect(await screen.findByText('同意公会规则后才能发言')).toBeTruthy()
  expect(screen.queryByRole('textbox')).toBeNull()
  await pressSoon('阅读并同意规则')
  expect(await screen.findByRole('heading', { name: '友善' })).toBeTruthy()
  expect(screen.getByText('不骂人')).toBeTruthy()
  server.on(acceptRules, () => fail('unavailable'))
  await pressSoon('我已阅读并同意')
  await expect.poll(() => server.received(acceptRules)).toHaveLength(1)
  // A button that is busy takes no tap.
  const accept = () => screen.getByRole('button', { name: '我已阅读并同意' })
  await expect.poll(() => accept().getAttribute('aria-disabled')).toBeNull()
  expect(screen.queryByRole('textbox')).toBeNull()
  server.on(acceptRules, () => {
    owes = false
    return {}
  })
  await pressSoon('我已阅读并同意')
  expect(await screen.findByRole('textbox', { name: '发送消息到 #闲聊' })).toBeTruthy()
  expect(server.received(acceptRules)).toEqual([{ guild_id: '10' }, { guild_id: '10' }])
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
})

describe('roles to choose', () => {
  const role = (role_id: number, name: string): Role => ({
    role_id,
    name,
    position: role_id,
    permissions: 0,
    color: 0,
    hoist: 0,
    mentionable: 0,
  })
  const offering = (held: number[] = []) => ({
    ...guildOf('10', '夜航', [channelOf('20', '闲聊')]),
    roles: [role(1, '北服'), role(2, '南服'), role(3, '下棋')],
    my_roles: held,
    user_config: { nickname: '', role_ids: held, offers_roles: true, ...(owes && { owes_rules: true }) },
  })
  beforeEach(() => {
    onboarding = {
      ...onboarding,
      questions: [
        { title: '在哪个服', several: false, role_ids: [1, 2] },
        { title: '喜欢什么', several: true, role_ids: [3] },
      ],
    }
    server.on(viewGuild, () => offering())
    server.on(acceptRules, () => ({}))
  })

  test('stand below the rules, and are taken once these are accepted', async () => {
    server.on(chooseRole, ({ role_id }) => ({ roles: [Number(role_id)] }))
    showRoom()
    await pressSoon('阅读并同意规则')
    fireEvent.click(await screen.findByRole('radio', { name: '北服' }))
    fireEvent.click(screen.getByRole('radio', { name: '南服' }))
    fireEvent.click(screen.getByRole('checkbox', { name: '下棋' }))
    expect(screen.getByRole<HTMLInputElement>('radio', { name: '北服' }).checked).toBe(false)
    expect(server.received(chooseRole)).toEqual([])
    await pressSoon('我已阅读并同意')
    await expect
      .poll(() => server.received(chooseRole))
      .toEqual([
        { guild_id: '10', role_id: 2, chosen: true },
        { guild_id: '10', role_id: 3, chosen: true },
      ])
  })

  test('are taken also when the event of accepting comes before its answer', async () => {
    server.on(chooseRole, ({ role_id }) => ({ roles: [Number(role_id)] }))
    let answer = () => {}
    server.on(
      acceptRules,
      () => new Promise<Record<string, never>>((resolve) => (answer = () => resolve({}))),
    )
    showRoom()
    await pressSoon('阅读并同意规则')
    fireEvent.click(await screen.findByRole('radio', { name: '北服' }))
    await pressSoon('我已阅读并同意')
    await expect.poll(() => server.received(acceptRules)).toHaveLength(1)
    owes = false
    guildChanged('10')
    expect(await screen.findByRole('textbox', { name: '发送消息到 #闲聊' })).toBeTruthy()
    answer()
    await expect.poll(() => server.received(chooseRole)).toMatchObject([{ role_id: 1 }])
  })

  const show = () => {
    cache.setQueryData(queryKeyOf(viewGuild, { id: guild.id }), guild)
    const sheet = <RolesSheet guildId={guild.id} onClose={() => undefined} />
    return renderAt('/channels/10', '/channels/10', sheet, sessionOf().user)
  }
  let guild: Guild

  test('are taken and given back at once, in order, and a second tap is not lost', async () => {
    owes = false
    guild = offering([3])
    server.on(viewGuild, () => guild)
    let answer = (_: { roles: number[] }) => {}
    server.on(chooseRole, () => new Promise<{ roles: number[] }>((resolve) => (answer = resolve)))
    show()
    fireEvent.click(await screen.findByRole('radio', { name: '北服' }))
    fireEvent.click(screen.getByRole('radio', { name: '南服' }))
    const checked = (name: string) =>
      screen.getByRole<HTMLInputElement>(name === '下棋' ? 'checkbox' : 'radio', { name }).checked
    expect(['北服', '南服', '下棋'].map(checked)).toEqual([false, true, true])
    await expect.poll(() => server.received(chooseRole)).toHaveLength(1)
    answer({ roles: [1, 3] })
    await expect.poll(() => server.received(chooseRole)).toHaveLength(2)
    guild = offering([2, 3])
    answer({ roles: [2, 3] })
    fireEvent.click(screen.getByRole('checkbox', { name: '下棋' }))
    await expect
      .poll(() => server.received(chooseRole).at(-1))
      .toEqual({ guild_id: '10', role_id: 3, chosen: false })
    expect(['北服', '南服', '下棋'].map(checked)).toEqual([false, true, false])
  })

  test('one that is refused is taken back, with the reason', async () => {
    owes = false
    guild = offering()
    server.on(viewGuild, () => guild)
    server.on(chooseRole, () => fail('onboarding.not_offered'))
    show()
    fireEvent.click(await screen.findByRole('checkbox', { name: '下棋' }))
    expect(await screen.findByText('这个角色不能自己选择')).toBeTruthy()
    await expect
      .poll(() => screen.getByRole<HTMLInputElement>('checkbox', { name: '下棋' }).checked)
      .toBe(false)
  })

  test('are opened by their address, whether the guild offers some or not, and closing them leaves its own', async () => {
    owes = false
    server.on(viewGuild, () => guildOf('10', '夜航', [channelOf('20', '闲聊')]))
    server.on(listGuilds, () => [])
    server.on(listWaiting, () => [])
    server.on(listUnread, () => [])
    onboarding = { ...onboarding, questions: [] }
    renderAt('/channels/10?roles', '/channels/:guildId', <ChannelsOf />, sessionOf().user)
    expect(await screen.findByText('这个公会现在没有可以自己选择的角色')).toBeTruthy()
    await pressSoon('关闭')
    await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
    expect(screen.getByRole('status', { name: 'search' }).textContent).toBe('')
  })
  function ChannelsOf() {
    const { search } = useLocation()
    return (
      <>
        <ChannelsScreen NewGuild={() => null} InviteFriends={() => null} LastWords={() => null} />
        <output aria-label="search">{search}</output>
      </>
    )
  }

  test('are noted above the channels until somebody chose, or closed the note', async () => {
    owes = false
    guild = offering([3])
    server.on(viewGuild, () => guild)
    const note = (it: Guild) =>
      renderAt('/channels/10', '/channels/10', <GuildNotes guild={it} isCovered={false} />, sessionOf().user)
    note(guild)
    await expect.poll(() => server.received(viewOnboarding)).toHaveLength(1)
    expect(screen.queryByText('选择适合你的角色')).toBeNull()
    cleanup()
    note(offering())
    expect(await screen.findByText('选择适合你的角色')).toBeTruthy()
    await pressSoon('不再提示')
    expect(screen.queryByText('选择适合你的角色')).toBeNull()
    cleanup()
    note(offering())
    expect(screen.queryByText('选择适合你的角色')).toBeNull()
  })
})

describe('what a new guild still needs', () => {
  const page = (items: ListedInvite[]) => ({
    items,
    meta: { page: 1, page_total: 1, page_size: 50, total: items.length },
    sort: {},
  })
  const fresh = (more: Partial<Guild> = {}): Guild => ({
    ...guildOf('10', '夜航', [channelOf('20', '闲聊')]),
    user_config: { nickname: '', role_ids: [], has_checklist: true },
    ...more,
  })
  let guild: Guild
  function Followed() {
    const { answer } = useRouteQuery(viewGuild, { id: guild.id })
    return answer && <GuildNotes guild={answer} isCovered={false} />
  }
  const show = () => {
    server.on(viewGuild, () => guild)
    server.on(listInvites, () => page([]))
    onboarding = { ...onboarding, rules_on: false }
    renderAt('/channels/10', '/channels/10', <Followed />, sessionOf().user)
  }
  const done = async () =>
    (await screen.findAllByRole('link')).map((it) => [it.getAttribute('href'), 'done' in it.dataset])

  test('is counted from what it has, and each leads to where it is done', async () => {
    guild = fresh({ icon: '/files/a.png' })
    show()
    expect(await screen.findByRole('heading', { name: '新公会准备 1/4' })).toBeTruthy()
    expect(await done()).toEqual([
      ['/guild/profile/10', true],
      ['/guild/settings/10/channels', false],
      ['/guild/settings/10/invites', false],
      ['/guild/settings/10/onboarding', false],
    ])
    guild = fresh({ icon: '', channels: ['20', '21', '22'].map((id) => channelOf(id, id)) })
    guildChanged('10')
    await expect.poll(async () => (await done()).map(([, is]) => is)).toEqual([false, true, false, false])
  })

  test('is closed for good, and is back when that is refused', async () => {
    guild = fresh()
    show()
    server.on(closeChecklist, () => fail('unavailable'))
    await pressSoon('关闭准备清单')
    await expect.poll(() => server.received(closeChecklist)).toEqual([{ guild_id: '10' }])
    let answer = () => {}
    server.on(
      closeChecklist,
      () => new Promise<Record<string, never>>((resolve) => (answer = () => resolve({}))),
    )
    await pressSoon('关闭准备清单')
    await expect.poll(() => server.received(closeChecklist)).toHaveLength(2)
    await expect.poll(() => screen.queryByText('生成邀请链接')).toBeNull()
    answer()
    guild = { ...guild, user_config: { nickname: '', role_ids: [] } }
    guildChanged('10')
    await expect.poll(() => server.received(viewGuild).length).toBeGreaterThan(1)
    expect(screen.queryByText('生成邀请链接')).toBeNull()
  })
})
