import { counted, texts } from '@guildhall/wire/locale.ts'

/** Texts of the channels in a guild's settings. */
export const settingsText = texts({
  'zh-CN': {
    newChannel: '新建频道',
    newCategory: '新建分组',
    noneWhy: '新建一个频道，成员就能在里面聊天。',
    outside: '未分组',
    category: '分组',
    edit: '编辑',
    editOf: (name: string) => `编辑 ${name}`,
    name: '名称',
    type: '类型',
    inCategory: '所属分组',
    topic: '主题',
    slowMode: '慢速模式',
    slowFact: (time: string) => `慢速模式 ${time}`,
    off: '关闭',
    seconds: (n: number) => `${n} 秒`,
    minutes: (n: number) => `${n} 分钟`,
    hours: (n: number) => `${n} 小时`,
    create: '创建',
    created: (name: string) => `「${name}」已创建`,
    open: '打开频道',
    done: '完成',
    save: '保存',
    saved: '已保存',
    remove: '删除频道',
    removeCategory: '删除分组',
    removeTitle: (name: string) => `确定要删除「${name}」吗？`,
    losesMessages: '频道里的消息会对所有人一起删除，7 天内可以在操作记录里恢复。',
    losesVoice: '频道会对所有人删除，7 天内可以在操作记录里恢复。',
    losesCategory: '里面的频道会保留，移到分组之外。',
    losesFirst: '新成员加入后将先看到另一个频道。',
    removed: (name: string) => `「${name}」已删除`,
  },
  en: {
    newChannel: 'New channel',
    newCategory: 'New category',
    noneWhy: 'Make a channel, and members can talk there.',
    outside: 'In no category',
    category: 'Category',
    edit: 'Edit',
    editOf: (name: string) => `Edit ${name}`,
    name: 'Name',
    type: 'Type',
    inCategory: 'Category of the channel',
    topic: 'Topic',
    slowMode: 'Slow mode',
    slowFact: (time: string) => `Slow mode: ${time}`,
    off: 'Off',
    seconds: (n: number) => counted(n, 'second'),
    minutes: (n: number) => counted(n, 'minute'),
    hours: (n: number) => counted(n, 'hour'),
    create: 'Create',
    created: (name: string) => `“${name}” is made`,
    open: 'Open the channel',
    done: 'Done',
    save: 'Save',
    saved: 'Saved',
    remove: 'Delete channel',
    removeCategory: 'Delete category',
    removeTitle: (name: string) => `Delete “${name}”?`,
    losesMessages:
      'Its messages are deleted with it for everybody. For 7 days the audit log can restore both.',
    losesVoice: 'It is deleted for everybody. For 7 days the audit log can restore it.',
    losesCategory: 'The channels in it stay, outside of it.',
    losesFirst: 'New members will then see another channel first.',
    removed: (name: string) => `“${name}” is deleted`,
  },
})

/** A slow mode in words. `ms`: how long one waits between two messages. */
export function slowLabel(ms: number, t: (typeof settingsText)['zh-CN']): string {
  if (ms === 0) return t.off
  const seconds = ms / 1_000
  if (seconds < 60) return t.seconds(seconds)
  return seconds < 3_600 ? t.minutes(seconds / 60) : t.hours(seconds / 3_600)
}
