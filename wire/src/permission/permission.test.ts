import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  ALL_PERMISSIONS,
  channelPermissions,
  DEFAULT_EVERYONE,
  guildPermissions,
  has,
  permission,
  type RolePermissions,
  type RoleRule,
  type UserRule,
  type Viewer,
  whyCannotSend,
} from './permission.ts'
import { visibleTree } from './visibleTree.ts'

/** A second, independent implementation of chat.md §6 and protocol.md §8.2, bit by bit. */
function mayAtGuild(bit: number, viewer: Viewer, roles: readonly RolePermissions[]): boolean {
  const bitOf = (mask: number, n: number) => Math.floor(mask / 2 ** n) % 2 === 1
  const mine = roles.filter((role) => role.role_id === 0 || viewer.roles.some((id) => id === role.role_id))
  const masks = mine.map((role) => role.permissions)
  if (!roles.some((role) => role.role_id === 0)) masks.push(842248)
  if (viewer.is_master || masks.some((mask) => bitOf(mask, 0))) return bit <= 27
  return masks.some((mask) => bitOf(mask, bit))
}

function mayInChannel(
  bit: number,
  viewer: Viewer,
  roles: readonly RolePermissions[],
  rules: readonly RoleRule[],
  own: UserRule | null,
): boolean {
  const bitOf = (mask: number, n: number) => Math.floor(mask / 2 ** n) % 2 === 1
  if (mayAtGuild(0, viewer, roles)) return bit <= 27
  const decide = (n: number): boolean => {
    const mine = rules.filter((rule) => rule.role_id !== 0 && viewer.roles.some((id) => id === rule.role_id))
    if (n === 0) return false
    if (own && bitOf(own.allow, n)) return true
    if (own && bitOf(own.deny, n)) return false
    if (mine.some((rule) => bitOf(rule.allow, n))) return true
    if (mine.some((rule) => bitOf(rule.deny, n))) return false
    const everyone = rules.filter((rule) => rule.role_id === 0)
    if (everyone.some((rule) => bitOf(rule.allow, n))) return true
    if (everyone.some((rule) => bitOf(rule.deny, n))) return false
    return mayAtGuild(n, viewer, roles)
  }
  if (!decide(11)) return false
  if ((bit === 14 || bit === 17) && !decide(12)) return false
  return decide(bit)
}

const mask = fc.oneof(
  fc.nat({ max: 2 ** 31 - 1 }),
  fc.constantFrom(0, 1, 2048, 4096, 6144, DEFAULT_EVERYONE, ALL_PERMISSIONS),
  fc.subarray([11, 12, 13, 14, 17]).map((bits) => bits.reduce((sum, bit) => sum + 2 ** bit, 0)),
)
const roleIds = fc.uniqueArray(fc.integer({ min: 1, max: 5 }), { maxLength: 4 })
const viewer = fc.record({ is_master: fc.boolean(), roles: roleIds })
const roles = fc
  .tuple(
    fc.option(mask),
    fc.uniqueArray(fc.integer({ min: 1, max: 5 })),
    fc.array(mask, { minLength: 5, maxLength: 5 }),
  )
  .map(([everyone, ids, masks]) => [
    ...(everyone === null ? [] : [{ role_id: 0, permissions: everyone }]),
    ...ids.map((role_id, index) => ({ role_id, permissions: masks[index]! })),
  ])
const rules = fc
  .tuple(
    fc.uniqueArray(fc.integer({ min: 0, max: 5 })),
    fc.array(fc.tuple(mask, mask), { minLength: 6, maxLength: 6 }),
  )
  .map(([ids, masks]) =>
    ids.map((role_id, index) => ({ role_id, allow: masks[index]![0], deny: masks[index]![1] })),
  )
const own = fc.option(fc.record({ allow: mask, deny: mask }))

