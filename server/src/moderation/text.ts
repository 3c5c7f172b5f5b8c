import { texts } from '@guildhall/wire/locale.ts'

/** What rules are called that the public protocol makes, which gives them no name. */
export const filterNames = texts({
  'zh-CN': { word: '关键词', invite: '其他公会的邀请' },
  en: { word: 'Words', invite: 'Invites elsewhere' },
})

/** What a channel is told of a message that a rule caught, in the default locale. */
export const noticeText = texts({
  'zh-CN': {
    delete: (rule: string, who: string, channel: string) =>
      `规则「${rule}」拦下了 ${who} 发到 #${channel} 的消息`,
    hold: (rule: string, who: string, channel: string) =>
      `规则「${rule}」让 ${who} 发到 #${channel} 的消息等待审核`,
    passes: (rule: string, who: string, channel: string) =>
      `规则「${rule}」发现了 ${who} 发到 #${channel} 的消息`,
    raid: (rule: string) => `规则「${rule}」发现突然有很多人加入`,
    slow: (rule: string) => `规则「${rule}」发现突然有很多人加入，已限制加入的速度`,
    captcha: (rule: string) => `规则「${rule}」发现突然有很多人加入，加入前须通过验证`,
    close: (rule: string) => `规则「${rule}」发现突然有很多人加入，已暂停加入`,
  },
  en: {
    delete: (rule: string, who: string, channel: string) =>
      `The rule “${rule}” stopped a message of ${who} to #${channel}`,
    hold: (rule: string, who: string, channel: string) =>
      `By the rule “${rule}” a message of ${who} to #${channel} waits for review`,
    passes: (rule: string, who: string, channel: string) =>
      `The rule “${rule}” found a message of ${who} to #${channel}`,
    raid: (rule: string) => `The rule “${rule}” found that many people join at once`,
    slow: (rule: string) => `The rule “${rule}” found that many people join at once, and slows joining`,
    captcha: (rule: string) =>
      `The rule “${rule}” found that many people join at once, and asks them for a captcha`,
    close: (rule: string) => `The rule “${rule}” found that many people join at once, and pauses joining`,
  },
})
