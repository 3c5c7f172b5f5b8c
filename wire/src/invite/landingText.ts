import { counted, type Locale, texts } from '../locale.ts'

/** Texts of the landing page, which the server and the page both draw (landing.ts). */
export const landingText = texts({
  'zh-CN': {
    product: '公会厅',
    invites: '邀请你加入',
    online: (n: number) => `${n} 人在线`,
    members: (n: number) => `${n} 位成员`,
    accept: '接受邀请',
    invalid: '邀请无效',
    invalidWhy: '该邀请可能已过期或已被关闭',
    title: (guild: string) => `加入「${guild}」`,
    description: (inviter: string, guild: string) => `${inviter} 邀请你加入「${guild}」`,
    notice: '请理性发言，文明交流',
    loading: '加载中',
    home: '前往公会厅',
  },
  en: {
    product: 'Guildhall',
    invites: 'invites you to join',
    online: (n: number) => `${n} online`,
    members: (n: number) => counted(n, 'member'),
    accept: 'Accept invitation',
    invalid: 'Invite invalid',
    invalidWhy: 'The invite may have expired or been closed',
    title: (guild: string) => `Join ${guild}`,
    description: (inviter: string, guild: string) => `${inviter} invites you to join ${guild}`,
    notice: 'Be kind to one another',
    loading: 'Loading',
    home: 'Go to Guildhall',
  },
})

export type LandingText = (typeof landingText)[Locale]
