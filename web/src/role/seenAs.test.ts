import type { Role } from '@guildhall/wire/guild/guild.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import { expect, test } from 'vitest'
import { channelOf, guildOf } from '../testing/fixtures.ts'
import { seenAs } from './seenAs.ts'

const VIEW = permission.view_channel
const SEND = permission.send_message
const roleOf = (role_id: number, permissions: number): Role => ({
  role_id,
  name: `r${role_id}`,
  color: 0,
  position: role_id === 0 ? 2 ** 31 - 1 : role_id,
  hoist: 0,
  mentionable: 0,
  permissions,
})
const everyone = roleOf(0, VIEW | SEND)
const key = roleOf(5, 0)
const hidden = [
  { role_id: 0, allow: 0, deny: VIEW },
  { role_id: 5, allow: VIEW, deny: 0 },
]
const guild = {
  ...guildOf('10', '夜航', [
    channelOf('20', '大厅'),
    channelOf('21', '公告', { is_readonly: true }),
    channelOf('22', '语音', { type: 2 }),
    channelOf('30', '密室', {
      type: 0,
      is_category: true,
      permission_overwrites: hidden,
      channels: [channelOf('31', '密谈', { permission_overwrites: hidden })],
    }),
  ]),
  roles: [roleOf(1, permission.manage), key, everyone],
}
const marks = (role: Role) => seenAs(guild, role).map(({ channel, sees, acts }) => [channel.name, sees, acts])

test('without a role one sees what everyone’s role allows', () => {
  expect(marks(everyone)).toEqual([
    ['大厅', true, true],
    ['公告', true, false],
    ['语音', true, false],
    ['密室', false, false],
    ['密谈', false, false],
  ])
})

test('a role opens the channels that its overwrites allow', () => {
  expect(marks(key).slice(3)).toEqual([
    ['密室', true, true],
    ['密谈', true, true],
  ])
})

test('a category shows with any of its channels', () => {
  const [category] = guild.channels.slice(3)
  const apart = { ...guild, channels: [{ ...category!, permission_overwrites: hidden.slice(0, 1) }] }
  expect(seenAs(apart, key).map(({ sees }) => sees)).toEqual([true, true])
})

test('a role that is being changed is seen as it will be', () => {
  expect(marks({ ...everyone, permissions: permission.manage }).map(([, sees]) => sees)).toEqual(
    Array(5).fill(true),
  )
  expect(marks({ ...key, permissions: permission.connect_audio })[2]).toEqual(['语音', true, true])
})
