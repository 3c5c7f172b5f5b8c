import { texts } from '@guildhall/wire/locale.ts'

/** Texts of what completes a query. */
export const suggestText = texts({
  'zh-CN': {
    having: ['图片', '视频', '文件', '语音', '链接', '卡片', '回应', '置顶'],
    being: ['置顶', '已编辑'],
    dates: ['今天', '昨天', '本周', '上周', '本月', '上个月', '今年'],
    me: '我',
    chats: '私信',
    chatsWhy: '全部私信',
  },
  en: {
    having: ['picture', 'video', 'file', 'voice', 'link', 'card', 'reaction', 'pin'],
    being: ['pinned', 'edited'],
    dates: ['today', 'yesterday', 'this-week', 'last-week', 'this-month', 'last-month', 'this-year'],
    me: 'me',
    chats: 'chats',
    chatsWhy: 'all private chats',
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
