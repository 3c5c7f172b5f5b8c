import { texts } from '@guildhall/wire/locale.ts'

/** Texts of KMarkdown: spoilers and code blocks. */
export const text = texts({
  'zh-CN': {
    showHidden: '显示隐藏内容',
    copied: '已复制',
    copyFailed: '复制失败',
    copyCode: '复制代码',
    code: '代码',
    codeIn: (lang: string) => `${lang} 代码`,
  },
  en: {
    showHidden: 'Show hidden words',
    copied: 'Copied',
    copyFailed: 'Could not be copied',
    copyCode: 'Copy code',
    code: 'Code',
    codeIn: (lang: string) => `Code in ${lang}`,
  },
})
