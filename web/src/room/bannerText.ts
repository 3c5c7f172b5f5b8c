import { texts } from '@guildhall/wire/locale.ts'

/** What an unverified user reads above the messages. */
export const bannerText = texts({
  'zh-CN': {
    verifyBanner: (proof: string) => `完成${proof}验证后即可在频道内发言`,
    verify: '去验证',
  },
  en: {
    verifyBanner: (proof: string) => `Verify your ${proof} to talk in channels`,
    verify: 'Verify',
  },
})
