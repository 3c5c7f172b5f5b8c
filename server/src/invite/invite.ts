/** Invites: the preview of an invite link, and joining by it. chat.md §2, §3 and §4. */
import { channelType } from '@guildhall/wire/channel/channel.ts'
import { Failure, fail } from '@guildhall/wire/failure.ts'
import type { ChannelId, GuildId, InviteCode, RoleId, UserId } from '@guildhall/wire/id.ts'
import type { Invite } from '@guildhall/wire/invite/invite.ts'
import type { AuditTarget } from '../audit/audit.ts'
import type { Captcha } from '../captcha/captcha.ts'
import { previewChannel } from '../channel/channel.ts'
import { findGuild } from '../guild/guild.ts'
import { clock } from '../kit/clock.ts'
import { deleteDaysBefore } from '../kit/database/days.ts'
import type { Db, Tx } from '../kit/database/db.ts'
import { type AppContext, commit, type Emit } from '../kit/events/events.ts'
import { ids } from '../kit/ids.ts'
import type { Joining } from '../kit/moderation.ts'
import { countMembers, isMember, joinOwn, requireMayJoin } from '../member/member.ts'
import { auditGrant, giveRole, lockGrantable } from '../role/role.ts'
import { findUser, numberOf, pictureOf } from '../user/user.ts'
import * as rows from './sql.ts'

export { creditReferral, forgetReferrals, referralFacts } from './referral.ts'

const isExpired = ({ expires_at }: rows.InviteRow): boolean =>
  expires_at !== null && expires_at <= clock.now()
const isFull = ({ uses, uses_max }: rows.InviteRow): boolean => uses_max !== null && uses >= uses_max

/** The guild to which a code invites, also one that is over; null: there is no such invite. */
export const guildOfInvite = async (db: Db, code: string): Promise<GuildId | null> =>
  (await rows.byCode(db, code))?.guild_id ?? null

/**
 * The preview of an invite for a person with its link. A used-up invite is still shown to members.
 * @throws Failure invite.invalid, invite.expired, invite.full
 */
export async function viewInvite(
  appContext: Pick<AppContext, 'db' | 'presence' | 'publicUrl'>,
  userId: UserId | null,
  code: string,
): Promise<Invite> {
  const { db, presence } = appContext
  const invite = await rows.byCode(db, code)
  const guild = invite ? await findGuild(db, invite.guild_id) : null
  const inviter = invite ? await findUser(db, invite.user_id) : null
  if (!invite || !guild || !inviter) throw fail('invite.invalid')
  if (isExpired(invite)) throw fail('invite.expired')
  const joined = userId !== null && (await isMember(db, guild.id, userId))
  if (isFull(invite) && !joined) throw fail('invite.full')

  const target = invite.channel_id ?? guild.default_channel_id
  const channel = target === null ? null : await previewChannel(db, userId, target)
  return {
    guild: {
      id: guild.id,
      name: guild.name,
      icon: guild.icon,
      banner: guild.banner,
      desc: guild.topic,
      online_count: presence.onlineCount(guild.id),
      members_count: await countMembers(db, guild.id),
      default_channel_id: guild.default_channel_id ?? '0',
    },
    inviter: {
      username: inviter.username,
      avatar: pictureOf(inviter, appContext),
      identify_num: numberOf(inviter),
    },
    channel: channel && { id: channel.id, name: channel.name, type: channel.type, joined },
    ...(userId === null ? {} : { user_id: userId }),
    joined,
    type: invite.channel_id === null ? 'guild' : 'channel',
  }
}

/**
 * The result of joining. `channel_id` is `""` when neither the invite's channel nor the default one is
 * visible.
 */
export interface Joined {
  readonly id: GuildId
  readonly guild_id: GuildId
  readonly channel_id: string
  readonly joined_now: boolean
}

/** Sends the welcome message to a guild's channel, in the same transaction. */
export type Welcome = (
  tx: Tx,
  emit: Emit,
  input: { readonly guildId: GuildId; readonly channelId: ChannelId; readonly userId: UserId },
) => Promise<void>

/** Asks those who join for a captcha. */
export type JoinCaptcha = Pick<Captcha, 'requireOf'>

/** What joining asks of others; by default nothing. */
interface JoinHooks {
  readonly welcome?: Welcome
  readonly requireCaptcha?: Joining['requireCaptcha']
}

/**
 * Makes a person a member by an invite, and sends the welcome message if the guild has a welcome channel.
 * Locks the invite, so that of two people at its last use one is refused. Idempotent: a member uses nothing
 * up and is never refused.
 */
