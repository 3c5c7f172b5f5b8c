/** What a guild may look like: the checks of names, descriptions and pictures. commerce.md §5 "Profile". */
import { fail } from '@guildhall/wire/failure.ts'
import { isGuildName } from '@guildhall/wire/guild/ownGuild.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import {
  BANNER_CUT_MIN,
  BANNER_MIN,
  DESC_MAX,
  type GuildProfile,
  ICON_MIN,
  PICTURE_MAX_BYTES,
  PICTURE_MAX_MB,
} from '@guildhall/wire/profile/profile.ts'
import { addressOf, keepPicture, releaseAvatar } from '../asset/asset.ts'
import { requirePrivilege } from '../guild/guild.ts'
import type { Tx } from '../kit/database/db.ts'
import type { Screens } from '../kit/screening.ts'

/** What somebody wants to change; the fields that are left out stay. */
export type ProfileChange = { readonly [Field in keyof GuildProfile]?: GuildProfile[Field] | undefined }

/** Whose pictures may be shown, who judges them, and where they are. */
export interface PictureOf extends Screens {
  readonly userId: UserId
  readonly publicUrl: string
  /** That of the guild: it allows pictures that move. */
  readonly level: number
}

/**
 * The fields that differ from `now`, checked. Pictures are kept from now on.
 * @throws Failure profile.name_required, guild.name_wrong, profile.desc_required, profile.desc_too_long,
 *   asset.unknown, profile.icon_small, profile.icon_too_large, profile.banner_small,
 *   profile.banner_too_large, guild.level
 */
export async function changedProfile(
  tx: Tx,
  now: GuildProfile,
  wanted: ProfileChange,
  by: PictureOf,
): Promise<Partial<GuildProfile>> {
  const { name = now.name, desc = now.desc, icon = now.icon, banner = now.banner } = wanted
  if (name !== now.name) requireName(name)
  if (desc !== now.desc) requireDesc(desc)
  return {
    ...(name !== now.name && { name }),
    ...(desc !== now.desc && { desc }),
    ...(icon !== now.icon && { icon: await kept(tx, 'icon', icon, by) }),
    ...(banner !== now.banner && { banner: await kept(tx, 'banner', banner, by) }),
  }
}

function requireName(name: string): void {
  if (name === '') throw fail('profile.name_required')
  if (!isGuildName(name)) throw fail('guild.name_wrong')
}

function requireDesc(desc: string): void {
  if (desc === '') throw fail('profile.desc_required')
  if ([...desc].length > DESC_MAX) throw fail('profile.desc_too_long', { most: DESC_MAX })
}

const LEAST = { icon: ICON_MIN, banner: BANNER_CUT_MIN } as const
const SAID = { icon: ICON_MIN, banner: BANNER_MIN } as const

async function kept(tx: Tx, kind: 'icon' | 'banner', address: string, by: PictureOf): Promise<string> {
  if (address === '') return ''
  const { key, size, width, height, isMoving } = await keepPicture(tx, by, by.userId, address)
  if (size > PICTURE_MAX_BYTES) throw fail(`profile.${kind}_too_large`, { mb: PICTURE_MAX_MB })
  if (width < LEAST[kind].width || height < LEAST[kind].height)
    throw fail(`profile.${kind}_small`, { w: SAID[kind].width, h: SAID[kind].height })
  if (isMoving) requirePrivilege('guild_logo_gif', by.level)
  return addressOf(key, by.publicUrl)
}

/** The pictures of `before` that `after` does not show go within a day. */
export async function releasePictures(
  tx: Tx,
  before: Partial<GuildProfile>,
  ...after: readonly Partial<GuildProfile>[]
): Promise<void> {
  const shown = new Set(after.flatMap(({ icon, banner }) => [icon, banner]))
  for (const address of new Set([before.icon, before.banner]))
    if (address && !shown.has(address)) await releaseAvatar(tx, address)
}
