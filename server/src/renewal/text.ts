import { texts } from '@guildhall/wire/locale.ts'

/** `pay_info.pay_text` of a renewal, and what the house writes when one failed. */
export const renewalText = texts({
  'zh-CN': {
    wechat: '微信支付',
    alipay: '支付宝',
    apple: 'Apple 订阅',
    failed: (name: string) => `「${name}」自动续费失败，没有扣款。到期后可以重新购买。`,
  },
  en: {
    wechat: 'WeChat Pay',
    alipay: 'Alipay',
    apple: 'Apple subscription',
    failed: (name: string) =>
      `${name} was not renewed, and nothing was taken. You can buy it again once it ends.`,
  },
})
