/**
 * How a guild looks to others: its name, icon, description and banner. commerce.md §4 "Profile form", §5
 * "Profile".
 */

import { event } from '../event.ts'
import { recommendInfo } from '../guild/recommend.ts'
import { guildId } from '../id.ts'
import { route } from '../route.ts'
import { nothing, type Out, text, z } from '../schema.ts'
import { type Bytes, MB } from '../unit.ts'
import { readName, readWords } from '../words.ts'

/** The largest file of an icon or a banner, MB. */
export const PICTURE_MAX_MB = 5
export const PICTURE_MAX_BYTES: Bytes = PICTURE_MAX_MB * MB
/** Media types of icons and banners that are picked. */
export const PICTURE_TYPES: readonly string[] = ['image/png', 'image/jpeg', 'image/gif']
/** The smallest picked picture, px. */
export const ICON_MIN = { width: 128, height: 128 } as const
export const BANNER_MIN = { width: 1024, height: 600 } as const
/** Width by height of a banner. */
export const BANNER_RATIO = 16 / 9
/** The smallest banner once it is cropped, px. */
export const BANNER_CUT_MIN = { width: 1024, height: 576 } as const
/** Characters of a description. */
export const DESC_MAX = 200

const picture = z.optional(text(500))
/**
 * The fields that change. `icon`, `banner`: the address of an uploaded picture of the caller's; an empty icon
 * takes it away.
 */
const changes = {
  name: z.optional(text(200, 0, readName)),
  icon: picture,
  desc: z.optional(text(2_000, 0, readWords)),
  banner: picture,
}

const fails = [
  'asset.unknown',
  'content.refused',
  'content.reserved',
  'forbidden',
  'guild.level',
  'guild.name_wrong',
  'member.no_right',
  'profile.banner_small',
  'profile.banner_too_large',
  'profile.desc_required',
  'profile.desc_too_long',
  'profile.icon_small',
  'profile.icon_too_large',
  'profile.name_required',
] as const

/** How a guild looks. */
export const guildProfile = z.object({
  name: z.string(),
  icon: z.string(),
  desc: z.string(),
  banner: z.string(),
})
export type GuildProfile = Out<typeof guildProfile>

/**
 * Changes how a guild looks, at once. For members who may manage it. A recommended guild is changed by
 * `updateRecommended`.
 */
export const updateGuild = route({
  method: 'PATCH',
  path: '/api/v2/guilds/:id',
  dialect: 'v2',
  who: 'user',
  input: z.object({ id: guildId, ...changes }),
  answer: guildProfile,
  fails: [...fails, 'profile.needs_review'],
})

/** Takes the banner of a guild away. A recommended guild keeps its own. */
export const deleteBanner = route({
  method: 'POST',
  path: '/api/v3/guild/del-banner',
  dialect: 'v3',
  who: 'user',
  input: z.object({ guild_id: guildId }),
  answer: nothing,
  fails: ['forbidden', 'member.no_right', 'profile.needs_review'],
})

/** How the last change of a recommended guild stands. For its members. */
export const viewRecommended = route({
  method: 'GET',
  path: '/api/v2/guild-recommends/:id',
  dialect: 'v2',
  who: 'user',
  input: z.object({ id: guildId }),
  answer: recommendInfo,
  fails: ['forbidden', 'profile.not_recommended'],
})

/**
 * How a recommended guild looks with its last change, also when that waits or was rejected. For members who
 * may manage it.
 */
export const viewUpdate = route({
  method: 'GET',
  path: '/api/v3/guild-recommend/update-view',
  dialect: 'v3',
  who: 'user',
  input: z.object({ guild_id: guildId }),
  answer: guildProfile,
  fails: ['forbidden', 'member.no_right', 'profile.not_recommended'],
})

/**
 * Hands a change of a recommended guild in. It waits for staff; the guild stays as it is meanwhile. After a
 * rejection the fields that are left out are those of the rejected change.
 */
export const updateRecommended = route({
  method: 'POST',
  path: '/api/v3/guild-recommend/update',
  dialect: 'v3',
  who: 'user',
  input: z.object({ guild_id: guildId, ...changes }),
  answer: nothing,
  fails: [...fails, 'profile.locked', 'profile.not_recommended', 'profile.unchanged', 'profile.waits'],
})

/** Staff decided on a change of a guild; its owner and who wanted the change are told. Ours. */
export const guildReviewed = event(
  'reviewed_guild',
  'person',
  z.object({ guild_id: guildId, name: z.string(), audit_status: z.number(), reason: z.string() }),
  { access: 'none' },
)
