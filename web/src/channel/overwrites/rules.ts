/** The overwrites of a channel and what comes of them. Pure; the rules are the contract's. */
import { type Channel, channelType, type Guild } from '@guildhall/wire/channel/channel.ts'
import { mayChangeBits } from '@guildhall/wire/permission/hierarchy.ts'
import {
  channelPermissions,
  EVERYONE,
  guildPermissions,
  has,
  type PermissionName,
  permission,
} from '@guildhall/wire/permission/permission.ts'

/** The overwrites for roles and for people. */
export type Rules = Pick<Channel, 'permission_overwrites' | 'permission_users'>
type Person = Channel['permission_users'][number]['user']
type Rights = Pick<Guild, 'roles' | 'user_id'>

/** Whom an overwrite is for. */
export type Target = { readonly role: number } | { readonly user: Person }
export const EVERYBODY: Target = { role: EVERYONE }

/**
 * One overwrite is changed in some bits (0: it is made, if there is none), or removed; or all become
 * others.
 */
export type Change =
  | { readonly target: Target; readonly bits: number; readonly allow: number; readonly deny: number }
  | { readonly target: Target; readonly bits: null }
  | { readonly like: Rules }

export type State = 'inherit' | 'allow' | 'deny'
interface Masks {
  readonly allow: number
  readonly deny: number
}
const NOTHING: Masks = { allow: 0, deny: 0 }

export const keyOf = (target: Target): string =>
  'role' in target ? `role-${target.role}` : `user-${target.user.id}`

export const ruleOf = (rules: Rules, target: Target): Masks | undefined =>
  'role' in target
    ? rules.permission_overwrites.find(({ role_id }) => role_id === target.role)
    : rules.permission_users.find(({ user }) => user.id === target.user.id)

export const stateOf = ({ allow, deny }: Masks, right: number): State =>
  has(allow, right) ? 'allow' : has(deny, right) ? 'deny' : 'inherit'

/** The change that gives a target one right, denies it, or leaves it as it is without. */
export const changeTo = (target: Target, right: number, state: State): Change => ({
  target,
  bits: right,
  allow: state === 'allow' ? right : 0,
  deny: state === 'deny' ? right : 0,
})

/** Overwrites after a change. */
export function applied(rules: Rules, change: Change): Rules {
  if ('like' in change) return { ...rules, ...change.like }
  const { target } = change
  const isOther = (it: Target) => keyOf(it) !== keyOf(target)
  const before = ruleOf(rules, target) ?? NOTHING
  const after = change.bits !== null && {
    allow: (before.allow & ~change.bits) | change.allow,
    deny: (before.deny & ~change.bits) | change.deny,
  }
  if ('role' in target) {
    const isSame = ({ role_id }: { role_id: number }) => role_id === target.role
    const all = rules.permission_overwrites
    const now = after && { role_id: target.role, ...after }
    return { ...rules, permission_overwrites: replaced(all, all.findIndex(isSame), now) }
  }
  const all = rules.permission_users
  const at = all.findIndex(({ user }) => !isOther({ user }))
  return { ...rules, permission_users: replaced(all, at, after && { user: target.user, ...after }) }
}

const replaced = <Item>(all: readonly Item[], at: number, now: Item | false): Item[] => [
  ...all.slice(0, at < 0 ? all.length : at),
  ...(now ? [now] : []),
  ...(at < 0 ? [] : all.slice(at + 1)),
]

/** What members may do in the channel who have one role alone, or what one person may. */
export function resultOf(guild: Rights, rules: Rules, target: Target): number {
  const viewer =
    'role' in target
      ? { is_master: false, roles: target.role === EVERYONE ? [] : [target.role] }
      : { is_master: target.user.id === guild.user_id, roles: target.user.roles }
  const own = 'role' in target ? null : (ruleOf(rules, target) ?? null)
  return channelPermissions(guildPermissions(viewer, guild.roles), viewer, rules.permission_overwrites, own)
}

