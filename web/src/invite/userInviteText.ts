import { texts } from '@guildhall/wire/locale.ts'
import { siteName } from '@guildhall/wire/siteName.ts'

/** Texts of the personal invite. */
export const text = texts({
  'zh-CN': {
    why: '新手机号验证后会自动注册',
    accept: '接受邀请',
    success: '邀请成功',
    accepted: (inviter: string) => `你已成功接受 ${inviter} 的邀请，祝你玩得开心`,
    download: '下载 APP',
    loggedIn: '你已登录。邀请只用于新用户注册',
    get enter() {
      return `进入${siteName['zh-CN']}`
    },
  },
  en: {
    why: 'A new number becomes an account once verified',
    accept: 'Accept invitation',
    success: 'Invite successful',
    accepted: (inviter: string) =>
      `You have successfully accepted ${inviter}'s invitation, hope you have fun`,
    download: 'Download APP',
    loggedIn: 'You are logged in. Invites are for new accounts',
    get enter() {
      return `Open ${siteName.en}`
    },
  },
})
