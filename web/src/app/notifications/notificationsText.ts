import { texts } from '@guildhall/wire/locale.ts'

/** What a notification says that shows nothing of the message. */
export const text = texts({
  'zh-CN': { newMessage: '有新消息' },
  en: { newMessage: 'New message' },
})
