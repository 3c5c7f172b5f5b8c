import { texts } from '@guildhall/wire/locale.ts'

/** Texts of a page inside of a native shell. */
export const text = texts({
  'zh-CN': {
    connecting: '正在连接 APP…',
    slow: 'APP 还没有回应，再等几秒就直接打开页面',
  },
  en: {
    connecting: 'Connecting to the app…',
    slow: 'The app has not answered yet. The page opens without it in a few seconds.',
  },
})
