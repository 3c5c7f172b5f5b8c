/**
 * The roster of a guild: all its members in memory, kept current by the guild's events, and arranged with who
 * is online now. Decision 61.
 */
import type { BodyOf } from '@guildhall/wire/event.ts'
import { guildDeleted } from '@guildhall/wire/guild/guild.ts'
import type { ChannelId, GuildId, UserId } from '@guildhall/wire/id.ts'
import {
  memberExited,
  memberIdentityUpdated,
  memberJoined,
  memberUpdated,
} from '@guildhall/wire/member/event.ts'
import { channelPermissions, has, permission, type UserRule } from '@guildhall/wire/permission/permission.ts'
import { clock } from '../kit/clock.ts'
import type { GuildEvent } from '../kit/events/bus.ts'
import { accessChangeOf, bodyIf } from '../kit/events/eventKind.ts'
import type { AppContext } from '../kit/events/events.ts'
import { rolesOf } from '../role/role.ts'
import { Arrangement, type GroupName } from './arrangement.ts'
import { insert, nameKey, remove, sortGradually, turnTaker } from './nameOrder.ts'
import { type RoleIds, type RoleSet, RoleSets } from './roleSets.ts'
import * as rows from './sql.ts'

/** A member in the roster. */
export interface RosterMember {
  readonly id: UserId
  username: string
  identify_num: string
  readonly custom_num: string
  avatar: string
  vip_avatar: string
  readonly vip_until: string
  readonly avatar_frame: string
  readonly bot: boolean
  readonly is_official: boolean
  readonly status: number
  readonly suspended_until: string | null
  readonly mobile_verified: boolean
  /** The username for those without. */
  nickname: string
  readonly joined_at: number
  /** When they were last seen, ms; 0: never. */
  seen_at: number
  roleIds: RoleIds
  /** What they are sorted by. */
  key: string
}

type Listing = Arrangement<RosterMember>

/** Rows read at once. */
const BATCH = 4_000
/** Channels of a guild whose viewers are kept arranged. */
const CHANNELS_MAX = 8
/** When more people came and went than this since the last look, everything is arranged anew. */
const MOVED_MAX = 2_000
/** The key of the arrangement of all members. */
const EVERYBODY = ''

/** @internal Loaded and closed by `Rosters`. */
export class Roster {
  readonly guildId: GuildId
  readonly #appContext: Pick<AppContext, 'db' | 'presence'>
  readonly #members = new Map<UserId, RosterMember>()
  #sorted: RosterMember[] = []
  readonly #sets = new RoleSets()
  #ownerId = '' as UserId
  #seq = 0
  /** Events that came while it was loaded. */
  #early: GuildEvent[] | null = []
  /** Members whose rows are not read yet, with how often they changed since they joined. */
  readonly #joining = new Map<UserId, number>()
  #areRulesOld = true
  /** Counts changes of rules, so that what was read before one is not kept. */
  #rulesChanges = 0
  readonly #listings = new Map<ChannelId | typeof EVERYBODY, Listing>()
  /** People who may have come or gone since the last look. */
  #moved = new Set<UserId>()
  #renewing: Promise<void> | null = null
  /** True when it missed something, or the guild is gone: it must be loaded anew. */
  isLost = false
  /** Grows when members join, leave or are renamed. */
  changes = 0

  constructor(guildId: GuildId, appContext: Pick<AppContext, 'db' | 'presence'>) {
    this.guildId = guildId
    this.#appContext = appContext
  }

  get size(): number {
    return this.#members.size
  }

  get ownerId(): UserId {
    return this.#ownerId
  }

  has(userId: UserId): boolean {
    return this.#members.has(userId)
  }

  member(userId: UserId): RosterMember | undefined {
    return this.#members.get(userId)
  }

  /** All members by name. */
  get sorted(): readonly RosterMember[] {
    return this.#sorted
  }

  rolesOf(member: RosterMember): RoleSet {
    return this.#sets.get(member.roleIds)
  }

  hoisted() {
    return this.#sets.hoisted()
  }

