import { texts } from '@guildhall/wire/locale.ts'

/** With the spaces that stand between Chinese and Latin letters. */
const spaced = (name: string): string => (name === '微信' ? name : ` ${name} `)

/** Accounts at third parties that log one in. */
export const linkedText = texts({
  'zh-CN': {
    title: '第三方账号',
    failed: '加载失败',
    qq: 'QQ',
    weixin: '微信',
    since: (when: string) => `绑定于 ${when}`,
    notLinked: '未绑定',
    why: (contact: string) => `绑定后可以用它登录这个账号。无论是否绑定，都可以用你的${contact}登录。`,
    link: '绑定',
    linkOf: (name: string) => `绑定${spaced(name)}`.trim(),
    linkWhy: (name: string) => `确认后，可以用${spaced(name)}登录这个账号`,
    linked: '已绑定',
    cancelled: (name: string) => `已取消绑定${spaced(name)}`.trim(),
    refused: (name: string) => `${spaced(name)}没有完成授权，请重试`.trim(),
    expired: '绑定未完成或已失效，请重新绑定',
    other: (name: string) => `这个账号已绑定另一个${spaced(name)}账号，请先解绑`,
    unlink: '解绑',
    unlinkOf: (name: string) => `解绑${spaced(name)}`.trim(),
    unlinkWhy: (name: string) => `解绑后，无法再用${spaced(name)}登录这个账号；已登录的设备不会退出`,
    done: '已解绑',
  },
  en: {
    title: 'Linked accounts',
    failed: 'Could not load',
    qq: 'QQ',
    weixin: 'WeChat',
    since: (when: string) => `Linked ${when}`,
    notLinked: 'Not linked',
    why: (contact: string) => `Linked accounts log you in. You can always log in with your ${contact}, too.`,
    link: 'Link',
    linkOf: (name: string) => `Link ${name}`,
    linkWhy: (name: string) => `${name} will log in to this account`,
    linked: 'Linked',
    cancelled: (name: string) => `Linking ${name} was cancelled`,
    refused: (name: string) => `${name} did not authorize it, please try again`,
    expired: 'The linking was not finished or has expired, please link it again',
    other: (name: string) => `Another ${name} account is linked, unlink it first`,
    unlink: 'Unlink',
    unlinkOf: (name: string) => `Unlink ${name}`,
    unlinkWhy: (name: string) =>
      `${name} will no longer log in to this account; devices that are logged in stay so`,
    done: 'Unlinked',
  },
})
