import { texts } from '@guildhall/wire/locale.ts'
import { siteName } from '@guildhall/wire/siteName.ts'

/** Texts that are stored with an account, in the default locale. */
export const authText = texts({
  'zh-CN': {
    /** The name of a new account until its owner chooses one. */
    newUserName: (digits: string) => `用户${digits}`,
    lang: 'zh-CN',
    mailSubject: (code: string) => `${siteName['zh-CN']}验证码 ${code}`,
    mailCode: (code: string) => `你的验证码是 ${code}`,
    mailWhy: (minutes: number) =>
      `${minutes} 分钟内有效，请不要告诉任何人。如果不是你本人操作，请忽略这封邮件。`,
  },
  en: {
    newUserName: (digits: string) => `User${digits}`,
    lang: 'en',
    mailSubject: (code: string) => `${siteName.en} code ${code}`,
    mailCode: (code: string) => `Your verification code is ${code}`,
    mailWhy: (minutes: number) =>
      `It is valid for ${minutes} minutes. Do not tell it to anybody. If you did not ask for it, ignore this mail.`,
  },
})
