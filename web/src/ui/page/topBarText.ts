import { texts } from '@guildhall/wire/locale.ts'

/** Texts of the top bar, which the invite does not have. */
export const topBarText = texts({
  'zh-CN': { back: '返回' },
  en: { back: 'Back' },
})
