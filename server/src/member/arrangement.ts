/**
 * An arrangement: members of a guild in groups, by hoisted role, online and offline, each sorted by name.
 * Pure.
 */
import type { RoleId } from '@guildhall/wire/id.ts'
import { insert, isIn, remove } from './nameOrder.ts'

export interface Arranged {
  readonly key: string
}

/** A hoisted role's group, those online without one, or those offline. */
export type GroupName = RoleId | 'online' | 'offline'

interface Group<It> {
  readonly name: GroupName
  readonly members: It[]
}

export class Arrangement<It extends Arranged> {
  readonly #groups: readonly Group<It>[]
  readonly #byName: ReadonlyMap<GroupName, Group<It>>
  readonly #groupOf: (it: It) => GroupName | null

  /** `sorted`: by key. `groupOf`: null for those who do not belong here. */
  constructor(hoisted: readonly RoleId[], sorted: readonly It[], groupOf: (it: It) => GroupName | null) {
    this.#groupOf = groupOf
    this.#groups = [...hoisted, 'online' as const, 'offline' as const].map((name) => ({ name, members: [] }))
    this.#byName = new Map(this.#groups.map((group) => [group.name, group]))
    for (const it of sorted) {
      const group = this.#wanted(it)
      if (!group) continue
      group.members.push(it)
    }
  }

  /** Moves a member to the group where they belong now. */
  arrange(it: It): void {
    const group = this.#wanted(it)
    if (group && isIn(group.members, it)) return
    this.remove(it)
    if (group) insert(group.members, it)
  }

  /** Takes a member out, for good or before their key changes. */
  remove(it: It): void {
    for (const { members } of this.#groups) if (remove(members, it)) return
  }

  /** Whether a member belongs here. */
  has(it: It): boolean {
    return this.#groupOf(it) !== null
  }

  get size(): number {
    return this.#groups.reduce((sum, { members }) => sum + members.length, 0)
  }

  /** The groups with members, in order. */
  counts(): { readonly name: GroupName; readonly count: number }[] {
    return this.#groups
      .filter(({ members }) => members.length > 0)
      .map(({ name, members }) => ({ name, count: members.length }))
  }

  countOf(name: GroupName): number {
    return this.#byName.get(name)?.members.length ?? 0
  }

  slice(offset: number, limit: number): It[] {
    const found: It[] = []
    let skip = offset
    for (const { members } of this.#groups) {
      if (found.length >= limit) break
      if (skip < members.length) found.push(...members.slice(skip, skip + limit - found.length))
      skip = Math.max(0, skip - members.length)
    }
    return found
  }

  #wanted(it: It): Group<It> | undefined {
    const name = this.#groupOf(it)
    return name === null ? undefined : this.#byName.get(name)
  }
}
