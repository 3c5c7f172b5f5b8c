import { texts } from '@guildhall/wire/locale.ts'

/** Texts that only the page shows; those of the landing are in wire/src/invite/text.ts. */
export const text = texts({
  'zh-CN': {
    enter: '进入公会',
  },
  en: {
    enter: 'Open guild',
  },
})
