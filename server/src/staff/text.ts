import { beijingDay } from '@guildhall/wire/beijing.ts'
import { counted, texts } from '@guildhall/wire/locale.ts'
import type { Millis } from '@guildhall/wire/unit.ts'

/**
 * What the official account writes of acts of staff. It is read on all devices of a person, so it is in the
 * default locale.
 */
export const text = texts({
  'zh-CN': {
    closed: (name: string, why: string, until: Millis) =>
      `你的公会「${name}」已被关闭${why && `，原因：${why}`}。如有异议，请在 ${beijingDay(until)} 前联系客服。`,
    restored: (name: string) => `你的公会「${name}」已恢复。`,
    ownerNow: (name: string, why: string) => `你已成为公会「${name}」的会长${why && `，原因：${why}`}。`,
    ownerNoMore: (name: string, why: string) =>
      `公会「${name}」的会长已变更，你现在是普通成员${why && `，原因：${why}`}。`,
    recommended: (name: string) =>
      `你的公会「${name}」已被推荐，会出现在“发现公会”中。此后修改公会信息需要审核。`,
    recommendedNoMore: (name: string, why: string) =>
      `你的公会「${name}」已取消推荐${why && `，原因：${why}`}。`,
    buffGiven: (days: number, until: Millis) =>
      `你获赠 BUFF 会员 ${days} 天，有效期至 ${beijingDay(until)}。`,
    buffTaken: (days: number, why: string) =>
      `此前赠送的 ${days} 天 BUFF 会员已收回${why && `，原因：${why}`}。`,
    suspensionOver: '对你账号的封禁已到期，账号已恢复正常。',
  },
  en: {
    closed: (name: string, why: string, until: Millis) =>
      `Your guild ${name} was closed${why && `: ${why}`}. If you disagree, write to support before ${beijingDay(until)}.`,
    restored: (name: string) => `Your guild ${name} is there again.`,
    ownerNow: (name: string, why: string) => `You own the guild ${name} now${why && `: ${why}`}.`,
    ownerNoMore: (name: string, why: string) =>
      `The guild ${name} has another owner now, and you are a member of it${why && `: ${why}`}.`,
    recommended: (name: string) =>
      `Your guild ${name} is recommended: it is found in “Discover”. From now on changes of its profile are reviewed.`,
    recommendedNoMore: (name: string, why: string) =>
      `Your guild ${name} is recommended no longer${why && `: ${why}`}.`,
    buffGiven: (days: number, until: Millis) =>
      `You were given BUFF for ${counted(days, 'day')}. It lasts until ${beijingDay(until)}.`,
    buffTaken: (days: number, why: string) =>
      `BUFF that you were given, ${counted(days, 'day')}, was taken back${why && `: ${why}`}.`,
    suspensionOver: 'The suspension of your account is over.',
  },
})
