/** Single members, as others see them. */
import { fail } from '@guildhall/wire/failure.ts'
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import { guildPermissions, has, permission } from '@guildhall/wire/permission/permission.ts'
import type { Millis } from '@guildhall/wire/unit.ts'
import { publicUser } from '@guildhall/wire/user/public.ts'
import type { User } from '@guildhall/wire/user/shown.ts'
import { guildOfMember } from '../guild/guild.ts'
import { clock } from '../kit/clock.ts'
import type { Db } from '../kit/database/db.ts'
import type { AppContext } from '../kit/events/events.ts'
import { colorsOf, rolesOf } from '../role/role.ts'
import { authorOf, countsAsVerified, findUser, identityOf } from '../user/user.ts'
import * as rows from './membershipSql.ts'
import { membersInOrder } from './nameSearch.ts'

/** What viewing a person needs. */
export interface ViewDeps {
  readonly appContext: Pick<AppContext, 'db' | 'presence' | 'publicUrl' | 'ways'>
  /** Since when somebody has had BUFF without a gap, ms; 0: they never had it. */
  readonly buffSince: (db: Db, userId: UserId) => Promise<Millis>
}

/**
 * A person, as everybody sees them, or with a guild as the caller's fellow member.
 * @throws Failure forbidden (the caller is no member), user.unknown
 */
export async function viewUser(
  { appContext, buffSince }: ViewDeps,
  callerId: UserId,
  asked: { readonly userId: UserId; readonly guildId: GuildId | undefined },
) {
  const { db } = appContext
  const withBuff = async <T extends User>(person: T) =>
    person.is_vip ? { ...person, buff_since: await buffSince(db, person.id) } : person
  if (asked.guildId === undefined) {
    const user = await findUser(db, asked.userId)
    if (!user || user.deleted_at !== null) throw fail('user.unknown')
    return withBuff(publicUser(identityOf(user, appContext)))
  }
  if (!(await rows.isMember(db, asked.guildId, callerId))) throw fail('forbidden')
  const member = await rows.member(db, asked.guildId, asked.userId)
  if (!member) throw fail('user.unknown')
  const { joined_at, is_master } = member
  const author = publicUser(authorOf(member, appContext))
  const roles = await rolesOf(db, asked.guildId)
  const permissions = guildPermissions({ is_master: false, roles: member.roles }, roles)
  return {
    ...(await withBuff(author)),
    joined_at,
    is_master,
    mobile_verified: countsAsVerified(member, appContext),
    is_admin: !is_master && has(permissions, permission.manage),
    ...colorsOf(roles.filter(({ role_id }) => member.roles.includes(role_id))),
    active_time: author.online ? clock.now() : Math.max(member.seen_at, joined_at),
  }
}

/**
 * The members who represent a guild besides its owner.
 * @throws Failure forbidden for a person who is not a member
 */
export async function listTeam(
  appContext: Pick<AppContext, 'db' | 'presence' | 'publicUrl'>,
  callerId: UserId,
  guildId: GuildId,
) {
  const inside = await guildOfMember(appContext.db, callerId, guildId)
  if (!inside) throw fail('forbidden')
  const team = await membersInOrder(appContext.db, guildId, inside.summary.team_members)
  return team.map((row) => authorOf(row, appContext))
}
