import { texts } from '@guildhall/wire/locale.ts'

/** Texts that are stored with an account, in the default locale. */
export const authText = texts({
  'zh-CN': {
    /** The name of a new account until its owner chooses one. */
    newUserName: (digits: string) => `用户${digits}`,
  },
  en: {
    newUserName: (digits: string) => `User${digits}`,
  },
})
