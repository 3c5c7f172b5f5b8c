import { texts } from '@guildhall/wire/locale.ts'

/** Texts of the picture viewer. */
export const viewerText = texts({
  'zh-CN': {
    next: '下一张图片',
    previous: '上一张图片',
    reply: '回复',
    forward: '转发',
    show: '查看所在消息',
    copy: '复制图片',
    copied: '图片已复制',
    copyFailed: '复制失败',
    sentBy: (author: string, when: string) => `${author}，${when}`,
  },
  en: {
    next: 'Next picture',
    previous: 'Previous picture',
    reply: 'Reply',
    forward: 'Forward',
    show: 'Show the message',
    copy: 'Copy picture',
    copied: 'Picture copied',
    copyFailed: 'Could not copy',
    sentBy: (author: string, when: string) => `${author}, ${when}`,
  },
})
