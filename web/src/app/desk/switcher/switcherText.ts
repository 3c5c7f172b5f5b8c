import { texts } from '@guildhall/wire/locale.ts'

/** Texts of the switcher. */
export const switcherText = texts({
  'zh-CN': {
    title: '快速跳转',
    hint: '频道、公会、好友或设置',
    found: '跳转到',
    loading: '加载中',
    empty: '输入名字或拼音',
    none: '没有找到',
    search: (words: string) => `搜索消息“${words}”`,
    chats: '私信',
    friends: '好友',
    discover: '发现',
  },
  en: {
    title: 'Go to',
    hint: 'A channel, guild, friend or setting',
    found: 'Destinations',
    loading: 'Loading',
    empty: 'Type a name',
    none: 'Nothing found',
    search: (words: string) => `Search messages for “${words}”`,
    chats: 'Messages',
    friends: 'Friends',
    discover: 'Discover',
  },
})
