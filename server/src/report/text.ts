import { texts } from '@guildhall/wire/locale.ts'
import { siteName } from '@guildhall/wire/siteName.ts'

/**
 * What the official account writes to those who reported something. It is read on all devices of a person, so
 * it is in the default locale. What was done is not said.
 */
export const text = texts({
  'zh-CN': {
    message: (name: string) => `「${name}」的消息`,
    user: (name: string) => `用户「${name}」`,
    guild: (name: string) => `公会「${name}」`,
    acted: (what: string) => `你举报的${what}已处理。感谢你帮助我们维护${siteName['zh-CN']}的环境。`,
    dismissed: (what: string) => `你举报的${what}已核实，没有发现违规。如有新的情况，可以再次举报。`,
  },
  en: {
    message: (name: string) => `a message of ${name}`,
    user: (name: string) => name,
    guild: (name: string) => `the guild ${name}`,
    acted: (what: string) =>
      `We acted on your report of ${what}. Thank you for helping to keep ${siteName.en} a good place.`,
    dismissed: (what: string) =>
      `We looked at your report of ${what} and found nothing against the rules. You can report it again if something changes.`,
  },
})
