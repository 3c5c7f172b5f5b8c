import { expect, test } from 'vitest'
import { everyApp, isPayWay, PAY_WAYS, platform, wayOf } from './payWay.ts'

test('an order that was not paid, and what is paid at Apple, have no way', () => {
  expect([wayOf(0), wayOf(3), isPayWay('apple'), isPayWay('qq')]).toEqual([null, null, false, false])
})

test('every way has a number of its own, by which it is found again', () => {
  for (const way of PAY_WAYS) expect([isPayWay(way), wayOf(platform[way])]).toEqual([true, way])
})

test('their apps are listed in words', () => {
  expect([everyApp('zh-CN', '或'), everyApp('en', ' or ')]).toEqual(['微信或支付宝', 'WeChat or Alipay'])
})
