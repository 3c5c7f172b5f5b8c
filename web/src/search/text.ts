import { texts } from '@guildhall/wire/locale.ts'

/** Texts of the search. */
export const text = texts({
  'zh-CN': {
    title: '搜索',
    hint: '消息、图片、成员、频道',
    back: '返回',
    found: '搜索结果',
    clear: '清空',
    suggestions: '搜索条件',
    kinds: '搜索什么',
    scopes: '搜索范围',
    sorts: '排序',
    filters: '添加条件',
    start: '想找什么？',
    startWhy: '写几个字、一段“原话”或拼音；加上条件会更准',
    recent: '最近搜索',
    forget: (q: string) => `删除“${q}”`,
    forgetAll: '全部清除',
  },
  en: {
    title: 'Search',
    hint: 'Messages, people, channels',
    back: 'Back',
    found: 'Results',
    clear: 'Clear',
    suggestions: 'Search filters',
    kinds: 'What to search',
    scopes: 'Where to search',
    sorts: 'Order',
    filters: 'Add a filter',
    start: 'What are you looking for?',
    startWhy: 'Type a few words or an “exact phrase”; filters narrow it down',
    recent: 'Recent searches',
    forget: (q: string) => `Remove “${q}”`,
    forgetAll: 'Clear all',
  },
})

/** What is listed. */
export const kindText = texts({
  'zh-CN': {
    messages: '消息',
    pictures: '图片',
    videos: '视频',
    files: '文件',
    people: '成员',
    channels: '频道',
    guilds: '公会',
  },
  en: {
    messages: 'Messages',
    pictures: 'Pictures',
    videos: 'Videos',
    files: 'Files',
    people: 'People',
    channels: 'Channels',
    guilds: 'Guilds',
  },
})

/** Where is searched. */
export const scopeText = texts({
  'zh-CN': {
    channel: '此频道',
    guild: '此公会',
    chat: '此私信',
    chats: '全部私信',
    all: '全部',
  },
  en: {
    channel: 'This channel',
    guild: 'This guild',
    chat: 'This conversation',
    chats: 'All private chats',
    all: 'Everywhere',
  },
})

/** The orders. */
export const sortText = texts({
  'zh-CN': {
    time: '最新',
    fit: '最相关',
  },
  en: {
    time: 'Newest',
    fit: 'Best match',
  },
})

/** Labels of operators, which the server reads in both languages (`wire/src/search/query.ts`). */
export const operatorText = texts({
  'zh-CN': {
    from: '来自',
    in: '频道',
    mentions: '提及',
    has: '包含',
    is: '状态',
    before: '之前',
    after: '之后',
    on: '当天',
  },
  en: {
    from: 'from',
    in: 'in',
    mentions: 'mentions',
    has: 'has',
    is: 'is',
    before: 'before',
    after: 'after',
    on: 'on',
  },
})
