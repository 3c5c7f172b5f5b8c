import { counted, texts } from '@guildhall/wire/locale.ts'
import { REPORT_AROUND } from '@guildhall/wire/report/limit.ts'
import { siteName } from '@guildhall/wire/siteName.ts'

/** Of the sheet that reports a message, a person or a guild. */
export const text = texts({
  'zh-CN': {
    message: (name: string) => `举报 ${name} 的消息`,
    messages: (n: number) => `举报 ${n} 条消息`,
    user: (name: string) => `举报 ${name}`,
    guild: (name: string) => `举报公会「${name}」`,
    messageWhy: `工作人员会看到这条消息，以及它前后各 ${REPORT_AROUND} 条消息。对方不会知道是谁举报的。`,
    messagesWhy: `工作人员会看到这些消息，以及每条前后各 ${REPORT_AROUND} 条消息。对方不会知道是谁举报的。`,
    userWhy: '工作人员会看到对方现在的名字和头像。对方不会知道是谁举报的。',
    guildWhy: '工作人员会看到公会现在的名称、图标和描述。对方不会知道是谁举报的。',
    category: '有什么问题？',
    spam: '垃圾广告',
    fraud: '欺诈骗钱',
    abuse: '辱骂骚扰',
    sexual: '色情低俗',
    violence: '暴力血腥',
    illegal: '违法违规',
    minors: '侵害未成年人',
    other: '其他问题',
    words: '补充说明（选填）',
    wordsHint: '例如：发生了什么，从什么时候开始',
    left: (n: number) => `还可输入 ${n} 字`,
    needed: '请选择一个问题',
    send: '提交举报',
    notAll: (n: number, why: string) => `还有 ${n} 条没有提交：${why}`,
    doneTitle: '已收到举报',
    get done() {
      return `我们会尽快核实。处理后，${siteName['zh-CN']}的官方账号会给你发一条私信。`
    },
    close: '完成',
  },
  en: {
    message: (name: string) => `Report a message of ${name}`,
    messages: (n: number) => `Report ${counted(n, 'message')}`,
    user: (name: string) => `Report ${name}`,
    guild: (name: string) => `Report the guild ${name}`,
    messageWhy: `Staff will see this message, and up to ${REPORT_AROUND} messages before it and after it. Nobody is told who reported it.`,
    messagesWhy: `Staff will see these messages, and up to ${REPORT_AROUND} messages before and after each. Nobody is told who reported them.`,
    userWhy: 'Staff will see their name and picture as they are now. Nobody is told who reported them.',
    guildWhy:
      'Staff will see the name, icon and description of the guild as they are now. Nobody is told who reported it.',
    category: 'What is wrong?',
    spam: 'Spam',
    fraud: 'Fraud',
    abuse: 'Abuse or harassment',
    sexual: 'Sexual content',
    violence: 'Violence',
    illegal: 'Against the law',
    minors: 'Harms minors',
    other: 'Something else',
    words: 'More about it (optional)',
    wordsHint: 'For example: what happened, and since when',
    left: (n: number) => `${counted(n, 'character')} left`,
    needed: 'Choose what is wrong',
    send: 'Send report',
    notAll: (n: number, why: string) => `${counted(n, 'message')} not sent yet: ${why}`,
    doneTitle: 'We received your report',
    get done() {
      return `We will look at it soon. Once it is decided, the official account of ${siteName.en} writes to you.`
    },
    close: 'Done',
  },
})
