import { texts } from '@guildhall/wire/locale.ts'

/** Texts that the state of a room carries. */
export const text = texts({
  'zh-CN': {
    quotedDeleted: '原消息已删除',
  },
  en: {
    quotedDeleted: 'The original message was deleted',
  },
})
