/**
 * Levels of a guild: how many boost packs each needs, and what it brings. commerce.md §3 "Guild rights", §9.
 */
import { RIGHT_KEYS, rightAt } from '../guild/levelRights.ts'
import { type Locale, texts } from '../locale.ts'
import { type Out, z } from '../schema.ts'

/** Boost packs in use that each level needs, from level 0. */
export const LEVEL_BOOSTS: readonly number[] = [0, 3, 10, 20, 40, 80, 150]

/** What each right is called. */
export const rightTexts = texts({
  'zh-CN': {
    max_members: '成员上限',
    max_upload_size: '上传文件大小',
    max_voice_quality: '语音质量',
    emoji: '公会表情数量',
    emoji_gif: '动态公会表情',
    max_role_num: '角色数量',
    guild_logo_gif: '动态公会图标',
    guild_banner: '公会横幅',
    restore_delete_guild: '30 天内恢复已删除的公会',
    gradient_color: '渐变色角色',
    guild_gradient: '公会渐变色',
    voice_perf: '语音性能优化',
    vnga: '高级降噪',
    custom_id: '自定义公会 ID',
  },
  en: {
    max_members: 'Members',
    max_upload_size: 'Size of uploads',
    max_voice_quality: 'Voice quality',
    emoji: 'Guild emoji',
    emoji_gif: 'Animated guild emoji',
    max_role_num: 'Roles',
    guild_logo_gif: 'Animated guild icon',
    guild_banner: 'Guild banner',
    restore_delete_guild: 'Restore a deleted guild within 30 days',
    gradient_color: 'Roles with a gradient',
    guild_gradient: 'Guild gradient',
    voice_perf: 'Better voice performance',
    vnga: 'Advanced noise reduction',
    custom_id: 'Custom guild ID',
  },
})

/** The threshold of one level. */
export const guildRights = z.object({ level: z.int(), boost_num: z.int() })
export type GuildRights = Out<typeof guildRights>

/** One level as a page shows it: what it needs and what it brings. */
export const guildRightsView = z.object({
  level: z.object({ value: z.int() }),
  boost_num: z.object({ value: z.int() }),
  rights: z.array(z.object({ key: z.string(), value: z.union([z.number(), z.boolean()]), name: z.string() })),
})
export type GuildRightsView = Out<typeof guildRightsView>

/** The thresholds of all levels above 0. */
export const allGuildRights = (): GuildRights[] =>
  LEVEL_BOOSTS.map((boost_num, level) => ({ level, boost_num })).slice(1)

/** All levels above 0 with the rights that each has. */
export const allGuildRightsView = (locale: Locale): GuildRightsView[] =>
  allGuildRights().map(({ level, boost_num }) => ({
    level: { value: level },
    boost_num: { value: boost_num },
    rights: RIGHT_KEYS.map((key) => ({
      key,
      value: rightAt(key, level),
      name: rightTexts[locale][key],
    })).filter(({ value }) => value !== false),
  }))
