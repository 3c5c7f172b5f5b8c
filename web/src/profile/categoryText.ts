import type { GuildCategory } from '@guildhall/wire/guild/category.ts'
import { texts } from '@guildhall/wire/locale.ts'

/** What guilds are about. */
export const categoryText = texts({
  'zh-CN': {
    game: '游戏',
    music: '音乐',
    art: '绘画与创作',
    study: '学习',
    tech: '科技',
    sport: '运动',
    life: '生活',
    fans: '粉丝',
  } satisfies Record<GuildCategory, string>,
  en: {
    game: 'Games',
    music: 'Music',
    art: 'Art & making',
    study: 'Learning',
    tech: 'Technology',
    sport: 'Sport',
    life: 'Everyday life',
    fans: 'Fans',
  },
})
