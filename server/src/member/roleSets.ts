/**
 * Sets of roles: most members of a guild have one of few, and what follows from the roles is computed once
 * for each.
 */
import type { Role } from '@guildhall/wire/guild/guild.ts'
import type { RoleId } from '@guildhall/wire/id.ts'
import { EVERYONE, guildPermissions, has, permission } from '@guildhall/wire/permission/permission.ts'
import { colorsOf } from '../role/role.ts'

/** The roles of a member beside everyone's, and what they bring. */
export interface RoleSet {
  /** Ascending. */
  readonly ids: readonly RoleId[]
  /** Those that exist. */
  readonly roles: readonly Role[]
  /** The highest that is hoisted. */
  readonly hoist: Role | null
  /** Of the highest that has one; 0: none. */
  readonly color: number
  /** The gradient of that role; absent when its colour is solid. */
  readonly color_list?: number[]
  /** What they may do in the guild as a whole, unless they own it. */
  readonly permissions: number
  readonly isAdmin: boolean
}

/** The ids of roles, ascending: one array for all members who have them. */
export type RoleIds = readonly RoleId[]

export class RoleSets {
  #roles: ReadonlyMap<RoleId, Role> = new Map()
  #everyone: Role | null = null
  readonly #sets = new Map<RoleIds, RoleSet>()
  readonly #known = new Map<string, RoleIds>()

  /** Replaces the roles of the guild. */
  setRoles(roles: readonly Role[]): void {
    this.#roles = new Map(roles.map((role) => [role.role_id, role]))
    this.#everyone = roles.find(({ role_id }) => role_id === EVERYONE) ?? null
    this.#sets.clear()
  }

  get everyone(): Role | null {
    return this.#everyone
  }

  /** The hoisted roles, the highest first. */
  hoisted(): Role[] {
    return [...this.#roles.values()]
      .filter(({ hoist, role_id }) => hoist === 1 && role_id !== EVERYONE)
      .sort(byPosition)
  }

  /** The one array for these roles: members with equal roles share it, and it names their set. */
  idsOf(roles: readonly RoleId[]): RoleIds {
    const ids = [...roles].sort((a, b) => a - b)
    const name = ids.join(' ')
    const known = this.#known.get(name)
    if (known) return known
    this.#known.set(name, ids)
    return ids
  }

  /** `ids`: from `idsOf`. */
  get(ids: RoleIds): RoleSet {
    let known = this.#sets.get(ids)
    if (!known) {
      known = this.#compute(ids)
      this.#sets.set(ids, known)
    }
    return known
  }

  #compute(ids: readonly RoleId[]): RoleSet {
    const roles = ids.flatMap((id) => this.#roles.get(id) ?? []).sort(byPosition)
    const all = this.#everyone ? [...roles, this.#everyone] : roles
    const permissions = guildPermissions({ is_master: false, roles: ids }, all)
    return {
      ids,
      roles,
      hoist: roles.find(({ hoist }) => hoist === 1) ?? null,
      ...colorsOf(roles),
      permissions,
      isAdmin: has(permissions, permission.manage),
    }
  }
}

const byPosition = (a: Role, b: Role): number => a.position - b.position || a.role_id - b.role_id
