import { texts } from '@guildhall/wire/locale.ts'

export const shownText = texts({
  'zh-CN': { none: '未设置', gone: '文件已不存在' },
  en: { none: 'Not set', gone: 'The file is gone' },
})
