/** What two people have in common, for the card of one that the other looks at. */
import { fail } from '@guildhall/wire/failure.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import { COMMON_MAX, type PersonView } from '@guildhall/wire/member/person.ts'
import { noteOn, relationsTo } from '../../friend/friend.ts'
import type { AppContext } from '../../kit/events/events.ts'
import { findUser, identityOf } from '../../user/user.ts'
import * as rows from './sql.ts'

const NOBODY = { total: 0, rows: [] } as const

/**
 * The guilds both are in are seen in their lists of members anyway. Friends in common are named only to who
 * stands near the person, and to nobody while one of the two blocks the other: as to somebody who has none.
 * @throws Failure user.unknown
 */
export async function viewPerson(
  appContext: Pick<AppContext, 'db' | 'presence' | 'publicUrl'>,
  callerId: UserId,
  userId: UserId,
): Promise<PersonView> {
  const { db } = appContext
  const user = await findUser(db, userId)
  if (!user || user.deleted_at !== null) throw fail('user.unknown')
  const guilds = await rows.commonGuilds(db, callerId, userId, COMMON_MAX)
  const { isFriend, isBlocked, isTargetBlocked } = (await relationsTo(db, callerId, [userId]))(userId)
  const isNear = (isFriend || guilds.total > 0) && !isBlocked && !isTargetBlocked
  const friends = isNear ? await rows.commonFriends(db, callerId, userId, COMMON_MAX) : NOBODY
  return {
    note: await noteOn(db, callerId, userId),
    guilds: {
      total: guilds.total,
      items: guilds.rows.map(({ id, name, icon }) => ({ id, name, icon })),
    },
    friends: { total: friends.total, items: friends.rows.map((row) => identityOf(row, appContext)) },
  }
}
