import { texts } from '@guildhall/wire/locale.ts'
import type { Order } from '@guildhall/wire/order/order.ts'

type Cause = Order['refunds'][number]['cause']

/** Texts of what an order came to. commerce.md §8. */
export const text = texts({
  'zh-CN': {
    successWhy: '你购买的商品已到账',
    bought: '商品',
    days: (n: number) => `${n} 天`,
    packs: (n: number) => `共 ${n} 个`,
    whom: '用于',
    forSelf: '自己',
    forGuild: (name: string) => `公会「${name}」`,
    given: '礼物已送达好友',
    giving: '已收到付款，正在把礼物送给好友，通常只需几秒',
    granting: '已收到付款，正在发放，通常只需几秒',
    closed: '订单已关闭',
    closedWhy: '订单没有支付，未产生扣款',
    refunding: '款项正在退回',
    refunded: '款项已退回',
    refundedWhy: (cause: Cause) =>
      ({
        late: '付款时订单已关闭，款项会退回原支付账户',
        twice: '这笔订单被重复支付，多付的款项会退回原支付账户',
        failed: '商品未能发放，款项会退回原支付账户',
        staff: '款项会退回原支付账户',
      })[cause],
    stuck: '订单正在核实',
    stuckWhy: '已收到付款，工作人员正在核实，请不要重复支付',
    orderAgain: '重新下单',
  },
  en: {
    successWhy: 'You have what you bought',
    bought: 'Item',
    days: (n: number) => (n === 1 ? '1 day' : `${n} days`),
    packs: (n: number) => (n === 1 ? '1 pack' : `${n} packs`),
    whom: 'For',
    forSelf: 'Yourself',
    forGuild: (name: string) => `Guild “${name}”`,
    given: 'Your friend has your gift',
    giving: 'Your payment is here. Your friend has the gift within seconds.',
    granting: 'Your payment is here. What you bought follows within seconds.',
    closed: 'The order is closed',
    closedWhy: 'It was not paid. You were not charged.',
    refunding: 'The money is on its way back',
    refunded: 'The money is back',
    refundedWhy: (cause: Cause) =>
      ({
        late: 'You paid after the order was closed. The money goes back to where it came from.',
        twice: 'This order was paid twice. What was too much goes back to where it came from.',
        failed: 'What you bought could not be delivered. The money goes back to where it came from.',
        staff: 'The money goes back to where it came from',
      })[cause],
    stuck: 'The order is under review',
    stuckWhy: 'Your payment is here, and our staff look into the order. Please do not pay again.',
    orderAgain: 'Order again',
  },
})
