/** Short addresses of guilds: `/g/CUSTOM_ID` leads to an invite. Decision 72. */
import { fail } from '@guildhall/wire/failure.ts'
import { CUSTOM_ID_MAX, customIdMin, isCustomId, isReservedId } from '@guildhall/wire/guild/customId.ts'
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import { writeAudit } from '../audit/audit.ts'
import {
  findByCustomId,
  guildTarget,
  lockGuild,
  requirePrivilege,
  setCustomId as storeCustomId,
} from '../guild/guild.ts'
import { clock } from '../kit/clock.ts'
import { type Db, sqlState, type Tx } from '../kit/database/db.ts'
import { type AppContext, commit } from '../kit/events/events.ts'
import { requireAllowed } from '../kit/screening.ts'
import { requireGuildRight } from '../role/role.ts'
import { createInvite } from './invite.ts'
import * as rows from './sql.ts'

const UNIQUE_VIOLATION = '23505'

/**
 * Sets the custom id of a guild, or takes it away. A guild whose level fell keeps the one it has. Emits to
 * the guild.
 * @throws Failure forbidden, member.no_right, guild.level, guild.id_wrong (detail.min, detail.max),
 *   guild.id_taken, content.refused
 */
export async function setCustomId(
  appContext: AppContext,
  userId: UserId,
  { guildId, customId }: { readonly guildId: GuildId; readonly customId: string },
): Promise<void> {
  if (customId !== '')
    await requireAllowed(appContext, { target: 'guild_address', userId, texts: [customId] })
  await commit(appContext, async (tx, emit) => {
    await lockGuild(tx, guildId)
    const { summary } = await requireGuildRight(tx, userId, guildId, permission.manage_guild)
    if (customId === summary.custom_id) return
    if (customId !== '') requireFits(customId, summary.level)
    const invite = await inviteFor(tx, userId, guildId, customId)
    await storeCustomId(tx, emit, guildId, { customId, invite })
    await writeAudit(tx, {
      guildId,
      by: userId,
      type: 'guild_updated',
      target: guildTarget(summary),
      before: { custom_id: summary.custom_id },
      after: { custom_id: customId },
    })
  }).catch((error: unknown) => {
    if (sqlState(error) === UNIQUE_VIOLATION) throw fail('guild.id_taken')
    throw error
  })
}

/** @throws Failure guild.level, guild.id_wrong, guild.id_taken */
function requireFits(customId: string, level: number): void {
  requirePrivilege('custom_id', level)
  if (!isCustomId(customId, level))
    throw fail('guild.id_wrong', { min: customIdMin(level), max: CUSTOM_ID_MAX })
  if (isReservedId(customId)) throw fail('guild.id_taken')
}

/** The code of the invite that an address leads to; null without an address, whose invite ends with it. */
async function inviteFor(tx: Tx, userId: UserId, guildId: GuildId, customId: string): Promise<string | null> {
  const known = await rows.ofShortAddress(tx, guildId)
  if (customId === '') {
    if (known !== null) await rows.revoke(tx, known, clock.now())
    return null
  }
  if (known !== null) return known
  const endless = { channelId: null, expiresInMs: null, uses: null }
  return (await createInvite(tx, { guildId, userId, ...endless })).code
}

/** The guild of a short address, and where it leads. */
export interface ShortAddress {
  readonly guildId: GuildId
  readonly target: string
}

/** Null: no guild has the address, or its invite was deleted. */
export async function findShortAddress(db: Db, path: string): Promise<ShortAddress | null> {
  const customId = /^\/g\/([a-z\d-]{1,64})\/?$/i.exec(path)?.[1]
  const guildId = customId === undefined ? null : await findByCustomId(db, customId)
  const code = guildId && (await rows.ofShortAddress(db, guildId))
  return guildId && code ? { guildId, target: `/invite/${code}` } : null
}
