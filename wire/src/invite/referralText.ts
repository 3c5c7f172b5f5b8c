import { texts } from '../locale.ts'
import { siteName } from '../siteName.ts'

/** Texts of personal invites that the server writes too. */
export const referralText = texts({
  'zh-CN': {
    headline: (inviter: string) => `${inviter} 邀请你使用${siteName['zh-CN']}`,
    description: '和朋友，在同一个大厅里',
    withoutInvite: '不用邀请，直接注册',
  },
  en: {
    headline: (inviter: string) => `${inviter} invites you to use ${siteName.en}`,
    description: 'One hall for you and your friends',
    withoutInvite: 'Register without an invite',
  },
})