/** Whether everybody has a right in a channel, once they see it. */
export function hasEverybody(guild: Rights, rules: Rules, right: number): boolean {
  const viewer = { is_master: false, roles: [] }
  const seen = right === permission.view_channel ? null : { allow: permission.view_channel, deny: 0 }
  const inGuild = guildPermissions(viewer, guild.roles)
  return has(channelPermissions(inGuild, viewer, rules.permission_overwrites, seen), right)
}

/** The change by which everybody has a right, or only those whom the channel gives it. */
export function changeForAll(guild: Rights, right: number, isOpen: boolean): Change {
  const inGuild = guildPermissions({ is_master: false, roles: [] }, guild.roles)
  if (!isOpen) return changeTo(EVERYBODY, right, 'deny')
  return changeTo(EVERYBODY, right, has(inGuild, right) ? 'inherit' : 'allow')
}

/** To whom a channel gives a right by name. */
export const chosenFor = (rules: Rules, right: number): Target[] =>
  targetsOf(rules).filter((it) => keyOf(it) !== keyOf(EVERYBODY) && has(ruleOf(rules, it)?.allow ?? 0, right))

/** Everybody, and all others with an overwrite. */
export const targetsOf = (rules: Rules): Target[] => [
  EVERYBODY,
  ...rules.permission_overwrites
    .filter(({ role_id }) => role_id !== EVERYONE)
    .map((it) => ({ role: it.role_id })),
  ...rules.permission_users.map(({ user }) => ({ user })),
]

/** Those whose overwrites differ between two channels. */
export function differing(own: Rules, other: Rules): Target[] {
  const all = new Map([...targetsOf(own), ...targetsOf(other)].map((it) => [keyOf(it), it]))
  return [...all.values()].filter((it) => {
    const [one, two] = [ruleOf(own, it) ?? NOTHING, ruleOf(other, it) ?? NOTHING]
    return one.allow !== two.allow || one.deny !== two.deny
  })
}

/** Without these one no longer looks after a channel. */
const NEEDED = ['view_channel', 'manage_channel', 'manage_role'] as const

/** What of these the reader loses by a change. */
export function losses(
  guild: Pick<Guild, 'roles' | 'is_master' | 'my_roles'>,
  myId: string,
  before: Rules,
  after: Rules,
): PermissionName[] {
  const viewer = { is_master: guild.is_master, roles: guild.my_roles }
  const inGuild = guildPermissions(viewer, guild.roles)
  const mine = (rules: Rules) => {
    const own = rules.permission_users.find(({ user }) => user.id === myId) ?? null
    return channelPermissions(inGuild, viewer, rules.permission_overwrites, own)
  }
  const [had, left] = [mine(before), mine(after)]
  return NEEDED.filter((name) => has(had, permission[name]) && !has(left, permission[name]))
}

/**
 * Whether all bits of an overwrite are ones of a person with these permissions, who may then remove it.
 */
export const mayRemove = (own: number, { allow, deny }: Masks): boolean => mayChangeBits(own, 0, allow | deny)

const BOTH: readonly PermissionName[] = ['view_channel', 'create_invite', 'manage_channel', 'manage_role']
const TEXT: readonly PermissionName[] = [
  'send_message',
  'upload_file',
  'add_reaction',
  'follow_reaction',
  'mention_everyone',
  'manage_message',
]
const VOICE: readonly PermissionName[] = [
  'connect_audio',
  'connect_audio_passive',
  'speak',
  'use_voice_activity',
  'play_soundtrack',
  'share_screen',
  'record_audio',
  'manage_audio',
  'mute_member',
  'deafen_member',
]

/** The rights that mean something in a channel of this type. protocol.md §8.1. */
export function rightsIn(type: Channel['type']): ReadonlySet<PermissionName> {
  const text = type === channelType.voice ? [] : TEXT
  return new Set([...BOTH, ...text, ...(type === channelType.text ? [] : VOICE)])
}
