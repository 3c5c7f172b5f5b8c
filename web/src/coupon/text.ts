import { texts } from '@guildhall/wire/locale.ts'

/** Texts of /cdk. */
export const text = texts({
  'zh-CN': {
    title: '兑换码',
    label: '请输入兑换码',
    hint: '兑换码通常为 18-36 位，个别较短',
    redeem: '兑换',
    done: '兑换成功',
    ok: '知道了',
    failed: '请求失败',
    where: '获得的物品会立即到账',
  },
  en: {
    title: 'Redeem a code',
    label: 'Your code',
    hint: 'Usually 18-36 characters, or fewer',
    redeem: 'Redeem',
    done: 'Redeemed',
    ok: 'OK',
    failed: 'The request failed',
    where: 'What you win is yours at once',
  },
})
