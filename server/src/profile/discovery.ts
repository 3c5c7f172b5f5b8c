/** Recommended guilds, which people find and join without an invite. */
import { fail } from '@guildhall/wire/failure.ts'
import type { ChannelId, GuildId, UserId } from '@guildhall/wire/id.ts'
import { LIST_SIZE_MAX } from '@guildhall/wire/page.ts'
import { findGuild, recommendOf } from '../guild/guild.ts'
import type { Tx } from '../kit/database/db.ts'
import { type AppContext, commit, type Emit } from '../kit/events/events.ts'
import type { Joining } from '../kit/moderation.ts'
import { isMember, joinOwn, requireMayJoin } from '../member/member.ts'
import * as rows from './sql.ts'

/** Sends the welcome message to a guild's channel, in the same transaction. */
export type Welcome = (
  tx: Tx,
  emit: Emit,
  input: { readonly guildId: GuildId; readonly channelId: ChannelId; readonly userId: UserId },
) => Promise<void>

/** A page of recommended guilds, those with the most boost packs first. */
export async function listDiscoverables(
  { db, presence }: Pick<AppContext, 'db' | 'presence'>,
  userId: UserId,
  input: { readonly search: string; readonly page: number; readonly size: number },
) {
  const limit = Math.min(input.size, LIST_SIZE_MAX)
  const { items, total } = await rows.discoverables(db, userId, {
    search: input.search.trim(),
    offset: (input.page - 1) * limit,
    limit,
  })
  return {
    items: items.map((guild) => ({ ...guild, online: presence.onlineCount(guild.id) })),
    meta: { page: input.page, page_total: Math.ceil(total / limit), page_size: limit, total },
    sort: {},
  }
}

/**
 * Makes a person a member of a recommended guild, and sends the welcome message. A member is never refused.
 * @throws Failure profile.not_recommended, guild.banned, guild.full, too_many, moderation.raid,
 *   moderation.raid_slow, captcha.needed
 */
export const joinDiscoverable = async (
  appContext: AppContext,
  joining: Joining,
  welcome: Welcome,
): Promise<void> => {
  const { guildId, userId } = joining
  if (await recommendOf(appContext.db, guildId)) await requireMayJoin(appContext, joining)
  await commit(appContext, async (tx, emit) => {
    if (await isMember(tx, guildId, userId)) return
    const guild = await findGuild(tx, guildId)
    if (!guild || !(await recommendOf(tx, guildId))) throw fail('profile.not_recommended')
    const isNew = await joinOwn(tx, emit, guildId, userId)
    const channelId = guild.welcome_channel_id
    if (isNew && channelId) await welcome(tx, emit, { guildId, channelId, userId })
  })
}
