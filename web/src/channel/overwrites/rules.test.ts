import type { Channel } from '@guildhall/wire/channel/channel.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import { expect, test } from 'vitest'
import { channelOf, guildOf } from '../../testing/fixtures.ts'
import {
  applied,
  type Change,
  changeForAll,
  changeTo,
  differing,
  EVERYBODY,
  hasEverybody,
  losses,
  type Rules,
  resultOf,
  rightsIn,
  ruleOf,
} from './rules.ts'

const { view_channel: VIEW, send_message: SEND, manage_role: ROLES, manage_channel: MANAGE } = permission
const role = (role_id: number, permissions: number) => ({
  role_id,
  permissions,
  name: String(role_id),
  color: 0,
  position: role_id,
  hoist: 0,
  mentionable: 0,
})
const guild = { ...guildOf('10', '夜航'), roles: [role(2, ROLES | MANAGE), role(0, VIEW | SEND)] }
const rules: Rules = channelOf('20', '大厅')
const after = (...changes: Change[]) => changes.reduce(applied, rules)
const people = { user: { id: '8', roles: [2] } as unknown as Channel['permission_users'][number]['user'] }

test('a change touches its own bits alone, and those that somebody else changed stay', () => {
  const now = after(changeTo({ role: 2 }, VIEW, 'allow'), changeTo({ role: 2 }, SEND, 'deny'))
  expect(ruleOf(now, { role: 2 })).toEqual({ role_id: 2, allow: VIEW, deny: SEND })
  expect(ruleOf(applied(now, changeTo({ role: 2 }, SEND, 'inherit')), { role: 2 })).toMatchObject({ deny: 0 })
})

test('an overwrite is made empty, and removed', () => {
  const made = after({ target: people, bits: 0, allow: 0, deny: 0 })
  expect(made.permission_users).toMatchObject([{ allow: 0, deny: 0 }])
  expect(applied(made, { target: people, bits: null }).permission_users).toEqual([])
})

test('who loses what they need to look after a channel is told so, and others are not', () => {
  const mine = { ...guild, my_roles: [2] }
  const hidden = after(changeForAll(guild, VIEW, false))
  expect(losses(mine, '7', rules, hidden)).toEqual(['view_channel', 'manage_channel', 'manage_role'])
  const kept = applied(hidden, changeTo({ role: 2 }, VIEW, 'allow'))
  expect(losses(mine, '7', rules, kept)).toEqual([])
  expect(losses(mine, '7', rules, after(changeTo({ role: 2 }, ROLES, 'deny')))).toEqual(['manage_role'])
  expect(losses({ ...mine, is_master: true }, '7', rules, hidden)).toEqual([])
})

test('a private channel is seen by those who are chosen, who then write as everywhere', () => {
  const hidden = after(changeForAll(guild, VIEW, false), changeTo({ role: 2 }, VIEW, 'allow'))
  expect([hasEverybody(guild, hidden, VIEW), hasEverybody(guild, hidden, SEND)]).toEqual([false, true])
  expect([resultOf(guild, hidden, EVERYBODY), resultOf(guild, hidden, { role: 2 }) & (VIEW | SEND)]).toEqual([
    0,
    VIEW | SEND,
  ])
  expect(resultOf(guild, hidden, people) & VIEW).toBe(VIEW)
})

test('opened again, a channel allows what the guild does not give', () => {
  expect(changeForAll(guild, SEND, true)).toMatchObject({ allow: 0, deny: 0 })
  const closed = { ...guild, roles: [role(0, 0)] }
  expect(changeForAll(closed, SEND, true)).toMatchObject({ allow: SEND, deny: 0 })
})

test('what a sync would change is named; an empty overwrite is no difference', () => {
  const own = after({ target: people, bits: 0, allow: 0, deny: 0 }, changeTo({ role: 2 }, SEND, 'deny'))
  expect(differing(own, rules)).toEqual([{ role: 2 }])
})

test('a channel has the rights of its type, a category all of them', () => {
  const has = (type: 0 | 1 | 2) =>
    (['send_message', 'speak', 'manage_guild'] as const).map((it) => rightsIn(type).has(it))
  expect([has(0), has(1), has(2)]).toEqual([
    [true, true, false],
    [true, false, false],
    [false, true, false],
  ])
})
