/** The name and picture of an account, and who is told when they change. */
import { fail } from '@guildhall/wire/failure.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import { userUpdated } from '@guildhall/wire/user/user.ts'
import { addressOf, keepAvatar, releaseAvatar } from '../asset/asset.ts'
import type { NewFace } from '../auth/auth.ts'
import { partnersOf } from '../chat/chat.ts'
import { tellGuildsOf } from '../guild/guild.ts'
import type { Tx } from '../kit/db.ts'
import type { Emit, Live } from '../kit/events.ts'
import { findUser, lockUser, pictureOf, rename, setAvatar } from '../user/user.ts'

/**
 * Gives a person another name or picture. One event for each of their guilds, one for the person, and one for each person
 * with whom they have a conversation; none when nothing is different.
 * @throws Failure user.name_required, user.name_wrong, asset.unknown, user.unknown
 */
export async function changeFace(
  tx: Tx,
  emit: Emit,
  live: Pick<Live, 'publicUrl'>,
  userId: UserId,
  { username, avatar }: NewFace,
): Promise<void> {
  const before = await lockUser(tx, userId)
  if (avatar !== undefined) await changeAvatar(tx, live, before, avatar)
  if (username !== undefined && username !== before.username) await rename(tx, userId, username)
  const now = await findUser(tx, userId)
  if (!now) throw fail('user.unknown')
  if (now.username === before.username && now.avatar === before.avatar) return
  const face = {
    ...{ user_id: userId, username: now.username, identify_num: now.identify_num },
    avatar: pictureOf(now, live),
  }
  await tellGuildsOf(tx, emit, face)
  for (const told of [userId, ...(await partnersOf(tx, userId))]) emit.person(told, userUpdated, face)
}

async function changeAvatar(
  tx: Tx,
  { publicUrl }: Pick<Live, 'publicUrl'>,
  before: { readonly id: UserId; readonly avatar: string },
  avatar: string,
): Promise<void> {
  // First, because the next one may be the same file.
  await releaseAvatar(tx, before.avatar)
  const next = avatar === '' ? '' : addressOf(await keepAvatar(tx, before.id, avatar), publicUrl)
  await setAvatar(tx, before.id, next)
}
