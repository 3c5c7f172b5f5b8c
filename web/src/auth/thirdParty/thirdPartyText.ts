import { texts } from '@guildhall/wire/locale.ts'

/** Texts of logins by QQ and WeChat, and of binding a number. */
export const thirdPartyText = texts({
  'zh-CN': {
    // With the spaces that stand between Chinese and Latin letters.
    qq: ' QQ ',
    weixin: '微信',
    loggingIn: (name: string) => `正在通过${name}登录…`,
    cancelled: (name: string) => `已取消${name}登录`,
    failed: (name: string) => `${name}登录失败，请重试`.trim(),
    title: '绑定手机号',
    who: (name: string, nickname: string) =>
      nickname ? `你正在用${name}账号「${nickname}」登录。` : `你正在用${name}账号登录。`,
    why: '绑定手机号后即可完成登录。',
    bind: '绑定并登录',
    promptTitle: '账号绑定提示',
    prompt: (contact: string) => `重新绑定会清除该${contact}原有的第三方登录信息，是否继续？`,
    goOn: '继续绑定',
  },
  en: {
    qq: 'QQ',
    weixin: 'WeChat',
    loggingIn: (name: string) => `Logging in with ${name}…`,
    cancelled: (name: string) => `${name} login was cancelled`,
    failed: (name: string) => `${name} login failed, please try again`,
    title: 'Bind mobile number',
    who: (name: string, nickname: string) =>
      nickname
        ? `You are logging in with the ${name} account “${nickname}”.`
        : `You are logging in with ${name}.`,
    why: 'Bind a mobile number to finish.',
    bind: 'Bind and log in',
    promptTitle: 'Account bind prompt',
    prompt: (contact: string) =>
      `Rebinding clears the old third-party login info of this ${contact}. Continue?`,
    goOn: 'Bind anyway',
  },
})
