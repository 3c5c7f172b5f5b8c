import { texts } from '@guildhall/wire/locale.ts'

/** The entry in menus; apart, so that no first screen loads it. */
export const reportText = texts({
  'zh-CN': { report: '举报' },
  en: { report: 'Report' },
})
