/** The card of a person who left the guild: moderators still find what they noted. */
import type { Guild } from '@guildhall/wire/channel/channel.ts'
import { fail } from '@guildhall/wire/failure.ts'
import { viewUser } from '@guildhall/wire/guild/guild.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import { cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fakeServer } from '../../testing/fakeServer.ts'
import { guildOf, sessionOf } from '../../testing/fixtures.ts'
import { memberOf } from '../../testing/members.ts'
import { renderAt } from '../../testing/renderAt.tsx'
import { PersonCard } from './PersonSheet.tsx'

let server: ReturnType<typeof fakeServer>
beforeEach(() => {
  server = fakeServer()
  server.on(viewUser, () => fail('user.unknown'))
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const open = (permissions: number) => {
  const guild: Guild = { ...guildOf('10', '夜航'), permissions }
  renderAt(
    '/here',
    '/here',
    <PersonCard
      userId="5"
      known={memberOf('5', '小满')}
      guildId={guild.id}
      guild={guild}
      meId={sessionOf().user.id}
      onMention={null}
    />,
    sessionOf().user,
  )
}
const link = () => screen.queryByRole('link', { name: '管理记录' })

test('a member finds nothing there', async () => {
  open(permission.view_channel)
  expect(await screen.findByText(/不在/)).toBeTruthy()
  expect(link()).toBeNull()
})

test('a moderator finds the way to the record', async () => {
  open(permission.mute_member)
  await expect.poll(() => link()?.getAttribute('href')).toBe('/guild/settings/10/members?member=5')
})

test('a member of BUFF has the crown and their ring, and since when they are one once that is known', async () => {
  const since = new Date(2026, 2, 9).getTime()
  const answered = Promise.withResolvers<void>()
  const member = { ...memberOf('5', '小满'), is_vip: true, avatar_frame: 'gold' }
  server.on(viewUser, async () => {
    await answered.promise
    return { ...member, buff_since: since }
  })
  const { container } = renderAt(
    '/here',
    '/here',
    <PersonCard userId="5" known={member} guildId={null} guild={null} meId="5" onMention={null} />,
    sessionOf().user,
  )
  expect(screen.getByRole('img', { name: 'BUFF 会员' })).toBeTruthy()
  expect(container.querySelector('.frame-gold')).toBeTruthy()
  expect(screen.getByText('BUFF 会员')).toBeTruthy()
  answered.resolve()
  expect(await screen.findByText('BUFF 会员 · 2026年3月起')).toBeTruthy()
})
