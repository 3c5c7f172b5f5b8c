import { texts } from '../locale.ts'

/** Texts of personal invites that the server writes too. */
export const referralText = texts({
  'zh-CN': {
    headline: (inviter: string) => `${inviter} 邀请你使用公会厅`,
    description: '和朋友，在同一个大厅里',
  },
  en: {
    headline: (inviter: string) => `${inviter} invites you to use Guildhall`,
    description: 'One hall for you and your friends',
  },
})
