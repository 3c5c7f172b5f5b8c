import { texts } from '@guildhall/wire/locale.ts'

/** Texts of the way up to the first unread message, which comes after the room. */
export const unreadText = texts({
  'zh-CN': {
    putAway: '不再提示',
    toFirstUnread: '跳到第一条未读消息',
  },
  en: {
    putAway: 'Dismiss',
    toFirstUnread: 'Go to the first unread message',
  },
})
