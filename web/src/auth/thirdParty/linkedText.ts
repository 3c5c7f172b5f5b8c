import { texts } from '@guildhall/wire/locale.ts'

/** Accounts at third parties that log one in. */
export const linkedText = texts({
  'zh-CN': {
    title: '第三方账号',
    failed: '加载失败',
    qq: 'QQ',
    weixin: '微信',
    since: (when: string) => `绑定于 ${when}`,
    notLinked: '未绑定',
    why: (contact: string) =>
      `在登录页选择 QQ 或微信登录，并验证你的${contact}，即可绑定。解绑后仍可用${contact}登录。`,
    unlink: '解绑',
    unlinkOf: (name: string) => `解绑${name === '微信' ? name : ` ${name}`}`,
    unlinkWhy: (name: string) =>
      `解绑后，无法再用${name === '微信' ? name : ` ${name} `}登录这个账号；已登录的设备不会退出`,
    done: '已解绑',
  },
  en: {
    title: 'Linked accounts',
    failed: 'Could not load',
    qq: 'QQ',
    weixin: 'WeChat',
    since: (when: string) => `Linked ${when}`,
    notLinked: 'Not linked',
    why: (contact: string) =>
      `To link one, log in with QQ or WeChat on the login page and verify your ${contact}, which always logs you in, too.`,
    unlink: 'Unlink',
    unlinkOf: (name: string) => `Unlink ${name}`,
    unlinkWhy: (name: string) =>
      `${name} will no longer log in to this account; devices that are logged in stay so`,
    done: 'Unlinked',
  },
})
