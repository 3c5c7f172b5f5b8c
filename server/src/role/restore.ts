/** Deleted roles that come back. Decision 114. */
import { RESTORABLE_MS } from '@guildhall/wire/audit/audit.ts'
import { fail } from '@guildhall/wire/failure.ts'
import { amountAt } from '@guildhall/wire/guild/levelRights.ts'
import { type PublicRole, toPublicRole } from '@guildhall/wire/guild/publicGuild.ts'
import type { ChannelId, GuildId, RoleId, UserId } from '@guildhall/wire/id.ts'
import { mayChangeBits, outranksRole } from '@guildhall/wire/permission/hierarchy.ts'
import { roleAdded, roleUpdated } from '@guildhall/wire/role/event.ts'
import { z } from '@guildhall/wire/schema.ts'
import { writeAudit } from '../audit/audit.ts'
import { lockGuild } from '../guild/guild.ts'
import { clock } from '../kit/clock.ts'
import type { Db, Tx } from '../kit/database/db.ts'
import { type AppContext, commit, type Emit } from '../kit/events/events.ts'
import { type Jobs, jobKind } from '../kit/jobs.ts'
import { lockManages } from './access.ts'
import { roleTarget } from './audit.ts'
import { emitMember } from './changes.ts'
import * as deleted from './deletedSql.ts'
import * as rows from './sql.ts'

/** Members of a restored role get it again. */
export const giveRestoredJob = jobKind({
  name: 'give-restored-role',
  data: z.object({ guild_id: z.string(), role_id: z.number() }),
  pollSeconds: 10,
})

/** Members who get a role again in one transaction, which tells the guild of each. */
const GIVEN_AT_ONCE = 100

export interface RestoreDeps {
  readonly appContext: AppContext
  readonly jobs: Pick<Jobs, 'send' | 'wake'>
  /** Tells the viewers of channels how they are now. */
  readonly emitChannels: (tx: Tx, emit: Emit, channels: readonly ChannelId[]) => Promise<void>
}

/**
 * Restores a deleted role where it stood, with the overwrites of channels for it. Who had it and is still a
 * member has it again, of many members the later ones soon after; who restores it only if the guild is
 * theirs. Emits to the guild.
 * @throws Failure forbidden, role.not_restorable, role.above, role.bits, role.full (detail.most)
 */
export async function restoreRole(
  { appContext, jobs, emitChannels }: RestoreDeps,
  userId: UserId,
  { guildId, roleId }: { readonly guildId: GuildId; readonly roleId: RoleId },
): Promise<PublicRole> {
  const restored = await commit(appContext, async (tx, emit) => {
    const { viewer, roles, permissions, summary } = await lockManages(tx, userId, guildId)
    const now = clock.now()
    const it = await deleted.deletedRole(tx, guildId, roleId)
    if (!it || it.deleted_at <= now - RESTORABLE_MS) throw fail('role.not_restorable')
    if (!outranksRole(viewer, it, roles)) throw fail('role.above')
    // Otherwise it would be a way to get back what somebody above took.
    if (!mayChangeBits(permissions, 0, it.permissions)) throw fail('role.bits')
    const most = amountAt('max_role_num', summary.level)
    if (roles.length >= most) throw fail('role.full', { most })

    // Nobody gives a role to themselves.
    const except = viewer.is_master ? null : userId
    const channels = await deleted.storeRestored(tx, guildId, it, { now, except })
    const role = await emitRestored(tx, emit, guildId, { before: roles, roleId })
    await emitChannels(tx, emit, channels)
    await writeAudit(tx, { guildId, by: userId, type: 'role_restored', target: roleTarget(it) })
    if (!(await giveSome(tx, emit, guildId, roleId)))
      await jobs.send(tx, giveRestoredJob, { guild_id: guildId, role_id: roleId })
    return role
  })
  jobs.wake(giveRestoredJob)
  return restored
}

/** Tells the guild of the role, and of those that it moved. */
async function emitRestored(
  tx: Tx,
  emit: Emit,
  guildId: GuildId,
  { before, roleId }: { readonly before: readonly rows.RoleRow[]; readonly roleId: RoleId },
): Promise<PublicRole> {
  const all = await rows.roles(tx, guildId)
  const role = toPublicRole(all.find(({ role_id }) => role_id === roleId)!)
  emit.guild(guildId, roleAdded, role)
  for (const each of all) {
    const earlier = before.find(({ role_id }) => role_id === each.role_id)
    if (earlier && earlier.position !== each.position) emit.guild(guildId, roleUpdated, toPublicRole(each))
  }
  return role
}

/** Gives some members their role again. True: they were the last. */
async function giveSome(tx: Tx, emit: Emit, guildId: GuildId, roleId: RoleId): Promise<boolean> {
  const { some, isLast } = await deleted.takeSome(tx, guildId, roleId, GIVEN_AT_ONCE)
  await deleted.giveSome(tx, guildId, roleId, some)
  for (const userId of some) await emitMember(tx, emit, guildId, userId)
  return isLast
}

/** Gives the other members their role again, batch by batch. May be repeated. */
export async function giveRestored(appContext: AppContext, guildId: GuildId, roleId: RoleId): Promise<void> {
  for (let isLast = false; !isLast; )
    isLast = await commit(appContext, async (tx, emit) => {
      // Nobody deletes the role meanwhile.
      await lockGuild(tx, guildId)
      const roles = await rows.roles(tx, guildId)
      return !roles.some(({ role_id }) => role_id === roleId) || giveSome(tx, emit, guildId, roleId)
    })
}

/** Forgets roles that can no longer be restored. */
export const forgetDeletedRoles = (db: Db): Promise<void> =>
  deleted.forgetDeleted(db, clock.now() - RESTORABLE_MS)
