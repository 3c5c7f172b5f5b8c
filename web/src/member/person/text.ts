import { counted, texts } from '@guildhall/wire/locale.ts'

/** Of what the card of a person says besides who they are. */
export const text = texts({
  'zh-CN': {
    buff: 'BUFF 会员',
    buffSince: (at: Date) => `BUFF 会员 · ${at.getFullYear()}年${at.getMonth() + 1}月起`,
    note: '我的备注',
    noteNone: '添加备注，仅自己可见',
    noteOf: (name: string) => `给 ${name} 的备注`,
    noteWhy: '只有你能看到，会同步到你的所有设备',
    save: '保存',
    saved: '已保存',
    guilds: (n: number) => `${n} 个共同公会`,
    noGuilds: '没有共同的公会',
    friends: (n: number) => `${n} 位共同好友`,
    noFriends: '没有共同好友',
    more: (n: number) => `还有 ${n} 个没有列出`,
    failed: '备注和共同好友加载失败',
  },
  en: {
    buff: 'BUFF member',
    buffSince: (at: Date) =>
      `BUFF member since ${at.toLocaleDateString('en', { month: 'long', year: 'numeric' })}`,
    note: 'Your note',
    noteNone: 'Add a note that only you see',
    noteOf: (name: string) => `Note on ${name}`,
    noteWhy: 'Only you see it, on all your devices',
    save: 'Save',
    saved: 'Saved',
    guilds: (n: number) => counted(n, 'guild in common', 'guilds in common'),
    noGuilds: 'No guilds in common',
    friends: (n: number) => counted(n, 'friend in common', 'friends in common'),
    noFriends: 'No friends in common',
    more: (n: number) => `${n} more are not listed`,
    failed: 'The note and common friends could not be loaded',
  },
})
