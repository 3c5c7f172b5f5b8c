import { texts } from '@guildhall/wire/locale.ts'
import { wayText } from '@guildhall/wire/payWay.ts'

/** `pay_info.pay_text` of a renewal, and what the official account writes when one failed. */
export const renewalText = texts({
  'zh-CN': {
    ...wayText['zh-CN'],
    apple: 'Apple 订阅',
    failed: (name: string) => `「${name}」自动续费失败，没有扣款。到期后可以重新购买。`,
  },
  en: {
    ...wayText.en,
    apple: 'Apple subscription',
    failed: (name: string) =>
      `${name} was not renewed, and nothing was taken. You can buy it again once it ends.`,
  },
})
