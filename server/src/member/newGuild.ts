/** A person's new guild. chat.md §1. */
import { channelType } from '@guildhall/wire/channel/channel.ts'
import { fail } from '@guildhall/wire/failure.ts'
import type { GuildSummary } from '@guildhall/wire/guild/guild.ts'
import { GUILDS_OWNED_MAX, type GuildTemplate, isGuildName } from '@guildhall/wire/guild/ownGuild.ts'
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import { defaultLocale, type Locale } from '@guildhall/wire/locale.ts'
import { HOUR_MS } from '@guildhall/wire/unit.ts'
import { addressOf, keepAvatar } from '../asset/asset.ts'
import { createChannel } from '../channel/channel.ts'
import {
  addGuild,
  countOwned,
  guildText,
  listGuilds,
  type NewGuild,
  requirePrivilege,
  setWelcomeChannel,
} from '../guild/guild.ts'
import type { Tx } from '../kit/database/db.ts'
import { type AppContext, commit, type Emit } from '../kit/events/events.ts'
import { type RateLimit, useAttempt } from '../kit/limits/rateLimitDatabase.ts'
import { requireAllowed } from '../kit/screening.ts'
import { beginChecklist } from '../onboarding/onboarding.ts'
import { addEveryone } from '../role/role.ts'
import { countsAsVerified, lockUser } from '../user/user.ts'
import { join } from './membership.ts'
import { applyTemplate, templates } from './template/template.ts'

/** Creates a guild with the everyone role and its owner as the first member. It has no channels yet. */
export async function createGuild(tx: Tx, emit: Emit, guild: NewGuild): Promise<GuildId> {
  const id = await addGuild(tx, guild)
  await addEveryone(tx, id)
  await join(tx, emit, id, guild.ownerId)
  return id
}

const CREATED_PER_PERSON: RateLimit = { name: 'guilds created by person', most: 5, windowMs: HOUR_MS }

/**
 * Creates a guild that the person owns, with one text channel, which welcomes newcomers too, or with what a
 * template has, in the person's language.
 * @throws Failure guild.name_wrong, guild.unverified, guild.owns_too_many, too_many, asset.unknown,
 *   asset.too_large, guild.level (an icon that moves), content.refused
 */
export async function openGuild(
  appContext: AppContext,
  userId: UserId,
  input: {
    readonly name: string
    readonly icon: string
    readonly template?: GuildTemplate | undefined
    readonly locale: Locale
  },
): Promise<GuildSummary> {
  const { name } = input
  if (!isGuildName(name)) throw fail('guild.name_wrong')
  await requireAllowed(appContext, { target: 'guild', userId, texts: [name] })
  const id = await commit(appContext, async (tx, emit) => {
    // The lock makes two of the person's calls at once count one after the other.
    const owner = await lockUser(tx, userId)
    if (!countsAsVerified(owner, appContext)) throw fail('guild.unverified')
    if ((await countOwned(tx, userId)) >= GUILDS_OWNED_MAX)
      throw fail('guild.owns_too_many', { n: GUILDS_OWNED_MAX })
    await useAttempt(tx, CREATED_PER_PERSON, userId)
    const icon = await iconOf(tx, appContext, userId, input.icon)
    const guildId = await createGuild(tx, emit, { name, icon, ownerId: userId })
    await beginChecklist(tx, guildId)
    const { template, locale } = input
    const channelId = template
      ? await applyTemplate(tx, emit, guildId, { template: templates[template], locale })
      : await createChannel(tx, emit, {
          guildId,
          name: guildText[defaultLocale].firstChannel,
          type: channelType.text,
        })
    await setWelcomeChannel(tx, emit, guildId, channelId)
    return guildId
  })
  const created = (await listGuilds(appContext.db, userId)).find((guild) => guild.id === id)
  if (!created) throw new Error(`guild ${id} was created and is gone`)
  return created
}

/** @throws Failure asset.unknown, asset.too_large, guild.level */
async function iconOf(
  tx: Tx,
  appContext: Pick<AppContext, 'publicUrl' | 'screening'>,
  userId: UserId,
  given: string,
): Promise<string> {
  if (given === '') return ''
  const { key, isMoving } = await keepAvatar(tx, appContext, userId, given)
  if (isMoving) requirePrivilege('guild_logo_gif', 0)
  return addressOf(key, appContext.publicUrl)
}
