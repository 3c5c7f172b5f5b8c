/** Messages that rules hold: those who manage messages in their channel decide on them. Decision 118. */
import { Failure, fail } from '@guildhall/wire/failure.ts'
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import type { decideGuildHeld, GuildHeld } from '@guildhall/wire/moderation/moderation.ts'
import { canManageMessages } from '@guildhall/wire/permission/permission.ts'
import type { InputOf } from '@guildhall/wire/route.ts'
import { memberTarget, writeAudit } from '../audit/audit.ts'
import { channelAccess, visibleGuild } from '../channel/channel.ts'
import type { Db } from '../kit/database/db.ts'
import { guildAccess } from '../role/role.ts'
import { type DecideDeps, decide, guildHeld, heldById, heldWords } from '../screening/screening.ts'
import { identitiesOf } from '../user/user.ts'
import * as rows from './sql.ts'

/** Messages that are shown at once: deciding on them shows further ones. */
const LISTED = 100

/** @throws Failure forbidden (no member) */
export async function listHeld(db: Db, userId: UserId, guildId: GuildId): Promise<GuildHeld[]> {
  const { tree } = await visibleGuild(db, userId, guildId)
  const managed = tree
    .flatMap((entry) => [entry, ...entry.children])
    .filter(({ permissions }) => canManageMessages(permissions))
  const channels = new Map(managed.map(({ channel }) => [channel.id, channel.name]))
  const found = await guildHeld(db, guildId, [...channels.keys()], LISTED)
  if (found.length === 0) return []
  const names = new Map((await rows.ofGuild(db, guildId)).map(({ id, name }) => [id, name]))
  const people = await identitiesOf(
    db,
    found.map(({ author_id }) => author_id),
  )
  return found.flatMap((row) =>
    row.channel_id === null
      ? []
      : {
          id: row.id,
          channel_id: row.channel_id,
          channel_name: channels.get(row.channel_id) ?? '',
          user_id: row.author_id,
          username: people.get(row.author_id)?.username ?? '',
          content: heldWords(row),
          rule: names.get(row.rule_id ?? '') ?? '',
          created_at: row.created_at,
        },
  )
}

/**
 * Sends a held message or rejects it, once, and writes down who did.
 * @throws Failure forbidden, moderation.held_unknown, moderation.held_decided, content.author_cannot, and as
 *   sends do
 */
export async function decideHeld(
  deps: DecideDeps,
  userId: UserId,
  { guild_id: guildId, id, pass, reason }: InputOf<typeof decideGuildHeld>,
): Promise<void> {
  const { db } = deps.appContext
  const row = await heldById(db, String(id))
  const isTheirs = row?.is_guilds && row.guild_id === guildId && row.channel_id
  const access = isTheirs ? await channelAccess(db, userId, row.channel_id!) : null
  if (!access || !canManageMessages(access.permissions)) {
    if (!(await guildAccess(db, userId, guildId))) throw fail('forbidden')
    throw fail('moderation.held_unknown')
  }
  const rule = (await rows.ofGuild(db, guildId)).find((it) => it.id === row!.rule_id)
  const decision = { id: String(id), isPassed: pass, by: userId, reason: reason || (rule?.name ?? '') }
  await decide(deps, decision, (tx, { author_id }) =>
    writeAudit(tx, {
      guildId,
      by: userId,
      type: pass ? 'held_passed' : 'held_rejected',
      target: memberTarget(author_id),
      after: { channel: access.channel.name },
      reason,
    }),
  ).catch((error: unknown) => {
    const name = error instanceof Failure ? error.failure : null
    // Its author took it back, or another moderator was faster.
    throw name === 'review.decided' || name === 'review.unknown' ? fail('moderation.held_decided') : error
  })
}
