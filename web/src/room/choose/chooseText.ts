import { counted, texts } from '@guildhall/wire/locale.ts'
import { MESSAGES_CHOSEN_MAX } from '@guildhall/wire/message/limit.ts'

/** Texts of several messages that are chosen. */
export const chooseText = texts({
  'zh-CN': {
    bar: '已选择的消息',
    chosen: (n: number) => `已选择 ${n} 条`,
    mark: (name: string) => `选择 ${name} 的消息`,
    most: `一次最多选择 ${MESSAGES_CHOSEN_MAX} 条消息`,
    leave: '取消选择',
    copy: '复制文字',
    line: (name: string, words: string) => `${name}：${words}`,
    deleteTitle: (n: number) => `确定要删除这 ${n} 条消息吗？`,
    deleted: (n: number) => `已删除 ${n} 条消息`,
    notDeleted: (n: number, why: string) => `${n} 条消息没有删除：${why}`,
  },
  en: {
    bar: 'Selected messages',
    chosen: (n: number) => `${n} selected`,
    mark: (name: string) => `Select the message of ${name}`,
    most: `At most ${MESSAGES_CHOSEN_MAX} messages can be selected at once`,
    leave: 'Cancel selection',
    copy: 'Copy text',
    line: (name: string, words: string) => `${name}: ${words}`,
    deleteTitle: (n: number) => `Delete ${n === 1 ? 'this message' : `these ${n} messages`}?`,
    deleted: (n: number) => `${counted(n, 'message', 'messages')} deleted`,
    notDeleted: (n: number, why: string) =>
      `${counted(n, 'message was', 'messages were')} not deleted: ${why}`,
  },
})
