import type { Role } from '@guildhall/wire/guild/guild.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import { expect, test } from 'vitest'
import { changeOf, colorsIn, type Draft, differing, draftOf, withDraft, withRight } from './draft.ts'

const role: Role = {
  role_id: 5,
  name: '队长',
  color: 0x112233,
  position: 2,
  hoist: 0,
  mentionable: 0,
  permissions: permission.send_message,
}
const changed = (role: Role, draft: Draft) => changeOf(role, withDraft(role, draft))

test('what was not touched, or is as it was again, is not sent', () => {
  expect(withDraft(role, undefined)).toBe(role)
  expect(changed(role, draftOf(role))).toEqual({})
  const back = { ...draftOf(role), name: '队长', hoist: 0, colors: [0x112233] }
  expect(changed(role, back)).toEqual({})
  const toggled = withRight(withRight(draftOf(role), permission.manage, true), permission.manage, false)
  expect(changed(role, toggled)).toEqual({})
})

test('each field that differs is sent, and no other', () => {
  expect(changed(role, { ...draftOf(role), name: '副队长', mentionable: 1 })).toEqual({
    name: '副队长',
    mentionable: 1,
  })
})

test('rights that somebody else changed meanwhile stay as they left them', () => {
  const mine = withRight(draftOf(role), permission.ban_member, true)
  const theirs = { ...role, permissions: permission.send_message | permission.manage_emoji }
  expect(changed(theirs, mine)).toEqual({
    permissions: permission.send_message | permission.manage_emoji | permission.ban_member,
  })
})

test('the highest right is a number like the others', () => {
  const { permissions } = withDraft(role, withRight(draftOf(role), permission.record_audio, true))
  expect(permissions).toBe(permission.send_message + permission.record_audio)
})

test('colours are none, one, or a gradient, and are sent as such', () => {
  const gradient: Role = { ...role, color: 1, color_type: 2, color_map: { color_list: [1, 2] } }
  expect([colorsIn({ ...role, color: 0 }), colorsIn(role), colorsIn(gradient)]).toEqual([
    [],
    [0x112233],
    [1, 2],
  ])
  expect(changed(gradient, { ...draftOf(gradient), colors: [] })).toEqual({ color: 0, color_type: 1 })
  expect(changed(gradient, { ...draftOf(gradient), colors: [1] })).toEqual({ color: 1, color_type: 1 })
  expect(changed(role, { ...draftOf(role), colors: [7, 8, 9] })).toEqual({
    color_type: 2,
    color_map: { color_list: [7, 8, 9] },
  })
  expect(changed(gradient, { ...draftOf(gradient), colors: [1, 2] })).toEqual({})
})

test('what somebody else changed is known by its fields; the order is none of them', () => {
  expect(differing(role, { ...role, position: 9 })).toEqual([])
  expect(differing(role, { ...role, name: 'x', color: 5, permissions: 0 })).toEqual([
    'name',
    'colors',
    'permissions',
  ])
})
