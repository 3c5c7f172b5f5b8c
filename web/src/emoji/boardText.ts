import { texts } from '@guildhall/wire/locale.ts'

/** Texts of the picker until it is loaded; in a file of their own, because rooms load them first. */
export const boardText = texts({
  'zh-CN': { loading: '正在加载表情', failed: '表情加载失败' },
  en: { loading: 'Loading emoji', failed: 'Emoji could not be loaded' },
})
