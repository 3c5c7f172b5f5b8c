import { texts } from '@guildhall/wire/locale.ts'

/** What chat apps show of an invite, and the page does not. */
export const text = texts({
  'zh-CN': {
    description: (inviter: string, guild: string) => `${inviter} 邀请你加入「${guild}」`,
  },
  en: {
    description: (inviter: string, guild: string) => `${inviter} invites you to join ${guild}`,
  },
})
