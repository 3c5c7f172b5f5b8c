/** The invites of a guild, as its members manage them. protocol.md §4.12. */
import { fail } from '@guildhall/wire/failure.ts'
import type { ChannelId, GuildId, RoleId, UserId } from '@guildhall/wire/id.ts'
import { codeIn } from '@guildhall/wire/invite/inviteLink.ts'
import {
  GUILD_INVITES_MAX,
  INVITE_DURATIONS,
  INVITE_USES,
  type ListedInvite,
  UNLIMITED_USES,
} from '@guildhall/wire/invite/manage.ts'
import { LIST_SIZE_MAX } from '@guildhall/wire/page.ts'
import { has, permission } from '@guildhall/wire/permission/permission.ts'
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import { publicUser } from '@guildhall/wire/user/public.ts'
import { writeAudit } from '../audit/audit.ts'
import { requireView } from '../channel/channel.ts'
import { clock } from '../kit/clock.ts'
import { type Db, transaction } from '../kit/database/db.ts'
import type { AppContext } from '../kit/events/events.ts'
import { guildAccess, lockGrantable } from '../role/role.ts'
import { identityOf } from '../user/user.ts'
import { createInvite as addInvite, inviteTarget } from './invite.ts'
import * as rows from './sql.ts'

/** The guild as a whole, or one of its channels. */
interface Location {
  readonly guild_id?: GuildId | undefined
  readonly channel_id?: ChannelId | undefined
}

interface LocationRights {
  readonly guildId: GuildId
  readonly channelId: ChannelId | null
  /** Empty: the guild as a whole. */
  readonly channelName: string
  readonly permissions: number
}

/**
 * What a member may do at a location.
 * @throws Failure bad_input (no location), forbidden (no member, or the channel may not be viewed)
 */
async function rightsAt(db: Db, userId: UserId, input: Location): Promise<LocationRights> {
  if (input.channel_id !== undefined) {
    const { channel, permissions } = await requireView(db, userId, input.channel_id)
    if (input.guild_id !== undefined && input.guild_id !== channel.guild_id) throw fail('forbidden')
    return { guildId: channel.guild_id, channelId: channel.id, channelName: channel.name, permissions }
  }
  if (input.guild_id === undefined) throw fail('bad_input')
  const inside = await guildAccess(db, userId, input.guild_id)
  if (!inside) throw fail('forbidden')
  return { guildId: input.guild_id, channelId: null, channelName: '', permissions: inside.permissions }
}

/**
 * A page of the valid invites of a guild or a channel, the newest first. Who may not manage invites sees
 * their own.
 * @throws Failure bad_input, forbidden
 */
export async function listInvites(
  appContext: AppContext,
  userId: UserId,
  input: Location & { readonly page: number; readonly size: number; readonly origin: string },
) {
  const { guildId, channelId, permissions } = await rightsAt(appContext.db, userId, input)
  const limit = Math.min(input.size, LIST_SIZE_MAX)
  const own = has(permissions, permission.manage_invite) ? null : userId
  const { items, total } = await rows.list(appContext.db, {
    guildId,
    channelId,
    own,
    now: clock.now(),
    limit,
    offset: (input.page - 1) * limit,
  })
  return {
    items: items.map((row) => listed(row, input.origin, appContext)),
    meta: { page: input.page, page_total: Math.ceil(total / limit), page_size: limit, total },
    sort: {},
  }
}

function listed(
  { invite, identity }: rows.ListedRow,
  origin: string,
  appContext: Pick<AppContext, 'presence' | 'publicUrl'>,
): ListedInvite {
  const { uses, uses_max, created_at, expires_at } = invite
  return {
    id: invite.id,
    guild_id: invite.guild_id,
    guild_name: invite.guild_name,
    channel_id: invite.channel_id ?? '0',
    channel_name: invite.channel_name ?? '',
    type: invite.channel_type ?? 0,
    role_id: invite.role_name === null ? 0 : (invite.role_id ?? 0),
    role_name: invite.role_name ?? '',
    url_code: invite.code,
    url: `${origin}/${invite.code}`,
    user: publicUser(identityOf(identity, appContext)),
    created_at,
    expire_time: expires_at ?? 0,
    duration: expires_at === null ? 0 : Math.round((expires_at - created_at) / SECOND_MS),
    remaining_times: uses_max === null ? UNLIMITED_USES : uses_max - uses,
    using_times: uses,
    invitees_count: uses,
  }
}

/**
 * Creates an invite to a guild or a channel. `duration`: seconds, 0 for ever; `times`: -1 any number;
 * `roleId`: what those who join by it get.
 * @throws Failure bad_input, forbidden, invite.no_right, invite.too_many, role.everyone, role.unknown,
 *   role.above, role.bits
 */
export async function createInviteTo(
  appContext: AppContext,
  userId: UserId,
  input: Location & {
    readonly duration: number
    readonly times: number
    readonly roleId?: RoleId | undefined
  },
): Promise<string> {
  const isOffered = (list: readonly number[], value: number) => list.includes(value)
  if (!isOffered(INVITE_DURATIONS, input.duration) || !isOffered(INVITE_USES, input.times))
    throw fail('bad_input')
  const { guildId, channelId, channelName, permissions } = await rightsAt(appContext.db, userId, input)
  if (!has(permissions, permission.create_invite)) throw fail('invite.no_right')
  return transaction(appContext.db, async (tx) => {
    const { roleId } = input
    const role = roleId === undefined ? null : await lockGrantable(tx, userId, guildId, roleId)
    if ((await rows.countValid(tx, guildId, clock.now())) >= GUILD_INVITES_MAX) throw fail('invite.too_many')
    const { code } = await addInvite(tx, {
      guildId,
      channelId,
      userId,
      expiresInMs: input.duration === 0 ? null : input.duration * SECOND_MS,
      uses: input.times === UNLIMITED_USES ? null : input.times,
      roleId,
    })
    await writeAudit(tx, {
      guildId,
      by: userId,
      type: 'invite_created',
      target: inviteTarget(code),
      after: {
        channel: channelName,
        duration: input.duration,
        setting_times: input.times,
        ...(role && { role_id: role.role_id, role: role.name }),
      },
    })
    return code
  })
}

/** Ends an invite: one's own, or any with the right to manage invites. */
export async function deleteInvite(appContext: AppContext, userId: UserId, codeOrUrl: string): Promise<void> {
  const code = codeIn(codeOrUrl)
  const invite = code && (await rows.byCode(appContext.db, code))
  if (!invite) throw fail('invite.invalid')
  const inside = await guildAccess(appContext.db, userId, invite.guild_id)
  // To a person outside of the guild it does not matter whether the invite exists.
  if (!inside) throw fail('forbidden')
  if (invite.user_id !== userId && !has(inside.permissions, permission.manage_invite))
    throw fail('invite.no_right')
  await transaction(appContext.db, async (tx) => {
    if (!(await rows.revoke(tx, invite.code, clock.now()))) return
    const { guild_id: guildId } = invite
    await writeAudit(tx, { guildId, by: userId, type: 'invite_revoked', target: inviteTarget(invite.code) })
  })
}
