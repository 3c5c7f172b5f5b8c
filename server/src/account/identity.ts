/** The name and picture of an account, and who is told when they change. Decision 56. */
import { isDeepStrictEqual } from 'node:util'
import { stillAddress } from '@guildhall/wire/asset/pictureSize.ts'
import { fail } from '@guildhall/wire/failure.ts'
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import { z } from '@guildhall/wire/schema.ts'
import { type ChangedIdentity, userUpdated } from '@guildhall/wire/user/changedIdentity.ts'
import { addressOf, keepAvatar, releaseAvatar } from '../asset/asset.ts'
import type { NewIdentity } from '../auth/auth.ts'
import { partnersOf } from '../chat/chat.ts'
import type { NotifyHolder } from '../entitlement/entitlement.ts'
import { acquaintancesOf } from '../friend/friend.ts'
import type { Tx } from '../kit/database/db.ts'
import { type AppContext, commit, type Emit } from '../kit/events/events.ts'
import { type Jobs, jobKind } from '../kit/jobs.ts'
import { notifySomeGuildsOf } from '../member/member.ts'
import {
  chooseFrame,
  chooseNumber,
  findUser,
  frameOf,
  hasBuff,
  type Identity,
  lockUser,
  movingPictureOf,
  numberOf,
  pictureOf,
  rename,
  setAvatar,
} from '../user/user.ts'

/** Guilds beyond those that a change tells itself are told in the background, from a guild on. */
export const notifyGuildsJob = jobKind({
  name: 'tell-guilds',
  data: z.object({ user_id: z.string(), after: z.string() }),
  pollSeconds: 10,
})

/** Where a change finds the origin of addresses, and queues what is left to tell. */
export interface IdentityDeps {
  readonly appContext: Pick<AppContext, 'publicUrl' | 'screening'>
  /** In the transaction of the change. */
  readonly queueRest: (tx: Tx, userId: UserId, after: GuildId) => Promise<void>
}

/** Of what a server, or a command, has. */
export interface IdentityNotifier {
  readonly appContext: IdentityDeps['appContext']
  readonly jobs: Pick<Jobs, 'send'>
}

export const identityDeps = ({ appContext, jobs }: IdentityNotifier): IdentityDeps => ({
  appContext,
  queueRest: (tx, user_id, after) => jobs.send(tx, notifyGuildsJob, { user_id, after }),
})

/** Tells that what somebody has changed. */
export const holderNotifier =
  (input: IdentityNotifier): NotifyHolder =>
  (tx, emit, userId, to) =>
    notifyIdentity(tx, emit, identityDeps(input), userId, to)

/**
 * Gives a person another name, picture, number or ring; a picture that moves is shown moving while they have
 * BUFF. One event for each of their guilds, one for the person, and one for each friend and each person with
 * whom they have a conversation; none when nothing is different. `uploaderId`: whose file the picture is.
 * @throws Failure user.name_required, user.name_wrong, user.number_wrong, user.number_taken, user.needs_buff,
 *   asset.unknown, asset.too_large, user.unknown
 */
export async function changeIdentity(
  tx: Tx,
  emit: Emit,
  { appContext, queueRest }: IdentityDeps,
  userId: UserId,
  { username, avatar, identify_num, avatar_frame }: NewIdentity,
  uploaderId = userId,
): Promise<void> {
  const before = await lockUser(tx, userId)
  if (avatar !== undefined) await changeAvatar(tx, appContext, before, { avatar, uploaderId })
  if (username !== undefined && username !== before.username) await rename(tx, userId, username)
  if (identify_num !== undefined) await chooseNumber(tx, userId, identify_num)
  if (avatar_frame !== undefined) await chooseFrame(tx, userId, avatar_frame)
  const now = await findUser(tx, userId)
  if (!now) throw fail('user.unknown')
  const identity = identityNow(now, appContext)
  if (isDeepStrictEqual(identity, identityNow(before, appContext))) return
  await notifyEverybody(tx, emit, queueRest, identity)
}

/** The caller holds the lock of the person. */
async function notifyEverybody(
  tx: Tx,
  emit: Emit,
  queueRest: IdentityDeps['queueRest'],
  identity: ChangedIdentity,
): Promise<void> {
  const { user_id: userId } = identity
  const last = await notifySomeGuildsOf(tx, emit, identity, null)
  if (last !== null) await queueRest(tx, userId, last)
  const others = [...(await partnersOf(tx, userId)), ...(await acquaintancesOf(tx, userId))]
  for (const notified of new Set([userId, ...others])) emit.person(notified, userUpdated, identity)
}

/**
 * Tells how somebody looks now: as `changeIdentity` does where BUFF began or ended, or the person alone where
 * only what they have changed. Nothing when the account was deleted.
 */
export async function notifyIdentity(
  tx: Tx,
  emit: Emit,
  { appContext, queueRest }: IdentityDeps,
  userId: UserId,
  to: 'self' | 'everybody',
): Promise<void> {
  const found = await findUser(tx, userId)
  if (!found || found.deleted_at !== null) return
  if (to === 'self') return emit.person(userId, userUpdated, identityNow(found, appContext))
  await notifyEverybody(tx, emit, queueRest, identityNow(await lockUser(tx, userId), appContext))
}

/** Tells the guilds after one how a person is called and looks now, batch by batch. May be repeated. */
export async function notifyGuilds(
  appContext: AppContext,
  userId: UserId,
  after: GuildId,
  signal?: AbortSignal,
): Promise<void> {
  for (let last: GuildId | null = after; last !== null; ) {
    signal?.throwIfAborted()
    const from: GuildId = last
    last = await commit(appContext, async (tx, emit) => {
      await lockUser(tx, userId)
      const now = await findUser(tx, userId)
      return now && notifySomeGuildsOf(tx, emit, identityNow(now, appContext), from)
    })
  }
}

function identityNow(now: Identity, appContext: Pick<AppContext, 'publicUrl'>): ChangedIdentity {
  const avatar = pictureOf(now, appContext)
  return {
    user_id: now.id,
    username: now.username,
    identify_num: numberOf(now),
    avatar,
    vip_avatar: movingPictureOf(now) || avatar,
    is_vip: hasBuff(now),
    avatar_frame: frameOf(now),
  }
}

async function changeAvatar(
  tx: Tx,
  appContext: IdentityDeps['appContext'],
  before: { readonly id: UserId; readonly avatar: string },
  { avatar, uploaderId }: { readonly avatar: string; readonly uploaderId: UserId },
): Promise<void> {
  // First, because the next one may be the same file.
  await releaseAvatar(tx, before.avatar)
  if (avatar === '') return setAvatar(tx, before.id, { avatar: '', moving: '' })
  const { key, isMoving } = await keepAvatar(tx, appContext, uploaderId, avatar)
  const address = addressOf(key, appContext.publicUrl)
  await setAvatar(tx, before.id, {
    avatar: isMoving ? stillAddress(address) : address,
    moving: isMoving ? address : '',
  })
}