  /**
   * Reads all members, with other work in between. `start` is called with the number that the reading starts
   * at, and returns the number after which events come; while that one is larger, the reading starts again.
   * Events of meanwhile are applied after it, so that what was read early is not outdated.
   */
  async load(start: (seq: number) => number): Promise<void> {
    const { db } = this.#appContext
    let state = await rows.guildState(db, this.guildId)
    while (state && start(state.seq) > state.seq) state = await rows.guildState(db, this.guildId)
    if (!state) {
      this.isLost = true
      return
    }
    this.#seq = state.seq
    this.#ownerId = state.owner_id
    const takeTurn = turnTaker()
    const found: RosterMember[] = []
    const read = (after: string) => {
      const batch = rows.membersAfter(db, this.guildId, after, BATCH)
      // It is awaited below, when it may have failed long since.
      batch.catch(() => undefined)
      return batch
    }
    // While one batch is taken in, the database reads the next one.
    for (let next: Promise<rows.MemberRow[]> | null = read('0'); next !== null; ) {
      const batch: rows.MemberRow[] = await next
      next = batch.length < BATCH ? null : read(batch.at(-1)!.id)
      for (const row of batch) {
        const member = this.#memberOf(row)
        this.#members.set(member.id, member)
        found.push(member)
        await takeTurn()
      }
    }
    this.#sorted = await sortGradually(found, (a, b) => a.key < b.key)
    const early = this.#early ?? []
    this.#early = null
    for (const event of early) this.receive(event)
  }

