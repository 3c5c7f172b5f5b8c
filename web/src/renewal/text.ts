import { texts } from '@guildhall/wire/locale.ts'

/** Texts of /renewal/management. */
export const text = texts({
  'zh-CN': {
    title: '续费管理',
    types: '续费项目',
    buff: 'BUFF 会员',
    other: '屏幕分享',
    none: '暂无自动续费',
    toBuff: '查看 BUFF 会员',
    toGolive: '查看屏幕分享',
    noneOfBuff: '开通 BUFF 连续包月后，可以在这里管理',
    noneOfGolive: '开通屏幕分享连续包月后，可以在这里管理',
    failed: '续费信息加载失败',
    until: '到期时间',
    next: '下次扣款',
    sum: '扣款金额',
    noCharge: '本期不再扣款',
    lastFailed: '上次续费未成功，没有扣款。到期后你可以手动续费',
    close: '关闭自动续费',
    closeTitle: '确定关闭自动续费吗？',
    closeWords: (name: string, day: string) =>
      day ? `关闭后不再扣款，「${name}」可以继续使用到 ${day}` : `关闭后「${name}」不再扣款`,
    confirm: '关闭自动续费',
    keep: '暂不关闭',
    closed: '已关闭自动续费',
    apple: '通过 Apple 订阅的续费，请在 iPhone 的「设置 > Apple ID > 订阅」中关闭',
    notice: '到期前一天扣款，扣款前会通知你。你可以随时关闭，不影响已开通的时长。',
  },
  en: {
    title: 'Renewals',
    types: 'What renews itself',
    buff: 'BUFF',
    other: 'Screen sharing',
    none: 'Nothing renews itself',
    toBuff: 'See BUFF membership',
    toGolive: 'See screen sharing',
    noneOfBuff: 'A BUFF package that renews itself is managed here',
    noneOfGolive: 'A screen sharing package that renews itself is managed here',
    failed: 'Renewals could not be loaded',
    until: 'Ends on',
    next: 'Next charge',
    sum: 'Sum',
    noCharge: 'None for this period',
    lastFailed: 'The last renewal failed, and nothing was charged. You can renew by hand.',
    close: 'Close auto-renewal',
    closeTitle: 'Close auto-renewal?',
    closeWords: (name: string, day: string) =>
      day
        ? // A date is not broken at its hyphens.
          `You will not be charged any more. You keep “${name}” until ${day.replaceAll('-', '\u2011')}.`
        : `You will not be charged for “${name}” any more.`,
    confirm: 'Close it',
    keep: 'Keep it',
    closed: 'Auto-renew closed',
    apple:
      'This was subscribed through Apple. Please close it on your iPhone in Settings > Apple ID > Subscriptions.',
    notice:
      'You are charged on the day before the end, and told before. You can close it at any time and keep what you have paid for.',
  },
})
