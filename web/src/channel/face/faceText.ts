import { texts } from '@guildhall/wire/locale.ts'

/** Texts of a guild's face above its channels. */
export const faceText = texts({
  'zh-CN': {
    members: '成员列表',
    online: (n: number) => `${n} 人在线`,
    search: '搜索',
    invite: '邀请',
    level: (n: number) => `${n} 级`,
    boost: '助力公会',
    highest: '最高等级',
  },
  en: {
    members: 'Members',
    online: (n: number) => `${n} online`,
    search: 'Search',
    invite: 'Invite',
    level: (n: number) => `Level ${n}`,
    boost: 'Boost guild',
    highest: 'Highest level',
  },
})
