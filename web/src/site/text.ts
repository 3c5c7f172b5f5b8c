import { texts } from '@guildhall/wire/locale.ts'
import { siteName } from '@guildhall/wire/siteName.ts'

/** The landing page, and what is around the two documents. */
export const text = texts({
  'zh-CN': {
    slogan: '和朋友，在同一个大厅里',
    about: '加入公会，进频道聊天。一条邀请链接，就能把朋友叫来。',
    login: '登录',
    get enter() {
      return `进入${siteName['zh-CN']}`
    },
    ended: '登录已失效，请重新登录',
    terms: '用户协议',
    privacy: '隐私政策',
    licenses: '开源许可',
    failed: '加载失败',
    notFound: '页面不存在',
    notFoundWhy: '链接可能已失效，或地址有误',
    home: '回到首页',
    language: 'English',
  },
  en: {
    slogan: 'One hall for you and your friends',
    about: 'Join a guild, step into a channel, talk. One invite link brings everybody along.',
    login: 'Log in',
    get enter() {
      return `Enter ${siteName.en}`
    },
    ended: 'Your session has ended. Please log in again.',
    terms: 'Terms of service',
    privacy: 'Privacy policy',
    licenses: 'Licences',
    failed: 'It could not be loaded',
    notFound: 'Page not found',
    notFoundWhy: 'The link may be old, or the address mistyped',
    home: 'Back to the start',
    language: '中文',
  },
})
