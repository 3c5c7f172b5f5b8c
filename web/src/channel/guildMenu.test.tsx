import { type Guild, viewGuild } from '@guildhall/wire/channel/channel.ts'
import { fail } from '@guildhall/wire/failure.ts'
import { listDeletedGuilds, restoreGuild } from '@guildhall/wire/guild/deletion.ts'
import { setCustomId } from '@guildhall/wire/invite/shortAddress.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import NewGuild from '../invite/NewGuild.tsx'
import { writeStored } from '../kit/browser/storage.ts'
import { setLocale } from '../kit/i18n.ts'
import { fakeServer } from '../testing/fakeServer.ts'
import { guildOf, sessionOf } from '../testing/fixtures.ts'
import { fill, pressSoon } from '../testing/hands.ts'
import { renderAt } from '../testing/renderAt.tsx'
import GuildMenu from './GuildMenu.tsx'

let server: ReturnType<typeof fakeServer>
beforeEach(() => {
  localStorage.clear()
  writeStored('authorization', 'tok')
  setLocale('zh-CN')
  server = fakeServer()
})
afterEach(cleanup)

const show = (more: Partial<Guild> = {}) => {
  const guild = { ...guildOf('10', '星海公会'), ...more }
  server.on(viewGuild, () => guild)
  renderAt(
    '/channels/10',
    '/channels/10',
    <GuildMenu guildId={guild.id} InviteFriends={() => null} onClose={() => undefined} />,
    sessionOf().user,
  )
}
const manager = { permissions: permission.manage_guild }
const enter = async (id: string) => {
  fill(await screen.findByLabelText('公会 ID'), { value: id })
  await pressSoon('保存')
}

test('every member finds the boosts of the guild', async () => {
  show()
  await pressSoon('公会助力')
  expect(await screen.findByText('at /guild/boost/10')).toBeTruthy()
})

describe('the custom id', () => {
  test('is not offered to those who may not manage the guild', () => {
    show()
    expect(screen.queryByRole('button', { name: '自定义公会 ID' })).toBeNull()
  })

  test('says which level it needs, and leads to boosting', async () => {
    show({ ...manager, level: 3 })
    await pressSoon('自定义公会 ID')
    expect(await screen.findByText('公会达到 5 级后可以设置，现在是 3 级')).toBeTruthy()
    expect(screen.queryByLabelText('公会 ID')).toBeNull()
    expect(screen.getByRole('link', { name: '去助力' }).getAttribute('href')).toBe('/guild/boost/10')
  })

  test('says what is wrong under its field, and is saved', async () => {
    server.on(setCustomId, () => fail('guild.id_taken'))
    show({ ...manager, level: 5 })
    await pressSoon('自定义公会 ID')
    expect(await screen.findByText(/6-32 个字母/)).toBeTruthy()
    await enter('star-sea')
    expect(await screen.findByText('这个公会 ID 已被使用，请换一个')).toBeTruthy()
    expect(screen.getByLabelText('公会 ID').getAttribute('aria-invalid')).toBe('true')
    server.on(setCustomId, () => ({ custom_id: 'star-sea2', url: '' }))
    await enter('star-sea2')
    expect(await screen.findByText('公会 ID 已保存')).toBeTruthy()
    expect(server.received(setCustomId).at(-1)).toEqual({ guild_id: '10', custom_id: 'star-sea2' })
  })

  test('that a guild kept after its level dropped is shown, and can be taken away', async () => {
    server.on(setCustomId, () => ({ custom_id: '', url: '' }))
    show({ ...manager, level: 0, custom_id: 'nova' })
    await pressSoon('自定义公会 ID')
    expect(await screen.findByText(`${location.origin}/g/nova`)).toBeTruthy()
    expect(screen.getByText(/保留现有 ID/)).toBeTruthy()
    await pressSoon('移除公会 ID')
    fireEvent.click((await screen.findAllByRole('button', { name: '移除公会 ID' })).at(-1)!)
    expect(await screen.findByText('公会 ID 已移除')).toBeTruthy()
    expect(server.received(setCustomId)).toEqual([{ guild_id: '10', custom_id: '' }])
  })
})

test('deleting a guild is for its owner alone, and leads to a page of its own', async () => {
  show(manager)
  expect(screen.queryByRole('button', { name: '解散公会' })).toBeNull()
  cleanup()
  show({ is_master: true })
  await pressSoon('解散公会')
  expect(await screen.findByText('at /guild/settings/10/danger')).toBeTruthy()
})

test('deleted guilds are listed where guilds are added, with the days that are left, or why they are not restored', async () => {
  const DAY_MS = 86_400_000
  const deleted = (id: string, name: string, can_restore: boolean) => ({
    id: id as never,
    name,
    icon: '',
    deleted_at: Date.now() - DAY_MS,
    can_restore,
    restorable_until: Date.now() + 28.5 * DAY_MS,
  })
  server.on(listDeletedGuilds, () => ({
    items: [deleted('11', '旧公会', true), deleted('12', '小公会', false)],
  }))
  server.on(restoreGuild, () => fail('guild.owns_too_many', { n: 20 }))
  renderAt('/x', '/x', <NewGuild onClose={() => undefined} />, sessionOf().user)
  fireEvent.click(await screen.findByRole('button', { name: /恢复公会/ }))
  expect(await screen.findByText('还可以恢复 29 天')).toBeTruthy()
  expect(screen.getByText('解散时公会未达到 3 级，不能恢复')).toBeTruthy()
  expect(screen.queryByRole('button', { name: '恢复「小公会」' })).toBeNull()
  await pressSoon('恢复「旧公会」')
  expect(await screen.findByText('每人最多创建 20 个公会')).toBeTruthy()
  server.on(restoreGuild, () => ({}))
  await pressSoon('恢复「旧公会」')
  expect(await screen.findByText('at /channels/11')).toBeTruthy()
  expect(server.received(restoreGuild).at(-1)).toEqual({ guild_id: '11' })
})
