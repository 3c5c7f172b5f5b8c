import { texts } from '@guildhall/wire/locale.ts'

/** Texts of the search in a room. */
export const findText = texts({
  'zh-CN': {
    hint: '搜索这里的消息',
    at: (n: number, of: string) => `${n} / ${of}`,
    none: '无结果',
    loading: '搜索中',
    failed: '失败',
    older: '上一条结果',
    newer: '下一条结果',
    all: '在搜索页查看全部结果',
    close: '关闭搜索',
  },
  en: {
    hint: 'Search messages here',
    at: (n: number, of: string) => `${n} / ${of}`,
    none: 'No results',
    loading: 'Searching',
    failed: 'Failed',
    older: 'Earlier result',
    newer: 'Later result',
    all: 'All results on the search page',
    close: 'Close search',
  },
})
