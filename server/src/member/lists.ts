/**
 * Lists of the members of a guild, for pages and for clients of the public protocol. chat.md §2 and §7,
 * protocol.md §4.1.
 */
import { fail } from '@guildhall/wire/failure.ts'
import type { ChannelId, GuildId, RoleId, UserId } from '@guildhall/wire/id.ts'
import { MEMBER_PAGE, type Member, type MemberGroup } from '@guildhall/wire/member/member.ts'
import { LIST_SIZE_MAX } from '@guildhall/wire/page.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import { DAY_MS, MINUTE_MS } from '@guildhall/wire/unit.ts'
import { folded } from '@guildhall/wire/user/nameSearch.ts'
import { channelAccess } from '../channel/channel.ts'
import { clock } from '../kit/clock.ts'
import type { AppContext } from '../kit/events/events.ts'
import { guildAccess } from '../role/role.ts'
import { authorOf, countsAsVerified, identitiesOf } from '../user/user.ts'
import type { GroupName } from './arrangement.ts'
import { isMember } from './membership.ts'
import { mutes as listedMutes } from './moderationSql.ts'
import { abbreviationOf, sortGradually, turnTaker } from './nameOrder.ts'
import { searchMembers } from './nameSearch.ts'
import type { Roster, RosterMember } from './roster.ts'
import type { Rosters } from './rosters.ts'

type Listing = NonNullable<Awaited<ReturnType<Roster['listing']>>>

export interface MemberLists {
  readonly appContext: AppContext
  readonly rosters: Rosters
}

/**
 * A part of the members in the order of their groups, or those whose names fit a search.
 * @throws Failure forbidden for a person who is not a member, or may not view the channel
 */
export async function listMembers(
  lists: MemberLists,
  userId: UserId,
  asked: {
    readonly guildId: GuildId
    readonly channelId: ChannelId | null
    readonly offset: number
    readonly limit: number
    readonly search: string
  },
): Promise<{ data: Member[]; online_count: number; offline_count: number; groups: MemberGroup[] }> {
  const { guildId, channelId } = asked
  if (!(await mayList(lists.appContext, userId, guildId, channelId))) throw fail('forbidden')
  const found =
    asked.search === ''
      ? null
      : (await searchMembers(lists.appContext.db, guildId, asked.search)).map(({ id }) => id)
  const { roster, listing } = await listingOf(lists, guildId, channelId)
  const limit = Math.min(asked.limit, MEMBER_PAGE)
  const offline_count = listing.countOf('offline')
  const page = found
    ? found
        .flatMap((id) => roster.member(id) ?? [])
        .filter((each) => listing.has(each))
        .slice(asked.offset, asked.offset + limit)
    : listing.slice(asked.offset, limit)
  return {
    data: await shown(lists.appContext, roster, page),
    online_count: listing.size - offline_count,
    offline_count,
    groups: found ? [] : groupsOf(roster, listing),
  }
}

/** The first page of all members: what is asked for beside it narrows it. */
export const ALL_MEMBERS = {
  channelId: null,
  search: '',
  roleId: null,
  isVerified: null,
  onlyId: null,
  joinedDays: null,
  silentDays: null,
  isMuted: null,
  order: null,
  page: 1,
  size: 50,
} as const

/**
 * Members for clients of the public protocol, with every filter and order of protocol.md §4.1; by name unless
 * an order is asked for.
 * @throws Failure guild.not_member (the caller), forbidden (a channel that the caller may not view),
 *   member.no_right (who is muted, without a right to mute)
 */
