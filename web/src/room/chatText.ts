import { texts } from '@guildhall/wire/locale.ts'

/** Of the room of a private conversation. */
export const chatText = texts({
  'zh-CN': {
    placeholder: (name: string) => `发消息给 ${name}`,
    blocked: '你已屏蔽对方，解除屏蔽后才能发消息',
    refused: '暂时不能给对方发消息',
    goneTitle: '打不开这个私信',
    goneWhy: '它可能不存在，或你们没有共同的公会，也不是好友',
    toChats: '回到私信列表',
    start: (name: string) => `你和 ${name} 的私信`,
    startWhy: '这里的消息只有你们两人能看到',
    person: '查看名片',
    isOnline: '在线',
  },
  en: {
    placeholder: (name: string) => `Message ${name}`,
    blocked: 'You block this person; unblock them to write',
    refused: 'You cannot write to this person at the moment',
    goneTitle: 'This conversation cannot be opened',
    goneWhy: 'It may not exist, or you share no guild and are no friends',
    toChats: 'Back to private messages',
    start: (name: string) => `Private messages with ${name}`,
    startWhy: 'Only the two of you see them',
    person: 'Show card',
    isOnline: 'online',
  },
})
