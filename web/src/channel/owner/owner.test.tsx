import { type Guild, viewGuild } from '@guildhall/wire/channel/channel.ts'
import { fail } from '@guildhall/wire/failure.ts'
import { deleteGuild } from '@guildhall/wire/guild/deletion.ts'
import {
  acceptTransfer,
  cancelTransfer,
  type GuildTransfer,
  offerGuild,
  viewTransfer,
} from '@guildhall/wire/guild/transfer.ts'
import { TRANSFER_PATH } from '@guildhall/wire/guild/transferPath.ts'
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import { listMembers, type Member } from '@guildhall/wire/member/member.ts'
import { cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { setLocale } from '../../kit/i18n.ts'
import { cache } from '../../kit/routeQuery.ts'
import { fakeServer } from '../../testing/fakeServer.ts'
import { guildOf, sessionOf } from '../../testing/fixtures.ts'
import { pressSoon, type } from '../../testing/hands.ts'
import { renderAt } from '../../testing/renderAt.tsx'
import DangerSettings from './DangerSettings.tsx'
import TransferScreen from './TransferScreen.tsx'

let server: ReturnType<typeof fakeServer>
let transfer: GuildTransfer | null
beforeEach(() => {
  cache.clear()
  setLocale('zh-CN')
  transfer = null
  server = fakeServer()
  server.on(viewTransfer, () => ({ transfer }))
})
afterEach(cleanup)

const person = (id: string, username: string) => ({
  ...sessionOf().user,
  id: id as UserId,
  username,
  identify_num: '1234',
})
const memberOf = (id: string, username: string, more: Partial<Member> = {}): Member => ({
  ...person(id, username),
  nickname: username,
  roles: [],
  os: '',
  color: 0,
  is_master: false,
  is_admin: false,
  game: '',
  hoist_info: null,
  mobile_verified: true,
  joined_at: 1,
  active_time: 1,
  abbr: '',
  ...more,
})
const offer = () => ({
  owner: person('1', '会长'),
  receiver: person('5', '小满'),
  ends_at: Date.now() + 86_400_000,
})
const showDanger = (more: Partial<Guild> = {}) => {
  const guild = { ...guildOf('10', '星海公会'), is_master: true, ...more }
  renderAt('/guild/settings/10/danger', '/guild/settings/10/danger', <DangerSettings guild={guild} />)
}
const showOffer = (more: Partial<Guild> = {}) => {
  server.on(viewGuild, () => ({ ...guildOf('10', '星海公会'), ...more }))
  renderAt(
    '/guild/transfer/10',
    '/guild/transfer/:guildId',
    <TransferScreen guildId={'10' as GuildId} />,
    sessionOf().user,
  )
}

describe('deleting a guild', () => {
  test('says whether it can be restored', async () => {
    showDanger({ level: 2 })
    expect(await screen.findByText(/该操作无法撤销/)).toBeTruthy()
    cleanup()
    showDanger({ level: 3 })
    expect(await screen.findByText(/30 天内可以/)).toBeTruthy()
  })

  test('needs the guild’s name, says a refusal, and leads away', async () => {
    server.on(deleteGuild, () => fail('guild.not_owner'))
    showDanger()
    type('输入公会名称「星海公会」以确认', '星海')
    await pressSoon('解散公会')
    expect(await screen.findByText('名称不一致')).toBeTruthy()
    expect(server.received(deleteGuild)).toEqual([])
    type('输入公会名称「星海公会」以确认', ' 星海公会 ')
    await pressSoon('解散公会')
    expect(await screen.findByText('只有会长可以这样做')).toBeTruthy()
    server.on(deleteGuild, () => ({}))
    await pressSoon('解散公会')
    expect(await screen.findByText('at /channels/')).toBeTruthy()
    expect(server.received(deleteGuild).at(-1)).toEqual({ guild_id: '10' })
  })
})

describe('handing a guild over', () => {
  test('offers members alone, asks once more, and shows who has to answer', async () => {
    server.on(listMembers, () => ({
      data: [
        memberOf('1', '会长', { is_master: true }),
        memberOf('4', '机器', { bot: true }),
        memberOf('5', '小满'),
      ],
      online_count: 3,
      offline_count: 0,
      groups: [],
    }))
    server.on(offerGuild, () => {
      transfer = offer()
      return { transfer }
    })
    showDanger()
    await pressSoon('选择新会长')
    await pressSoon(/小满#/)
    expect(screen.queryByRole('button', { name: /机器#|会长#/ })).toBeNull()
    expect(server.received(offerGuild)).toEqual([])
    await pressSoon('发出转让')
    expect(await screen.findByText(/等待对方接受/)).toBeTruthy()
    expect(server.received(offerGuild)).toEqual([{ guild_id: '10', user_id: '5' }])
  })

  test('can be withdrawn', async () => {
    transfer = offer()
    server.on(cancelTransfer, () => {
      transfer = null
      return {}
    })
    showDanger()
    await pressSoon('取消转让')
    expect(await screen.findByRole('button', { name: '选择新会长' })).toBeTruthy()
  })

  test('is refused or accepted by the member; an offer that has ended says so', async () => {
    showOffer()
    expect(await screen.findByText('没有等待你接受的转让')).toBeTruthy()
    cleanup()
    cache.clear()
    transfer = offer()
    server.on(acceptTransfer, () => fail('guild.owns_too_many', { n: 20 }))
    showOffer()
    expect(await screen.findByText(/会长 想把这个公会转让给你/)).toBeTruthy()
    await pressSoon('接受')
    expect(await screen.findByText('每人最多创建 20 个公会')).toBeTruthy()
    server.on(acceptTransfer, () => ({}))
    await pressSoon('接受')
    expect(await screen.findByText('at /channels/10')).toBeTruthy()
    expect(server.received(acceptTransfer)).toHaveLength(2)
  })

  test('leads to the guild also when the event of accepting comes before its answer', async () => {
    transfer = offer()
    const answer = server.waits(acceptTransfer)
    showOffer()
    await pressSoon('接受')
    await expect.poll(() => server.received(acceptTransfer)).toHaveLength(1)
    transfer = null
    void cache.invalidateQueries({ queryKey: ['GET', TRANSFER_PATH] })
    expect(await screen.findByText('没有等待你接受的转让')).toBeTruthy()
    answer({})
    expect(await screen.findByText('at /channels/10')).toBeTruthy()
  })

  test('that is withdrawn says so also when the event comes before the answer', async () => {
    transfer = offer()
    const answer = server.waits(cancelTransfer)
    showDanger()
    await pressSoon('取消转让')
    await expect.poll(() => server.received(cancelTransfer)).toHaveLength(1)
    transfer = null
    void cache.invalidateQueries({ queryKey: ['GET', TRANSFER_PATH] })
    expect(await screen.findByRole('button', { name: '选择新会长' })).toBeTruthy()
    answer({})
    expect(await screen.findByText('转让已取消')).toBeTruthy()
  })
})