  /** Takes an event of the bus, in order. */
  receive(event: GuildEvent): void {
    if (this.#early) return void this.#early.push(event)
    if (event.seq <= this.#seq) return
    if (event.seq !== this.#seq + 1) this.isLost = true
    this.#seq = event.seq
    if (accessChangeOf(event.kind) === 'guild') this.#outdateRules()
    if (event.kind === guildDeleted.name) this.isLost = true
    const joined = bodyIf(event, memberJoined)
    if (joined) this.#joining.set(joined.user_id, 0)
    const exited = bodyIf(event, memberExited)
    if (exited) this.#exit(exited.user_id)
    const updated = bodyIf(event, memberUpdated)
    if (updated) this.#update(updated)
    const identity = bodyIf(event, memberIdentityUpdated)
    if (identity) this.#changeIdentity(identity)
  }

  /** Somebody came or went, on any node. */
  move(userId: UserId): void {
    const member = this.#members.get(userId)
    if (!member) return
    member.seen_at = clock.now()
    this.#moved.add(userId)
  }

  /** The members, or those who may view a channel, arranged as of now; null when there is no such channel. */
  async listing(channelId: ChannelId | null): Promise<Listing | null> {
    for (;;) {
      await this.#renew()
      const known = this.#listings.get(channelId ?? EVERYBODY)
      if (known) {
        this.#listings.delete(channelId ?? EVERYBODY)
        this.#listings.set(channelId ?? EVERYBODY, known)
        this.#arrangeMoved()
        // Arranging anew drops them all.
        const current = this.#listings.get(channelId ?? EVERYBODY)
        if (current) return current
        continue
      }
      const changes = this.#rulesChanges
      const rules =
        channelId === null ? null : await rows.channelRules(this.#appContext.db, this.guildId, channelId)
      if (channelId !== null && !rules) return null
      if (changes !== this.#rulesChanges) continue
      this.#arrange(channelId ?? EVERYBODY, rules)
    }
  }

  /** Reads what events said to be new. */
  async #renew(): Promise<void> {
    while (this.#renewing || this.#joining.size > 0 || this.#areRulesOld) {
      this.#renewing ??= this.#readNews().finally(() => {
        this.#renewing = null
      })
      await this.#renewing
    }
  }

  async #readNews(): Promise<void> {
    const { db } = this.#appContext
    if (this.#areRulesOld) {
      this.#areRulesOld = false
      const before = this.#rulesChanges
      try {
        const [state, roles] = await Promise.all([
          rows.guildState(db, this.guildId),
          rolesOf(db, this.guildId),
        ])
        if (state) this.#ownerId = state.owner_id
        this.#sets.setRoles(roles)
        this.#listings.clear()
      } catch (error) {
        this.#areRulesOld = true
        throw error
      }
      if (before !== this.#rulesChanges) this.#areRulesOld = true
    }
    const wanted = new Map(this.#joining)
    if (wanted.size === 0) return
    const found = await rows.membersAmong(db, this.guildId, [...wanted.keys()])
    // Those who left meanwhile are no longer waited for, and those who changed are read again.
    const isCurrent = (userId: UserId) => this.#joining.get(userId) === wanted.get(userId)
    for (const row of found) if (isCurrent(row.id)) this.#add(this.#memberOf(row))
    for (const userId of wanted.keys()) if (isCurrent(userId)) this.#joining.delete(userId)
  }

  #outdateRules(): void {
    this.#rulesChanges += 1
    this.#areRulesOld = true
    this.#listings.clear()
  }

  #arrange(key: ChannelId | typeof EVERYBODY, rules: rows.ChannelRules | null): void {
    const mayView = rules ? this.#viewersBy(rules) : () => true
    const groupOf = (member: RosterMember): GroupName | null =>
      mayView(member) ? this.#groupOf(member) : null
    const hoisted = this.#sets.hoisted().map(({ role_id }) => role_id)
    this.#arrangeMoved()
    this.#listings.set(key, new Arrangement(hoisted, this.#sorted, groupOf))
    const [oldest] = [...this.#listings.keys()].filter((each) => each !== EVERYBODY)
    if (this.#listings.size > CHANNELS_MAX && oldest !== undefined) this.#listings.delete(oldest)
  }

  #groupOf(member: RosterMember): GroupName {
    if (!this.#appContext.presence.isOnline(member.id)) return 'offline'
    return this.rolesOf(member).hoist?.role_id ?? 'online'
  }

  /** Whether a member may view a channel with these rules; computed once for each set of roles. */
  #viewersBy({ rules, users }: rows.ChannelRules): (member: RosterMember) => boolean {
    const byRole = new Map(rules.map((rule) => [rule.role_id, rule]))
    const own = new Map<UserId, UserRule>(users.map((rule) => [rule.user_id, rule]))
    const everyone = byRole.get(0)
    const known = new Map<RoleSet, boolean>()
    const compute = (set: RoleSet, rule: UserRule | null) => {
      const theirs = set.ids.flatMap((id) => byRole.get(id) ?? [])
      const viewer = { is_master: false, roles: set.ids }
      const all = everyone ? [everyone, ...theirs] : theirs
      return has(channelPermissions(set.permissions, viewer, all, rule), permission.view_channel)
    }
    return (member) => {
      if (member.id === this.#ownerId) return true
      const [set, rule] = [this.rolesOf(member), own.get(member.id)]
      if (rule) return compute(set, rule)
      let mayView = known.get(set)
      if (mayView === undefined) {
        mayView = compute(set, null)
        known.set(set, mayView)
      }
      return mayView
    }
  }

  #arrangeMoved(): void {
    const moved = this.#moved
    if (moved.size === 0) return
    this.#moved = new Set()
    if (moved.size > MOVED_MAX) return this.#listings.clear()
    for (const userId of moved) {
      const member = this.#members.get(userId)
      if (member) for (const listing of this.#listings.values()) listing.arrange(member)
    }
  }

  #memberOf({ roles, ...row }: rows.MemberRow): RosterMember {
    const nickname = row.nickname || row.username
    return { ...row, nickname, roleIds: this.#sets.idsOf(roles), key: nameKey(nickname, row.id) }
  }

  #add(member: RosterMember): void {
    if (this.#members.has(member.id)) this.#exit(member.id)
    this.#members.set(member.id, member)
    insert(this.#sorted, member)
    for (const listing of this.#listings.values()) listing.arrange(member)
    this.changes += 1
  }

  #exit(userId: UserId): void {
    this.#joining.delete(userId)
    const member = this.#members.get(userId)
    if (!member) return
    for (const listing of this.#listings.values()) listing.remove(member)
    remove(this.#sorted, member)
    this.#members.delete(userId)
    this.changes += 1
  }

  /** The member of an event; of one whose row is not read yet it must be read again. */
  #known(userId: UserId): RosterMember | undefined {
    const waits = this.#joining.get(userId)
    if (waits !== undefined) this.#joining.set(userId, waits + 1)
    return this.#members.get(userId)
  }

  #update({ user_id, nickname, roles }: BodyOf<typeof memberUpdated>): void {
    const member = this.#known(user_id)
    if (!member) return
    member.roleIds = this.#sets.idsOf(roles)
    this.#rename(member, nickname || member.username)
    for (const listing of this.#listings.values()) listing.arrange(member)
  }

  #changeIdentity({ user_id, nickname, ...identity }: BodyOf<typeof memberIdentityUpdated>): void {
    const member = this.#known(user_id)
    if (!member) return
    const { username, identify_num, avatar, vip_avatar } = identity
    Object.assign(member, { username, identify_num, avatar, vip_avatar })
    this.#rename(member, nickname || username)
  }

  #rename(member: RosterMember, nickname: string): void {
    if (member.nickname === nickname) return
    const listings = [...this.#listings.values()].filter((listing) => listing.has(member))
    for (const listing of listings) listing.remove(member)
    remove(this.#sorted, member)
    member.nickname = nickname
    member.key = nameKey(nickname, member.id)
    insert(this.#sorted, member)
    for (const listing of listings) listing.arrange(member)
    this.changes += 1
  }
}
