import type { PayWay } from '@guildhall/wire/payWay.ts'
import { followLink } from './leaveFor.ts'

/**
 * Opens the app of a way of payment by its own address. Alipay's pays a code that is an address at once;
 * WeChat's opens as it was, and the person scans the saved picture there.
 */
export function openPayApp(way: PayWay, code: string): void {
  const isAddress = /^https:\/\//.test(code)
  const addresses: Readonly<Record<PayWay, string>> = {
    wechat: 'weixin://',
    alipay: isAddress
      ? `alipays://platformapi/startapp?saId=10000007&qrcode=${encodeURIComponent(code)}`
      : 'alipays://',
  }
  followLink(addresses[way], 'no-referrer')
}
