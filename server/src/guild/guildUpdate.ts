/** The event of a changed guild. */
import { guildUpdated } from '@guildhall/wire/guild/guild.ts'
import { guildEventForm } from '@guildhall/wire/guild/publicGuild.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import type { Tx } from '../kit/database/db.ts'
import type { Emit } from '../kit/events/events.ts'
import { recommendInfoOf } from './recommend.ts'
import * as rows from './sql.ts'

/** Tells the members of a guild that it changed. */
export async function emitGuild(tx: Tx, emit: Emit, guildId: GuildId): Promise<void> {
  const guild = await rows.byId(tx, guildId)
  if (!guild) return
  const recommend_info = recommendInfoOf(guild, await rows.recommendOf(tx, guildId))
  emit.guild(guildId, guildUpdated, guildEventForm({ ...guild, recommend_info }))
}