export async function userList(
  lists: MemberLists,
  userId: UserId,
  asked: {
    readonly guildId: GuildId
    readonly channelId: ChannelId | null
    readonly search: string
    readonly roleId: RoleId | null
    readonly isVerified: boolean | null
    readonly onlyId: UserId | null
    readonly joinedDays: number | null
    readonly silentDays: number | null
    readonly isMuted: boolean | null
    readonly order: { readonly by: 'active_time' | 'joined_at'; readonly isDescending: boolean } | null
    readonly page: number
    readonly size: number
  },
) {
  const { guildId, channelId } = asked
  if (!(await isMember(lists.appContext.db, guildId, userId))) throw fail('guild.not_member')
  if (channelId !== null && !(await mayList(lists.appContext, userId, guildId, channelId)))
    throw fail('forbidden')
  const mutes = asked.isMuted === null ? null : await mutedIn(lists.appContext, userId, guildId)
  const { roster, listing } = await listingOf(lists, guildId, channelId)
  const counts = {
    user_count: listing.size,
    online_count: listing.countOf('online'),
    offline_count: listing.countOf('offline'),
  }
  const fits = filterOf({ ...asked, mutes }, roster, lists.appContext)
  const pool =
    asked.onlyId === null ? roster.sorted : [roster.member(asked.onlyId)].flatMap((one) => one ?? [])
  const isAll = channelId === null && fits === null
  const found = isAll ? pool : await chosen(pool, (each) => listing.has(each) && (fits?.(each) ?? true))
  const sorted = asked.order ? await inOrder(lists.appContext, found, asked.order) : found
  const size = Math.min(asked.size, LIST_SIZE_MAX)
  const from = (asked.page - 1) * size
  return {
    items: (await shown(lists.appContext, roster, sorted.slice(from, from + size))).map(publicOf),
    meta: {
      page: asked.page,
      page_total: Math.ceil(found.length / size),
      page_size: size,
      total: found.length,
    },
    sort: asked.order ? { [asked.order.by]: asked.order.isDescending ? -1 : 1 } : {},
    ...counts,
  }
}

/** Whether somebody may see who is in a guild, or who may view one of its channels. */
async function mayList(
  { db }: AppContext,
  userId: UserId,
  guildId: GuildId,
  channelId: ChannelId | null,
): Promise<boolean> {
  if (channelId === null) return isMember(db, guildId, userId)
  const access = await channelAccess(db, userId, channelId)
  return access?.canView === true && access.channel.guild_id === guildId
}

/** @throws Failure forbidden when the guild or the channel is gone by now */
export async function listingOf(
  { rosters }: MemberLists,
  guildId: GuildId,
  channelId: ChannelId | null,
): Promise<{ readonly roster: Roster; readonly listing: Listing }> {
  const roster = await rosters.of(guildId)
  const listing = await roster?.listing(channelId)
  if (!roster || !listing) throw fail('forbidden')
  return { roster, listing }
}

function groupsOf(roster: Roster, listing: Listing): MemberGroup[] {
  const roles = new Map<GroupName, { readonly name: string; readonly color: number }>(
    roster.hoisted().map((role) => [role.role_id, role]),
  )
  return listing.counts().map(({ name, count }) => {
    if (name === 'online' || name === 'offline') return { kind: name, role_id: 0, name: '', color: 0, count }
    const role = roles.get(name)
    return { kind: 'role', role_id: name, name: role?.name ?? '', color: role?.color ?? 0, count }
  })
}

/** Who is muted in any way. @throws Failure member.no_right */
async function mutedIn({ db }: AppContext, userId: UserId, guildId: GuildId): Promise<ReadonlySet<UserId>> {
  const inside = await guildAccess(db, userId, guildId)
  if (((inside?.permissions ?? 0) & (permission.deafen_member | permission.mute_member)) === 0)
    throw fail('member.no_right')
  return new Set((await listedMutes(db, guildId, clock.now())).map(({ user_id }) => user_id))
}

type Fits = (member: RosterMember) => boolean

/** Whether a member joined, or was not seen, in the last days; null: neither is asked. */
function timesFilterOf(
  { joinedDays, silentDays }: Pick<Parameters<typeof userList>[2], 'joinedDays' | 'silentDays'>,
  appContext: AppContext,
): Fits | null {
  if (joinedDays === null && silentDays === null) return null
  const joinedAfter = joinedDays === null ? null : clock.now() - joinedDays * DAY_MS
  const isSilent = silentDays === null ? null : silentFor(appContext, silentDays)
  return (member) =>
    (joinedAfter === null || member.joined_at >= joinedAfter) && (isSilent === null || isSilent(member))
}

type Seen = Pick<RosterMember, 'id' | 'bot' | 'joined_at' | 'seen_at'>

/** Whether a member is a person who joined before the last so many days and was not seen in them. */
export function silentFor(appContext: AppContext, days: number): (member: Seen) => boolean {
  const now = clock.now()
  return (member) => !member.bot && seenAt(appContext, member, now) < now - days * DAY_MS
}

