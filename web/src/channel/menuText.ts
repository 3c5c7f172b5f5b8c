import { texts } from '@guildhall/wire/locale.ts'

/** Texts of the user's menu that the channels do not load. */
export const menuText = texts({
  'zh-CN': { bill: '账单' },
  en: { bill: 'Bill' },
})
