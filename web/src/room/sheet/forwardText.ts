import { counted, texts } from '@guildhall/wire/locale.ts'

/** Of the sheet that forwards a message. */
export const forwardText = texts({
  'zh-CN': {
    title: '转发给',
    people: '私信',
    channels: '频道',
    guilds: '公会',
    none: '这里没有可以发送消息的频道',
    done: (name: string) => `已转发给 ${name}`,
    notForwarded: (n: number) => `还有 ${n} 条没有转发`,
  },
  en: {
    title: 'Forward to',
    people: 'Private messages',
    channels: 'Channels',
    guilds: 'Guilds',
    none: 'There is no channel here that you may write in',
    done: (name: string) => `Forwarded to ${name}`,
    notForwarded: (n: number) => `${counted(n, 'message was', 'messages were')} not forwarded`,
  },
})