export async function joinByInvite(
  appContext: AppContext,
  userId: UserId,
  code: string,
  { welcome = async () => undefined, requireCaptcha = async () => undefined }: JoinHooks = {},
): Promise<Joined> {
  const known = await rows.byCode(appContext.db, code)
  if (known && !isExpired(known) && !isFull(known))
    await requireMayJoin(appContext, { guildId: known.guild_id, userId, requireCaptcha })
  const { guildId, target, joinedNow } = await commit(appContext, async (tx, emit) => {
    const invite = await rows.lock(tx, code)
    const guild = invite ? await findGuild(tx, invite.guild_id) : null
    if (!invite || !guild) throw fail('invite.invalid')
    const target = invite.channel_id ?? guild.default_channel_id
    const outcome = (joinedNow: boolean) => ({ guildId: guild.id, target, joinedNow })
    if (await isMember(tx, guild.id, userId)) return outcome(false)

    if (isExpired(invite)) throw fail('invite.expired')
    if (isFull(invite)) throw fail('invite.full')
    // A person who joins by two invites at once joins once, and only that invite is used.
    const joinedNow = await joinOwn(tx, emit, guild.id, userId)
    if (joinedNow) {
      await rows.spendUse(tx, code, clock.now())
      await giveItsRole(tx, emit, invite, userId)
    }
    const channelId = guild.welcome_channel_id
    if (joinedNow && channelId) await welcome(tx, emit, { guildId: guild.id, channelId, userId })
    return outcome(joinedNow)
  })
  return {
    id: guildId,
    guild_id: guildId,
    channel_id: await firstVisible(appContext.db, userId, guildId, target),
    joined_now: joinedNow,
  }
}

/**
 * Gives a newcomer the role of their invite, as whoever made it; nothing when that person may not give it any
 * more, or it is gone.
 */
async function giveItsRole(tx: Tx, emit: Emit, invite: rows.InviteRow, userId: UserId): Promise<void> {
  const { guild_id: guildId, user_id: by, role_id: roleId } = invite
  if (roleId === null) return
  const role = await lockGrantable(tx, by, guildId, roleId).catch((error: unknown) => {
    if (error instanceof Failure) return null
    throw error
  })
  if (!role) return
  await giveRole(tx, emit, guildId, userId, roleId)
  await auditGrant(tx, { guildId, by, role, userId, isGranted: true, invite: invite.code })
}

/**
 * The invite's own channel when it is a text channel the person may see, else the guild's default one, else
 * `""`.
 */
async function firstVisible(
  db: Db,
  userId: UserId,
  guildId: GuildId,
  target: ChannelId | null,
): Promise<string> {
  const guild = await findGuild(db, guildId)
  for (const id of new Set([target, guild?.default_channel_id])) {
    const channel = id ? await previewChannel(db, userId, id) : null
    if (channel?.type === channelType.text) return channel.id
  }
  return ''
}

/**
 * Creates an invite of a person. The caller checks their permission, and that they may give the role.
 * `expiresInMs` and `uses` null: no limit; `roleId` absent: newcomers get none.
 */
export async function createInvite(
  tx: Tx,
  input: {
    readonly guildId: GuildId
    readonly channelId: ChannelId | null
    readonly userId: UserId
    readonly expiresInMs: number | null
    readonly uses: number | null
    readonly roleId?: RoleId | undefined
  },
): Promise<{ readonly code: InviteCode; readonly expires_at: number | null }> {
  const now = clock.now()
  const expiresAt = input.expiresInMs === null ? null : now + input.expiresInMs
  for (let tries = 0; tries < 10; tries++) {
    const code = ids.inviteCode()
    if (
      await rows.add(tx, {
        ...input,
        code,
        expiresAt,
        usesMax: input.uses,
        roleId: input.roleId ?? null,
        now,
      })
    ) {
      return { code: code as InviteCode, expires_at: expiresAt }
    }
  }
  throw new Error('no free invite code was found')
}

/** An invite as what was acted on. */
export const inviteTarget = (code: string): AuditTarget => ({ kind: 'invite', id: code, name: code })

/** Invites that are listed among those that worked. */
const WORKED_MAX = 50

/** Invites by which somebody joined from one day of Beijing on, also those that ended, the best first. */
export const invitesThatWorked = (db: Db, guildId: GuildId, from: string) =>
  rows.thatWorked(db, guildId, from, WORKED_MAX)

/** Deletes some of the counts of days before one. How many: 0 when none are left. */
export const trimInviteDays = (db: Db, day: string): Promise<number> =>
  deleteDaysBefore(db, 'invite_day', day)

/** Ends an invite and returns its guild. @throws Failure invite.invalid */
export async function revokeInvite(tx: Tx, code: string): Promise<GuildId> {
  const guildId = await rows.revoke(tx, code, clock.now())
  if (guildId === null) throw fail('invite.invalid')
  return guildId
}