describe('permissions', () => {
  it('in a guild agree with an independent implementation, bit by bit', () => {
    fc.assert(
      fc.property(viewer, roles, (who, defined) => {
        const result = guildPermissions(who, defined)
        for (let bit = 0; bit <= 30; bit += 1) {
          expect(has(result, 2 ** bit), `bit ${bit}`).toBe(mayAtGuild(bit, who, defined))
        }
      }),
      { numRuns: 5_000, seed: 842248 },
    )
  })

  it('in a channel agree with an independent implementation, bit by bit', () => {
    fc.assert(
      fc.property(viewer, roles, rules, own, (who, defined, channel, mine) => {
        const result = channelPermissions(guildPermissions(who, defined), who, channel, mine)
        for (let bit = 0; bit <= 30; bit += 1) {
          expect(has(result, 2 ** bit), `bit ${bit}`).toBe(mayInChannel(bit, who, defined, channel, mine))
        }
      }),
      { numRuns: 5_000, seed: 268435455 },
    )
  })

  it('start from the default when a guild has no everyone role', () => {
    expect(guildPermissions({ is_master: false, roles: [] }, [])).toBe(DEFAULT_EVERYONE)
  })

  it('are never widened to administration by a channel rule', () => {
    const nobody = { is_master: false, roles: [] }
    const result = channelPermissions(DEFAULT_EVERYONE, nobody, [{ role_id: 0, allow: 1, deny: 0 }], {
      allow: 1,
      deny: 0,
    })
    expect(has(result, permission.manage)).toBe(false)
  })
})

describe('sending', () => {
  const open = {
    mobile_verified: true,
    is_master: false,
    is_team: false,
    is_readonly: false,
    permissions: DEFAULT_EVERYONE,
  }

  it('is refused to an unverified user before any other check', () => {
    expect(whyCannotSend({ ...open, mobile_verified: false, is_readonly: true, permissions: 0 })).toBe(
      'unverified',
    )
  })

  it('waits for the rules of the guild, also where nobody may send', () => {
    expect(whyCannotSend({ ...open, owes_rules: true })).toBe('rules')
    expect(whyCannotSend({ ...open, owes_rules: true, is_readonly: true })).toBe('rules')
    expect(whyCannotSend({ ...open, owes_rules: true, mobile_verified: false })).toBe('unverified')
  })

  it('in a read-only channel is allowed to the owner and the team', () => {
    expect(whyCannotSend({ ...open, is_readonly: true })).toBe('readonly')
    expect(whyCannotSend({ ...open, is_readonly: true, is_team: true })).toBeNull()
    expect(
      whyCannotSend({ ...open, is_readonly: true, is_master: true, permissions: ALL_PERMISSIONS }),
    ).toBeNull()
  })

  it('needs both the right to view and the right to send', () => {
    expect(whyCannotSend({ ...open, permissions: permission.view_channel })).toBe('no_permission')
    expect(whyCannotSend({ ...open, permissions: permission.send_message })).toBe('no_permission')
    expect(whyCannotSend(open)).toBeNull()
  })
})

describe('the tree a person sees', () => {
  const channel = (id: string, parent_id: string, is_category: boolean, level: number) => ({
    id,
    parent_id,
    is_category,
    level,
  })
  const channels = [
    channel('10', '1', false, 2),
    channel('11', '1', false, 1),
    channel('1', '', true, 2),
    channel('2', '', true, 1),
    channel('20', '2', false, 1),
    channel('3', '', false, 0),
    channel('30', '99', false, 5),
  ]
  const see = (...ids: string[]) =>
    visibleTree(channels, (it) => ids.includes(it.id)).map((it) => [
      it.id,
      ...it.channels.map((child) => child.id),
    ])

  it('hides a category that has no visible child and may not be viewed', () => {
    expect(see('10')).toEqual([['1', '10']])
    expect(see('2')).toEqual([['2']])
    expect(see()).toEqual([])
  })

  it('is in order: channels of no category, then categories with their children', () => {
    expect(see('1', '2', '3', '10', '11', '20', '30')).toEqual([
      ['3'],
      ['30'],
      ['2', '20'],
      ['1', '11', '10'],
    ])
  })
})
