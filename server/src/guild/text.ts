import { texts } from '@guildhall/wire/locale.ts'

/** Texts that are stored with a guild, in the default locale. */
export const guildText = texts({
  'zh-CN': {
    /** The name of the role that every member of a new guild has. protocol.md §1.7. */
    everyoneRole: '@全体成员',
    /** The first channel of a new guild. */
    firstChannel: '综合',
  },
  en: {
    everyoneRole: '@all members',
    firstChannel: 'general',
  },
})
