import { texts } from '@guildhall/wire/locale.ts'

/** What is around the two documents, and where there is no page. */
export const text = texts({
  'zh-CN': {
    failed: '加载失败',
    notFound: '页面不存在',
    notFoundWhy: '链接可能已失效，或地址有误',
    home: '回到首页',
  },
  en: {
    failed: 'It could not be loaded',
    notFound: 'Page not found',
    notFoundWhy: 'The link may be old, or the address mistyped',
    home: 'Back to the start',
  },
})
