import { texts } from '@guildhall/wire/locale.ts'

/** Texts of the form that registers by an invite. */
export const registerText = texts({
  'zh-CN': {
    join: (guild: string) => `加入「${guild}」`,
    why: '验证手机号即可加入，新号码会自动注册',
    submit: '注册并加入',
    haveAccount: '已有账号？用密码登录',
    mobile: '手机号码',
    code: '验证码',
    mobileRequired: '请输入手机号码',
    mobileWrong: '手机号码不正确',
    codeRequired: '请输入验证码',
  },
  en: {
    join: (guild: string) => `Join ${guild}`,
    why: 'Verify your phone number to join. A new number becomes an account.',
    submit: 'Register and join',
    haveAccount: 'Have an account? Log in with password',
    mobile: 'Phone number',
    code: 'Verification code',
    mobileRequired: 'Please enter phone number',
    mobileWrong: 'Phone number incorrect',
    codeRequired: 'Please enter verification code',
  },
})
