import { texts } from '@guildhall/wire/locale.ts'

/** Beside the accept button that opens the app. */
export const text = texts({
  'zh-CN': { onWeb: '不打开 APP，在网页中加入' },
  en: { onWeb: 'Join on the web instead' },
})
