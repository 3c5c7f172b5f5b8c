import { texts } from '@guildhall/wire/locale.ts'

/** Texts of the room screen and its list. */
export const text = texts({
  'zh-CN': {
    members: '成员列表',
    search: '搜索消息',
    messagesIn: (channel: string) => `#${channel} 的消息`,
    loadingOlder: '正在加载更早的消息',
    channelStart: (channel: string) => `欢迎来到 #${channel}`,
    channelStartWhy: '这里是频道的开头',
    emptyAndWritable: '还没有消息，来说第一句话吧',
    empty: '还没有消息',
    loadFailed: '消息加载失败',
    toLatest: '回到最新消息',
    newMessages: (n: number) => `${n > 99 ? '99+' : n} 条新消息`,
    newMessagesBelow: '以下为新消息',
    loadingNewer: '正在加载更新的消息',
    refused: '无法进入该频道：它不存在，或你没有查看权限',
    gone: '该频道已被删除，或你不再能查看它',
  },
  en: {
    members: 'Members',
    search: 'Search messages',
    messagesIn: (channel: string) => `Messages in #${channel}`,
    loadingOlder: 'Loading earlier messages',
    channelStart: (channel: string) => `Welcome to #${channel}`,
    channelStartWhy: 'This is where the channel begins',
    emptyAndWritable: 'No messages yet. Say the first word.',
    empty: 'No messages yet',
    loadFailed: 'Messages could not be loaded',
    toLatest: 'To the latest message',
    newMessages: (n: number) => (n === 1 ? '1 new message' : `${n > 99 ? '99+' : n} new messages`),
    newMessagesBelow: 'New messages',
    loadingNewer: 'Loading later messages',
    refused: 'You cannot enter this channel: it does not exist, or you may not view it',
    gone: 'This channel was deleted, or you may no longer view it',
  },
})
