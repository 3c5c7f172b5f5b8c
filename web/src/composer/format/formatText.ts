import { texts } from '@guildhall/wire/locale.ts'

/** Texts of the bar that formats what is written, and of its preview. */
export const formatText = texts({
  'zh-CN': {
    formats: '文字格式',
    bold: '加粗',
    italic: '斜体',
    strike: '删除线',
    spoiler: '剧透',
    link: '链接',
    quote: '引用',
    code: '代码',
    preview: '预览',
  },
  en: {
    formats: 'Formatting',
    bold: 'Bold',
    italic: 'Italic',
    strike: 'Strikethrough',
    spoiler: 'Spoiler',
    link: 'Link',
    quote: 'Quote',
    code: 'Code',
    preview: 'Preview',
  },
})
