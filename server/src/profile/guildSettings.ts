/** What newcomers of a guild see first, and what its members are notified of. */
import { channelType } from '@guildhall/wire/channel/channel.ts'
import { fail } from '@guildhall/wire/failure.ts'
import { guildCategory } from '@guildhall/wire/guild/category.ts'
import type { ChannelId, GuildId, UserId } from '@guildhall/wire/id.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import type { GuildSettings, updateGuildSettings } from '@guildhall/wire/profile/settings.ts'
import type { InputOf } from '@guildhall/wire/route.ts'
import { differing, writeAudit } from '../audit/audit.ts'
import { findChannel } from '../channel/channel.ts'
import { guildTarget, lockGuild, type SettingsRow, setSettings, settingsOf } from '../guild/guild.ts'
import type { Db, Tx } from '../kit/database/db.ts'
import { type AppContext, commit } from '../kit/events/events.ts'
import { requireAllowed } from '../kit/screening.ts'
import { requireGuildRight } from '../role/role.ts'

const NO_CHANNEL = '0'

/** @throws Failure forbidden, member.no_right */
export async function viewSettings(db: Db, userId: UserId, guildId: GuildId): Promise<GuildSettings> {
  await requireGuildRight(db, userId, guildId, permission.manage_guild)
  return shown(await settingsOf(db, guildId))
}

/**
 * Changes what is given. Emits to the guild.
 * @throws Failure forbidden, member.no_right, channel.unknown, content.refused, content.reserved
 */
export async function changeSettings(
  appContext: AppContext,
  userId: UserId,
  { guild_id: guildId, ...wanted }: InputOf<typeof updateGuildSettings>,
): Promise<GuildSettings> {
  const { welcome_words } = wanted
  if (welcome_words) await requireAllowed(appContext, { target: 'guild', userId, texts: ['', welcome_words] })
  return commit(appContext, async (tx, emit) => {
    await lockGuild(tx, guildId)
    const { summary } = await requireGuildRight(tx, userId, guildId, permission.manage_guild)
    const before = await settingsOf(tx, guildId)
    const welcomes = wanted.welcome_channel_id !== NO_CHANNEL
    await setSettings(tx, emit, guildId, {
      ...given('default_channel_id', await textChannel(tx, guildId, wanted.default_channel_id)),
      ...given(
        'welcome_channel_id',
        welcomes ? await textChannel(tx, guildId, wanted.welcome_channel_id) : null,
      ),
      ...given('welcome_words', welcome_words),
      ...given('notify_type', wanted.notify_type),
      ...given('category', wanted.category),
    })
    const after = await settingsOf(tx, guildId)
    const changed = differing(await named(tx, before), await named(tx, after))
    const target = guildTarget(summary)
    if (changed) await writeAudit(tx, { guildId, by: userId, type: 'guild_updated', target, ...changed })
    return shown(after)
  })
}

/** Settings as the audit log says them: channels by their names. */
async function named(tx: Tx, { default_channel_id, welcome_channel_id, ...it }: SettingsRow) {
  const nameOf = async (id: ChannelId | null) => (id && (await findChannel(tx, id))?.name) ?? ''
  return {
    ...it,
    default_channel: await nameOf(default_channel_id),
    welcome_channel: await nameOf(welcome_channel_id),
  }
}

/** @throws Failure channel.unknown (none of the guild, or not of texts) */
async function textChannel(tx: Tx, guildId: GuildId, id: string | undefined): Promise<ChannelId | undefined> {
  if (id === undefined) return undefined
  const channel = /^\d+$/.test(id) ? await findChannel(tx, id as ChannelId) : null
  if (channel?.guild_id !== guildId || channel.type !== channelType.text) throw fail('channel.unknown')
  return channel.id
}

/** A field that is left out when nothing is given for it. */
const given = <Name extends keyof SettingsRow>(name: Name, value: SettingsRow[Name] | undefined) =>
  value === undefined ? {} : ({ [name]: value } as Pick<SettingsRow, Name>)

const shown = (row: SettingsRow): GuildSettings => ({
  ...row,
  category: guildCategory.parse(row.category),
  default_channel_id: row.default_channel_id ?? NO_CHANNEL,
  welcome_channel_id: row.welcome_channel_id ?? NO_CHANNEL,
})
