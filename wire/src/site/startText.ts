import { counted, type Locale, texts } from '../locale.ts'
import { siteName } from '../siteName.ts'

/** Texts of the start page, which the server and the page both draw (`startPage.ts`). */
export const startText = texts({
  'zh-CN': {
    get product() {
      return siteName['zh-CN']
    },
    slogan: '和朋友，在同一个大厅里',
    about: '加入公会，进频道聊天。一条邀请链接，就能把朋友叫来。',
    login: '登录',
    register: '注册',
    get enter() {
      return `进入${siteName['zh-CN']}`
    },
    terms: '用户协议',
    privacy: '隐私政策',
    licenses: '开源许可',
    ended: '登录已失效，请重新登录',
    language: 'English',
    guilds: '正在这里聊天的公会',
    online: (n: number) => `${n} 人在线`,
    members: (n: number) => `${n} 位成员`,
    picture: '一个公会的样子：左边是频道，右边是大家的聊天',
  },
  en: {
    get product() {
      return siteName.en
    },
    slogan: 'One hall for you and your friends',
    about: 'Join a guild, step into a channel, talk. One invite link brings everybody along.',
    login: 'Log in',
    register: 'Register',
    get enter() {
      return `Enter ${siteName.en}`
    },
    terms: 'Terms of service',
    privacy: 'Privacy policy',
    licenses: 'Licences',
    ended: 'Your session has ended. Please log in again.',
    language: '中文',
    guilds: 'Guilds that talk here',
    online: (n: number) => `${n} online`,
    members: (n: number) => counted(n, 'member'),
    picture: 'What a guild looks like: channels at the left, everybody’s messages at the right',
  },
})

/** What the picture of the product shows: a guild that nobody has. */
export const pictured = {
  'zh-CN': {
    guild: '深夜电台',
    channels: ['闲聊', '夜宵', '点歌', '晚安'],
    messages: [
      ['小满', '今晚八点，老地方见', '🔥 6'],
      ['阿遥', '带上耳机，新歌刚上', '🎧 3'],
      ['北岛', '来了来了，点心我带', ''],
      ['安然', '我先点一首热场', ''],
    ],
    composer: '发消息到 #夜宵',
  },
  en: {
    guild: 'Night FM',
    channels: ['lounge', 'supper', 'songs', 'late'],
    messages: [
      ['Mina', 'Eight, usual place', '🔥 6'],
      ['Yao', 'New songs are up', '🎧 3'],
      ['Nils', 'On my way', ''],
      ['Ann', 'First song is mine', ''],
    ],
    composer: 'Message #supper',
  },
} as const satisfies Record<Locale, object>

export type StartText = (typeof startText)[Locale]
