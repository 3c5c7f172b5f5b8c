import { texts } from '@guildhall/wire/locale.ts'

/** Texts about people. Everyone who sees a person gets the same ones, so they are in the default locale. */
export const userText = texts({
  'zh-CN': {
    /** The tag beside a bot's name. */
    botTag: '机器人',
    /** The tag beside the name of the official account. */
    officialTag: '官方',
  },
  en: {
    botTag: 'Bot',
    officialTag: 'Official',
  },
})
