import { describe, expect, it } from 'vitest'
import {
  EVERYONE_POSITION,
  highestPosition,
  mayChangeBits,
  outranks,
  outranksRole,
  rankOf,
} from './hierarchy.ts'
import { ALL_PERMISSIONS, permission } from './permission.ts'

const roles = [
  { role_id: 11, position: 1 },
  { role_id: 12, position: 2 },
  { role_id: 13, position: 2 },
  { role_id: 0, position: EVERYONE_POSITION },
]
const owner = { is_master: true, roles: [] }
const having = (...ids: number[]) => ({ is_master: false, roles: ids })

describe('the hierarchy of a guild', () => {
  it('lets nobody act on the owner, on themselves, or beside themselves', () => {
    expect(outranks(having(11), owner, roles)).toBe(false)
    expect(outranks(owner, owner, roles)).toBe(false)
    expect(outranks(having(12), having(13), roles)).toBe(false)
    expect(outranks(having(), having(), roles)).toBe(false)
  })

  it('lets a member act on those below their highest role, and the owner on all', () => {
    expect(outranks(having(12, 11), having(12), roles)).toBe(true)
    expect(outranks(having(13), having(), roles)).toBe(true)
    expect(outranks(owner, having(11), roles)).toBe(true)
  })

  it('ignores roles that the guild does not have', () => {
    expect(rankOf(having(99), roles)).toBe(EVERYONE_POSITION)
  })

  it('lets a role be changed only from above it, and everyone’s by whoever may manage roles', () => {
    expect(outranksRole(having(12), roles[0]!, roles)).toBe(false)
    expect(outranksRole(having(12), roles[2]!, roles)).toBe(false)
    expect(outranksRole(having(11), roles[2]!, roles)).toBe(true)
    expect(outranksRole(having(), roles[3]!, roles)).toBe(true)
  })

  it('lets a role be moved below all that its mover does not stand above, and by the owner to the top', () => {
    expect(highestPosition(having(), roles)).toBe(4)
    expect(highestPosition(having(12), roles)).toBe(4)
    expect(highestPosition(having(11), roles)).toBe(2)
    expect(highestPosition(owner, roles)).toBe(1)
  })

  it('lets nobody give or take a right that they do not have', () => {
    const { ban_member, send_message, view_channel } = permission
    expect(mayChangeBits(send_message, 0, ban_member)).toBe(false)
    expect(mayChangeBits(send_message, ban_member, 0)).toBe(false)
    expect(
      mayChangeBits(send_message | view_channel, view_channel | ban_member, send_message | ban_member),
    ).toBe(true)
  })
})

it('who has every permission may change the newest bits too', () => {
  expect(mayChangeBits(ALL_PERMISSIONS, 0, 2 ** 30)).toBe(true)
  expect(mayChangeBits(ALL_PERMISSIONS & ~1, 0, 2 ** 30)).toBe(false)
})
