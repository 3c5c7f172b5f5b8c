/** Which channels members may view, and whose view a change of rules or roles alters. Pure. chat.md §6. */
import type { ChannelId, GuildId, RoleId, UserId } from '@guildhall/wire/id.ts'
import {
  channelPermissions,
  guildPermissions,
  has,
  permission,
  type RolePermissions,
  type RoleRule,
  type UserRule,
} from '@guildhall/wire/permission/permission.ts'

/** What permissions depend on, as of event number `seq` of the guild. */
export interface GuildFacts {
  readonly guild_id: GuildId
  readonly owner_id: UserId
  readonly seq: number
  readonly roles: readonly RolePermissions[]
  readonly channels: readonly {
    readonly id: ChannelId
    /** 0 category, 1 text, 2 voice. */
    readonly type?: number
    readonly rules: readonly RoleRule[]
    readonly users: readonly (UserRule & { readonly user_id: UserId })[]
  }[]
}

export type ChannelFacts = GuildFacts['channels'][number]

/** A member with sessions here, and the roles they had when the audience learnt of them. */
export interface PresentMember {
  readonly userId: UserId
  readonly roles: readonly RoleId[]
}

/** True when a member may view a channel; nobody may view an unknown one. */
export const mayView = (
  facts: GuildFacts,
  member: PresentMember,
  channel: ChannelFacts | undefined,
): boolean => channel !== undefined && has(permissionsOf(facts, member, channel), permission.view_channel)

/** What a member may do in the guild, or in one of its channels. */
export function permissionsOf(
  facts: GuildFacts,
  { userId, roles }: PresentMember,
  channel?: ChannelFacts,
): number {
  const viewer = { is_master: userId === facts.owner_id, roles }
  const inGuild = guildPermissions(viewer, facts.roles)
  return channel ? inChannel(inGuild, viewer, userId, channel) : inGuild
}

/** True when not everybody of the guild may view a channel: a member without roles and own rules may not. */
export const isPrivate = (facts: GuildFacts, channelId: ChannelId): boolean =>
  !mayView(
    facts,
    { userId: '' as UserId, roles: [] },
    facts.channels.find(({ id }) => id === channelId),
  )

function inChannel(
  inGuild: number,
  viewer: { readonly is_master: boolean; readonly roles: readonly RoleId[] },
  userId: UserId,
  channel: ChannelFacts,
): number {
  const own = channel.users.find((rule) => rule.user_id === userId) ?? null
  return channelPermissions(inGuild, viewer, channel.rules, own)
}

function visibleChannels(facts: GuildFacts, { userId, roles }: PresentMember): ReadonlySet<ChannelId> {
  const viewer = { is_master: userId === facts.owner_id, roles }
  const inGuild = guildPermissions(viewer, facts.roles)
  return new Set(
    facts.channels
      .filter((channel) => has(inChannel(inGuild, viewer, userId, channel), permission.view_channel))
      .map(({ id }) => id),
  )
}

/** Members, and the channels that they may no longer view or may view from now on. */
export interface ViewChange {
  readonly userIds: readonly UserId[]
  readonly lost: readonly ChannelId[]
  readonly gained: readonly ChannelId[]
}

/** Members of the same roles without rules of their own see the same: computed once for all of them. */
class Views {
  readonly #facts: GuildFacts
  readonly #ruled: ReadonlySet<UserId>
  readonly #byRoles = new Map<string, ReadonlySet<ChannelId>>()

  constructor(facts: GuildFacts) {
    this.#facts = facts
    this.#ruled = new Set(facts.channels.flatMap(({ users }) => users.map(({ user_id }) => user_id)))
  }

  of(member: PresentMember): ReadonlySet<ChannelId> {
    if (member.userId === this.#facts.owner_id || this.#ruled.has(member.userId))
      return visibleChannels(this.#facts, member)
    const key = member.roles.join(' ')
    let found = this.#byRoles.get(key)
    if (!found) {
      found = visibleChannels(this.#facts, member)
      this.#byRoles.set(key, found)
    }
    return found
  }
}

const without = (some: ReadonlySet<ChannelId>, others: ReadonlySet<ChannelId>): ChannelId[] =>
  [...some].filter((id) => !others.has(id))

/**
 * What changes for members when the facts change, or when roles of one change (`rolesAfter`). Members for
 * whom the same changes are one entry: a role may have very many.
 */
export function viewChanges(
  before: GuildFacts,
  after: GuildFacts,
  members: Iterable<PresentMember>,
  rolesAfter?: readonly RoleId[],
): ViewChange[] {
  const [seenBefore, seenAfter] = [new Views(before), new Views(after)]
  const found = new Map<ReadonlySet<ChannelId>, Map<ReadonlySet<ChannelId>, UserId[]>>()
  for (const member of members) {
    const had = seenBefore.of(member)
    const sees = seenAfter.of(rolesAfter ? { ...member, roles: rolesAfter } : member)
    const alike = found.get(had) ?? new Map<ReadonlySet<ChannelId>, UserId[]>()
    found.set(had, alike)
    const userIds = alike.get(sees)
    if (userIds) userIds.push(member.userId)
    else alike.set(sees, [member.userId])
  }
  return [...found]
    .flatMap(([had, alike]) =>
      [...alike].map(([sees, userIds]) => ({
        userIds,
        lost: without(had, sees),
        gained: without(sees, had),
      })),
    )
    .filter(({ lost, gained }) => lost.length > 0 || gained.length > 0)
}
