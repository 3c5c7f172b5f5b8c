/** What a guild's level brings. commerce.md §3 "Rights keys", §9 "Guild right displays". */
import { UPLOAD_MAX_BYTES } from '../asset/asset.ts'

export const RIGHT_KEYS = [
  'max_members',
  'max_upload_size',
  'max_voice_quality',
  'emoji',
  'emoji_gif',
  'max_role_num',
  'guild_logo_gif',
  'guild_banner',
  'restore_delete_guild',
  'gradient_color',
  'guild_gradient',
  'voice_perf',
  'vnga',
  'custom_id',
] as const
export type RightKey = (typeof RIGHT_KEYS)[number]

/** The highest level of a guild. */
export const LEVEL_MAX = 6

/** What a right that is a number is worth at each level, from level 0, in the unit of its key. */
const AMOUNTS = {
  max_members: [10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000],
  /** MB */
  max_upload_size: UPLOAD_MAX_BYTES.map((bytes) => bytes / 1024 / 1024),
  /** kbps */
  max_voice_quality: [96, 128, 128, 192, 256, 320, 320],
  emoji: [100, 150, 200, 250, 300, 400, 500],
  max_role_num: [100, 120, 150, 200, 250, 300, 400],
} as const satisfies Partial<Record<RightKey, readonly number[]>>
export type AmountKey = keyof typeof AMOUNTS

/** The first level that has a right which is there or not. */
const FIRST_LEVELS = {
  emoji_gif: 1,
  guild_logo_gif: 2,
  guild_banner: 2,
  restore_delete_guild: 3,
  gradient_color: 4,
  guild_gradient: 4,
  custom_id: 5,
  voice_perf: 5,
  vnga: 5,
} as const satisfies Record<Exclude<RightKey, AmountKey>, number>
export type PrivilegeKey = keyof typeof FIRST_LEVELS

const isAmount = (key: RightKey): key is AmountKey => key in AMOUNTS
const known = (level: number): number => Math.min(Math.max(level, 0), LEVEL_MAX)

/** How much of a right a level has, in the unit of its key; below level 0 and above the last as at those. */
export const amountAt = (key: AmountKey, level: number): number => AMOUNTS[key][known(level)] ?? 0

/** Whether a level has a right that is there or not. */
export const hasRight = (key: PrivilegeKey, level: number): boolean => level >= FIRST_LEVELS[key]

/** The first level that has a right. */
export const firstLevelOf = (key: PrivilegeKey): number => FIRST_LEVELS[key]

/** The first level that has so much of a right; the highest when none has. */
export function firstLevelWith(key: AmountKey, wanted: number): number {
  const found = AMOUNTS[key].findIndex((amount) => amount >= wanted)
  return found === -1 ? LEVEL_MAX : found
}

/** The value of any right at a level. */
export const rightAt = (key: RightKey, level: number): number | boolean =>
  isAmount(key) ? amountAt(key, level) : hasRight(key, level)

/** All rights of a level by their keys, as the views of a guild show them. */
export const rightsAt = (level: number): Record<string, number | boolean> =>
  Object.fromEntries(RIGHT_KEYS.map((key) => [key, rightAt(key, level)]))
