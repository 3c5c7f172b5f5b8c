import { texts } from '@guildhall/wire/locale.ts'

/**
 * What the official account writes of decisions. It is read on all devices of a person, so it is in the
 * default locale.
 */
export const text = texts({
  'zh-CN': {
    passed: (name: string) => `「${name}」的公会信息修改已通过审核，已经生效。`,
    rejected: (name: string, why: string) =>
      `「${name}」的公会信息修改未通过审核：${why}。修改后可以重新提交。`,
  },
  en: {
    passed: (name: string) => `The change of ${name} passed review. Everybody sees it now.`,
    rejected: (name: string, why: string) =>
      `The change of ${name} did not pass review: ${why}. You can change it and hand it in again.`,
  },
})
