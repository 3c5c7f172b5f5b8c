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
    having: ['图片', '视频', '文件', '语音', '链接', '卡片', '回应', '置顶'],
    being: ['置顶', '已编辑'],
    dates: ['今天', '昨天', '本周', '上周', '本月', '上个月', '今年'],
    me: '我',
    count: (n: string) => `${n} 条消息`,
    countOf: (n: string) => `${n} 个结果`,
    loading: '正在搜索',
    slow: '还在搜索，网络可能有点慢',
    loadingMore: '正在加载更多',
    failed: '搜索失败',
    retry: '重试',
    moreFailed: '没能加载更多',
    offline: '你现在离线',
    offlineWhy: '连上网络后会自动再试',
    tooMany: '搜索得太快了',
    tooManyWhy: '休息几秒再试',
    noMay: '这里不能搜索',
    noMayWhy: '你不再能查看这里，可以改为搜索全部',
    searchAll: '搜索全部',
    none: (q: string) => `没有找到“${q}”`,
    noneHere: '这里还没有',
    noneWhy: '少写几个字、换个说法，或去掉一个条件；也可以只写拼音',
    noneWider: '只找了这一处：换个说法，或搜索全部',
    start: '想找什么？',
    startWhy: '写几个字、一段“原话”或拼音；加上条件会更准',
    recent: '最近搜索',
    forget: (q: string) => `删除“${q}”`,
    forgetAll: '全部清除',
    end: '没有更多了',
    chatWith: (name: string) => `和 ${name} 的私信`,
    open: (name: string, when: string) => `打开 ${name} 的消息，${when}`,
    bot: '机器人',
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
    having: ['picture', 'video', 'file', 'voice', 'link', 'card', 'reaction', 'pin'],
    being: ['pinned', 'edited'],
    dates: ['today', 'yesterday', 'this-week', 'last-week', 'this-month', 'last-month', 'this-year'],
    me: 'me',
    count: (n: string) => (Number(n) === 1 ? '1 message' : `${n} messages`),
    countOf: (n: string) => (Number(n) === 1 ? '1 result' : `${n} results`),
    loading: 'Searching',
    slow: 'Still searching; the network may be slow',
    loadingMore: 'Loading more',
    failed: 'The search failed',
    retry: 'Try again',
    moreFailed: 'More could not be loaded',
    offline: 'You are offline',
    offlineWhy: 'The search goes on once the network is back',
    tooMany: 'That was a lot of searches',
    tooManyWhy: 'Wait a few seconds and try again',
    noMay: 'You cannot search here',
    noMayWhy: 'You may no longer view this; search everywhere instead',
    searchAll: 'Search everywhere',
    none: (q: string) => `Nothing found for “${q}”`,
    noneHere: 'Nothing here yet',
    noneWhy: 'Try fewer or other words, or take a filter away',
    noneWider: 'Only this one place was searched: try other words, or search everywhere',
    start: 'What are you looking for?',
    startWhy: 'Type a few words or an “exact phrase”; filters narrow it down',
    recent: 'Recent searches',
    forget: (q: string) => `Remove “${q}”`,
    forgetAll: 'Clear all',
    end: 'That is all',
    chatWith: (name: string) => `Private messages with ${name}`,
    open: (name: string, when: string) => `Open the message of ${name}, ${when}`,
    bot: 'Bot',
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
    all: '全部',
  },
  en: {
    channel: 'This channel',
    guild: 'This guild',
    chat: 'This conversation',
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

/** What an operator finds. */
export const operatorWhyText = texts({
  'zh-CN': {
    from: '某人发的',
    in: '某个频道里的',
    mentions: '提及某人的',
    has: '有图片、链接等的',
    is: '置顶或编辑过的',
    before: '某天以前的',
    after: '某天以后的',
    on: '某天、某周或某月的',
  },
  en: {
    from: 'sent by somebody',
    in: 'in a channel',
    mentions: 'mentioning somebody',
    has: 'with a picture, a link …',
    is: 'pinned or edited',
    before: 'before a day',
    after: 'after a day',
    on: 'of a day, week or month',
  },
})

/** Kinds of messages, where they have no text. */
export const contentText = texts({
  'zh-CN': {
    image: '[图片]',
    video: '[视频]',
    file: '[文件]',
    voice: '[语音]',
    card: '[卡片消息]',
    other: '[消息]',
  },
  en: {
    image: '[Picture]',
    video: '[Video]',
    file: '[File]',
    voice: '[Voice]',
    card: '[Card]',
    other: '[Message]',
  },
})
