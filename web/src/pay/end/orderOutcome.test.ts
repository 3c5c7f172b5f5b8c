import { expect, test } from 'vitest'
import { outcomeOf } from './orderOutcome.ts'

test.each([
  ['', 'granted', '你购买的商品已到账'],
  ['9', 'granted', '礼物已送达好友'],
  ['', 'paid', '已收到付款，正在发放，通常只需几秒'],
  ['9', 'paid', '已收到付款，正在把礼物送给好友，通常只需几秒'],
] as const)('an order for %j that is %s says: %s', (user_id, state, message) => {
  expect(outcomeOf({ state, refunds: [], user_id }, 'zh-CN')).toMatchObject({ title: '支付成功', message })
})