function filterOf(
  asked: Pick<
    Parameters<typeof userList>[2],
    'search' | 'roleId' | 'isVerified' | 'joinedDays' | 'silentDays' | 'isMuted'
  > & { readonly mutes: ReadonlySet<UserId> | null },
  roster: Roster,
  appContext: AppContext,
): Fits | null {
  const search = folded(asked.search)
  const { roleId, isVerified, mutes, isMuted } = asked
  const times = timesFilterOf(asked, appContext)
  if (search === '' && roleId === null && isVerified === null && !mutes && !times) return null
  const exists = (role: RoleId, member: RosterMember) =>
    role === 0 || roster.rolesOf(member).roles.some(({ role_id }) => role_id === role)
  return (member) =>
    (isVerified === null || countsAsVerified(member, appContext) === isVerified) &&
    (roleId === null || exists(roleId, member)) &&
    (!mutes || mutes.has(member.id) === isMuted) &&
    (times?.(member) ?? true) &&
    (search === '' || folded(member.nickname).includes(search) || folded(member.username).includes(search))
}

/** The members that fit, with other work in between. */
export async function chosen(
  pool: readonly RosterMember[],
  fits: (member: RosterMember) => boolean,
): Promise<RosterMember[]> {
  const takeTurn = turnTaker()
  const found: RosterMember[] = []
  // Members may come and go meanwhile.
  for (const [at, member] of pool.slice().entries()) {
    if (fits(member)) found.push(member)
    if (at % LOOKED_AT === LOOKED_AT - 1) await takeTurn()
  }
  return found
}

/** Members looked at between two looks at the clock. */
const LOOKED_AT = 500

async function inOrder(
  appContext: AppContext,
  found: readonly RosterMember[],
  order: { readonly by: 'active_time' | 'joined_at'; readonly isDescending: boolean },
): Promise<RosterMember[]> {
  const now = clock.now()
  const timeOf = (each: RosterMember) =>
    order.by === 'joined_at' ? each.joined_at : seenAt(appContext, each, now)
  const takeTurn = turnTaker()
  const valued: { readonly each: RosterMember; readonly value: number }[] = []
  for (const [at, each] of found.slice().entries()) {
    valued.push({ each, value: timeOf(each) })
    if (at % LOOKED_AT === LOOKED_AT - 1) await takeTurn()
  }
  const sign = order.isDescending ? -1 : 1
  const sorted = await sortGradually(valued, (a, b) =>
    a.value === b.value ? a.each.key < b.each.key : (a.value - b.value) * sign < 0,
  )
  return sorted.map(({ each }) => each)
}

/** To the minute: nodes learn of it within seconds of each other. */
const toMinute = (ms: number): number => ms - (ms % MINUTE_MS)

const seenAt = ({ presence }: AppContext, member: Seen, now: number): number =>
  toMinute(presence.isOnline(member.id) ? now : Math.max(member.seen_at, member.joined_at))

/** Members as they are shown now: a membership of BUFF ends by the clock, before its event. */
async function asNow({ db }: AppContext, page: readonly RosterMember[]): Promise<RosterMember[]> {
  const identities = await identitiesOf(
    db,
    page.map(({ id }) => id),
  )
  return page.map((each) => ({ ...each, ...identities.get(each.id) }))
}

/** Members as lists show them now. */
export const shown = async (
  appContext: AppContext,
  roster: Roster,
  page: readonly RosterMember[],
): Promise<Member[]> => (await asNow(appContext, page)).map((each) => wireOf(appContext, roster, each))

function wireOf(appContext: AppContext, roster: Roster, member: RosterMember): Member {
  const set = roster.rolesOf(member)
  const author = authorOf(
    { ...member, roles: set.roles.map(({ role_id }) => role_id).sort((a, b) => a - b) },
    appContext,
  )
  const { hoist } = set
  const isMaster = member.id === roster.ownerId
  return {
    ...author,
    os: author.os ?? '',
    color: set.color,
    ...(set.color_list && { color_list: set.color_list }),
    is_master: isMaster,
    is_admin: !isMaster && set.isAdmin,
    game: '',
    hoist_info:
      author.online && hoist ? { role_id: hoist.role_id, name: hoist.name, color: hoist.color } : null,
    mobile_verified: countsAsVerified(member, appContext),
    joined_at: member.joined_at,
    active_time: seenAt(appContext, member, clock.now()),
    abbr: abbreviationOf(member.nickname),
  }
}

/** Fields that typed clients expect beside those of everybody. protocol.md §5.1. */
const publicOf = (member: Member) => ({
  ...member,
  vip_amp: false,
  banner: '',
  nameplate: [],
  decorations_id_map: null,
  is_sys: false,
  desc: '',
})
