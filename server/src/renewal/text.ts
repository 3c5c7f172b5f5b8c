import { texts } from '@guildhall/wire/locale.ts'

/** `pay_info.pay_text` of a renewal. */
export const renewalText = texts({
  'zh-CN': { wechat: '微信支付', alipay: '支付宝', apple: 'Apple 订阅' },
  en: { wechat: 'WeChat Pay', alipay: 'Alipay', apple: 'Apple subscription' },
})
