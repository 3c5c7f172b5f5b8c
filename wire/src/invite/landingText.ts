import { counted, type Locale, texts } from '../locale.ts'
import { siteName } from '../siteName.ts'

/** Texts of the landing page, which the server and the page both draw (landing.ts). */
export const landingText = texts({
  'zh-CN': {
    get product() {
      return siteName['zh-CN']
    },
    invites: '邀请你加入',
    online: (n: number) => `${n} 人在线`,
    members: (n: number) => `${n} 位成员`,
    accept: '接受邀请',
    enter: '进入公会',
    invalid: '邀请无效',
    invalidWhy: '该邀请可能已过期或已被关闭',
    title: (guild: string) => `加入「${guild}」`,
    notice: '请理性发言，文明交流',
    loading: '加载中',
    home: (product: string) => `前往${product}`,
  },
  en: {
    get product() {
      return siteName.en
    },
    invites: 'invites you to join',
    online: (n: number) => `${n} online`,
    members: (n: number) => counted(n, 'member'),
    accept: 'Accept invitation',
    enter: 'Open guild',
    invalid: 'Invite invalid',
    invalidWhy: 'The invite may have expired or been closed',
    title: (guild: string) => `Join ${guild}`,
    notice: 'Be kind to one another',
    loading: 'Loading',
    home: (product: string) => `Go to ${product}`,
  },
})

export type LandingText = (typeof landingText)[Locale]
