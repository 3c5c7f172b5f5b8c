/** Roles of staff: each is a set of rights. A right that is granted by itself comes on top. */
import { STAFF_RIGHTS, type StaffRight } from './rights.ts'

export const STAFF_ROLES = {
  support: ['people', 'gift', 'guild', 'report', 'order'],
  finance: ['order', 'refund', 'code', 'price', 'number'],
  reviewer: ['review', 'report', 'word', 'content'],
  administrator: STAFF_RIGHTS,
} as const satisfies Readonly<Record<string, readonly StaffRight[]>>

export type StaffRole = keyof typeof STAFF_ROLES
export const STAFF_ROLE_NAMES = Object.keys(STAFF_ROLES) as StaffRole[]

export const isStaffRole = (name: string): name is StaffRole => Object.hasOwn(STAFF_ROLES, name)

/**
 * All rights of a role and of what was granted beside it, in the order of `STAFF_RIGHTS`. Unknown ones allow
 * nothing.
 */
export function rightsOfStaff(role: string, granted: readonly string[]): StaffRight[] {
  const ofRole: readonly string[] = isStaffRole(role) ? STAFF_ROLES[role] : []
  return STAFF_RIGHTS.filter((right) => ofRole.includes(right) || granted.includes(right))
}
