import { texts } from '@guildhall/wire/locale.ts'

/** Texts that only the page shows; those of the landing are in wire/src/invite/text.ts. */
export const text = texts({
  'zh-CN': {
    enter: '进入公会',
    join: (guild: string) => `加入「${guild}」`,
    why: '验证手机号即可加入，新号码会自动注册',
    submit: '注册并加入',
    haveAccount: '已有账号？用密码登录',
  },
  en: {
    enter: 'Open guild',
    join: (guild: string) => `Join ${guild}`,
    why: 'Verify your phone number to join. A new number becomes an account.',
    submit: 'Register and join',
    haveAccount: 'Have an account? Log in with password',
  },
})
