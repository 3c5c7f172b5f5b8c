import { texts } from '@guildhall/wire/locale.ts'

/** Texts that are stored with a guild, in the default locale. */
export const guildText = texts({
  'zh-CN': {
    /** The name of the role that every member of a new guild has. protocol.md §1.7. */
    everyoneRole: '@全体成员',
    /** The first channel of a new guild. */
    firstChannel: '综合',
    /** What the official account writes about a guild that is handed over. `address`: where one accepts. */
    offered: (guild: string, owner: string, address: string) =>
      `「${guild}」的会长 ${owner} 想把公会转让给你，7 天内有效：${address}`,
    accepted: (guild: string, receiver: string) => `${receiver} 已接受转让，现在是「${guild}」的会长`,
    refused: (guild: string, receiver: string) => `${receiver} 没有接受「${guild}」的转让`,
    withdrawn: (guild: string) => `「${guild}」的转让已取消`,
  },
  en: {
    everyoneRole: '@all members',
    firstChannel: 'general',
    offered: (guild: string, owner: string, address: string) =>
      `${owner} wants to hand the guild “${guild}” to you, for 7 days: ${address}`,
    accepted: (guild: string, receiver: string) => `${receiver} accepted and owns “${guild}” now`,
    refused: (guild: string, receiver: string) => `${receiver} did not take “${guild}”`,
    withdrawn: (guild: string) => `The transfer of “${guild}” was cancelled`,
  },
})
