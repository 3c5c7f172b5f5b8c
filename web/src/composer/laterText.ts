import { counted, texts } from '@guildhall/wire/locale.ts'

/**
 * Texts of what is loaded later: the picker of names, the field that edits, files that are dropped, and slow
 * mode.
 */
export const laterText = texts({
  'zh-CN': {
    editTitle: '编辑消息',
    save: '保存',
    dropHere: '松开即可添加',
    mentionPeople: '可提及的成员和身份组',
    mentionChannels: '可提及的频道',
    emojiByName: '可插入的表情',
    mentionNotFound: '没有找到',
    mentionFound: (n: number) => `${n} 个结果`,
    mentionFailed: '搜索失败',
    mentionRole: '身份组',
    notifiesEveryone: '通知所有人',
    notifiesOnline: '通知在线的人',
    cannotViewChannel: '看不到该频道',
    slowMode: (time: string) => `慢速模式：每 ${time} 可以发送一条消息`,
    slowWait: (time: string) => `慢速模式：还要等 ${time}，现在发送的消息会排队`,
  },
  en: {
    editTitle: 'Edit message',
    save: 'Save',
    dropHere: 'Drop to add',
    mentionPeople: 'Members and roles to mention',
    mentionChannels: 'Channels to mention',
    emojiByName: 'Emoji to insert',
    mentionNotFound: 'Nothing found',
    mentionFound: (n: number) => counted(n, 'result'),
    mentionFailed: 'The search failed',
    mentionRole: 'Role',
    notifiesEveryone: 'Notifies everyone',
    notifiesOnline: 'Notifies who is online',
    cannotViewChannel: 'Cannot view this channel',
    slowMode: (time: string) => `Slow mode: one message every ${time}`,
    slowWait: (time: string) => `Slow mode: ${time} left; what you send now waits its turn`,
  },
})
