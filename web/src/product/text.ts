import { texts } from '@guildhall/wire/locale.ts'

/** Texts that the pages of the shop share. */
export const text = texts({
  'zh-CN': {
    packages: '选择套餐',
    none: '暂无可购买的套餐',
    noneWhy: '请稍后再来看看',
    failed: '套餐加载失败',
    before: '原价',
    gift: '赠送好友',
    agree: '我已阅读并同意',
    agreementLink: '《自动续费服务协议》',
    agreeFirst: '请先阅读并同意《自动续费服务协议》',
    agreementTitle: '自动续费服务协议',
    agreementWords:
      '开通后，每个周期在到期前一天按所选套餐的价格自动扣款，有效期随之延长。扣款前会提前通知你。你可以随时在「续费管理」中关闭自动续费，关闭后不再扣款，已生效的权益不受影响。',
    ok: '知道了',
    renews: '已开启自动续费',
    manage: '管理自动续费',
    month: (sum: string) => `${sum}/月`,
    more: '更多',
    renewals: '续费管理',
    redeem: '兑换码',
  },
  en: {
    packages: 'Choose a package',
    none: 'No package is on sale',
    noneWhy: 'Please look again later',
    failed: 'The packages could not be loaded',
    before: 'Before',
    gift: 'Gift',
    agree: 'I agree to the',
    agreementLink: 'terms of renewal',
    agreeFirst: 'Please agree to the terms of automatic renewal first',
    agreementTitle: 'Terms of automatic renewal',
    agreementWords:
      'Each period, the price of the package is charged on the day before the end, which then moves on. You are told before each charge. You can end the renewal at any time; nothing is charged after that, and what you have stays until it ends.',
    ok: 'OK',
    renews: 'Renews itself',
    manage: 'Manage renewal',
    month: (sum: string) => `${sum}/mo`,
    more: 'More',
    renewals: 'Renewals',
    redeem: 'Redeem',
  },
})
