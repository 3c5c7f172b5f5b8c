import { counted, texts } from '@guildhall/wire/locale.ts'

/** Of the sheet that forwards a message. */
export const forwardText = texts({
  'zh-CN': {
    title: '转发给',
    search: '搜索',
    searchHint: '人或频道的名字或拼音',
    found: '找到的人和频道',
    noMatch: '没有找到这个人或频道',
    recent: '最近',
    other: '换一个',
    words: '附一句话（可不填）',
    send: (n: number) => (n === 1 ? '发送' : `发送 ${n} 条消息`),
    channels: '频道',
    guilds: '公会',
    none: '这里没有可以发送消息的频道',
    done: (name: string) => `已转发给 ${name}`,
    notForwarded: (n: number) => `还有 ${n} 条没有转发`,
  },
  en: {
    title: 'Forward to',
    search: 'Search',
    searchHint: 'A person or a channel',
    found: 'People and channels',
    noMatch: 'No person or channel has this name',
    recent: 'Recent',
    other: 'Change',
    words: 'Add a word (optional)',
    send: (n: number) => (n === 1 ? 'Send' : `Send ${n} messages`),
    channels: 'Channels',
    guilds: 'Guilds',
    none: 'There is no channel here that you may write in',
    done: (name: string) => `Forwarded to ${name}`,
    notForwarded: (n: number) => `${counted(n, 'message was', 'messages were')} not forwarded`,
  },
})
