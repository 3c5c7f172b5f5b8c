/** A guild that its owner hands to a member, who has to accept. */
import { fail } from '@guildhall/wire/failure.ts'
import { GUILD_TRANSFER_MS, type GuildTransfer, guildTransferred } from '@guildhall/wire/guild/transfer.ts'
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import { defaultLocale } from '@guildhall/wire/locale.ts'
import { memberTarget, writeAudit } from '../../audit/audit.ts'
import { clock } from '../../kit/clock.ts'
import type { Db, Tx } from '../../kit/database/db.ts'
import { type AppContext, commit, type Emit } from '../../kit/events/events.ts'
import { findUser, identityOf } from '../../user/user.ts'
import * as rows from '../sql.ts'
import { changeOwner } from '../staff.ts'
import { guildText } from '../text.ts'
import * as transfers from './transferSql.ts'

/** Writes to a person as the official account, which is a later noun. */
export type Notify = (tx: Tx, emit: Emit, to: UserId, text: string) => Promise<void>

export interface TransferDeps {
  readonly appContext: AppContext
  readonly notify: Notify
}

const t = guildText[defaultLocale]

/**
 * The offer of a guild, as one of its two people sees it; null: there is none.
 * @throws Failure forbidden
 */
export async function transferOf(
  { db, ...appContext }: AppContext,
  callerId: UserId,
  guildId: GuildId,
): Promise<GuildTransfer | null> {
  if (!(await rows.forMember(db, callerId, guildId))) throw fail('forbidden')
  const found = await pending(db, guildId)
  return found && isBetween(found, callerId) ? shown(db, appContext, found) : null
}

/**
 * Offers the caller's guild to a member. An earlier offer to somebody else is withdrawn.
 * @throws Failure forbidden, guild.not_owner, guild.owner (to oneself), guild.not_member, user.unknown (a
 *   bot)
 */
export const offerGuild = (
  { appContext, notify }: TransferDeps,
  callerId: UserId,
  { guildId, userId }: { readonly guildId: GuildId; readonly userId: UserId },
): Promise<GuildTransfer> =>
  commit(appContext, async (tx, emit) => {
    const guild = await lockFor(tx, callerId, guildId)
    if (guild.user_id !== callerId) throw fail('guild.not_owner')
    if (userId === callerId) throw fail('guild.owner')
    if (!(await rows.forMember(tx, userId, guildId))) throw fail('guild.not_member')
    if ((await findUser(tx, userId))?.bot !== false) throw fail('user.unknown')
    const before = await pending(tx, guildId)
    if (before && before.receiver_id !== userId) {
      emitBoth(emit, guild.name, before, 'cancelled')
      await notify(tx, emit, before.receiver_id, t.withdrawn(guild.name))
    }
    const offer = { guild_id: guildId, owner_id: callerId, receiver_id: userId, created_at: clock.now() }
    await transfers.set(tx, offer)
    const answer = await shown(tx, appContext, offer)
    emitBoth(emit, guild.name, offer, 'offered')
    // Again to the same person begins the days anew, and is not written a second time.
    if (before?.receiver_id !== userId) {
      const address = `${appContext.publicUrl}/guild/transfer/${guildId}`
      await notify(tx, emit, userId, t.offered(guild.name, answer.owner.username, address))
    }
    return answer
  })

/** The caller owns the guild that they were offered. @throws Failure guild.no_transfer, as `changeOwner` */
export const acceptTransfer = (
  { appContext, notify }: TransferDeps,
  callerId: UserId,
  guildId: GuildId,
): Promise<void> =>
  commit(appContext, async (tx, emit) => {
    const guild = await lockFor(tx, callerId, guildId)
    const found = await pending(tx, guildId)
    if (found?.receiver_id !== callerId || found.owner_id !== guild.user_id) throw fail('guild.no_transfer')
    const { receiver } = await shown(tx, appContext, found)
    const before = await changeOwner(tx, emit, guildId, callerId)
    await writeAudit(tx, {
      guildId,
      by: before,
      type: 'owner_changed',
      target: memberTarget(callerId),
      before: { user_id: before },
      after: { user_id: callerId },
    })
    emitBoth(emit, guild.name, found, 'accepted')
    await notify(tx, emit, found.owner_id, t.accepted(guild.name, receiver.username))
  })

/** Withdraws an offer or refuses it; the other one is told. @throws Failure forbidden, guild.no_transfer */
export const cancelTransfer = (
  { appContext, notify }: TransferDeps,
  callerId: UserId,
  guildId: GuildId,
): Promise<void> =>
  commit(appContext, async (tx, emit) => {
    const { name } = await lockFor(tx, callerId, guildId)
    const found = await pending(tx, guildId)
    if (!found || !isBetween(found, callerId)) throw fail('guild.no_transfer')
    await transfers.end(tx, guildId)
    emitBoth(emit, name, found, 'cancelled')
    const { receiver } = await shown(tx, appContext, found)
    if (callerId === found.receiver_id)
      await notify(tx, emit, found.owner_id, t.refused(name, receiver.username))
    else await notify(tx, emit, found.receiver_id, t.withdrawn(name))
  })

/** The guild, locked, of one of its members. @throws Failure forbidden */
async function lockFor(tx: Tx, callerId: UserId, guildId: GuildId): Promise<rows.MemberGuildRow> {
  await rows.lockGuild(tx, guildId)
  const guild = await rows.forMember(tx, callerId, guildId)
  if (!guild) throw fail('forbidden')
  return guild
}

const isBetween = (it: transfers.TransferRow, userId: UserId): boolean =>
  it.owner_id === userId || it.receiver_id === userId

const pending = async (db: Db, guildId: GuildId): Promise<transfers.TransferRow | null> => {
  const found = await transfers.of(db, guildId)
  return found && found.created_at + GUILD_TRANSFER_MS > clock.now() ? found : null
}

async function shown(
  db: Db,
  appContext: Pick<AppContext, 'presence' | 'publicUrl'>,
  { owner_id, receiver_id, created_at }: transfers.TransferRow,
): Promise<GuildTransfer> {
  const person = async (id: UserId) => {
    const row = await findUser(db, id)
    if (!row) throw fail('user.unknown')
    return identityOf(row, appContext)
  }
  return {
    owner: await person(owner_id),
    receiver: await person(receiver_id),
    ends_at: created_at + GUILD_TRANSFER_MS,
  }
}

function emitBoth(
  emit: Emit,
  name: string,
  { guild_id, owner_id, receiver_id }: transfers.TransferRow,
  state: 'offered' | 'accepted' | 'cancelled',
): void {
  for (const userId of [owner_id, receiver_id])
    emit.person(userId, guildTransferred, { guild_id, name, state, owner_id, receiver_id })
}
