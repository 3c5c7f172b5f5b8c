import { texts } from '@guildhall/wire/locale.ts'

/** Of the list of private conversations. */
export const text = texts({
  'zh-CN': {
    title: '私信',
    product: '公会厅',
    failed: '加载失败',
    none: '还没有私信',
    noneWhy: '在成员名片或好友列表里点「发消息」，就能开始',
    friends: '去好友列表',
    unread: (n: number) => `${n > 99 ? '99+' : n} 条未读`,
    mine: (words: string) => `我：${words}`,
    isOnline: '在线',
    noMessage: '还没有消息',
    menuOf: (name: string) => `与 ${name} 的私信：更多操作`,
    hide: '从列表中移除',
    hideWhy: '消息不会删除，收到新消息时会再次出现',
  },
  en: {
    title: 'Private messages',
    product: 'Guildhall',
    failed: 'Could not load',
    none: 'No private messages yet',
    noneWhy: 'Tap “Message” on somebody’s card or in your friends to begin',
    friends: 'Open friends',
    unread: (n: number) => `${n > 99 ? '99+' : n} unread`,
    mine: (words: string) => `Me: ${words}`,
    isOnline: 'online',
    noMessage: 'No messages yet',
    menuOf: (name: string) => `Private messages with ${name}: more`,
    hide: 'Remove from the list',
    hideWhy: 'No message is deleted; a new one brings it back',
  },
})
