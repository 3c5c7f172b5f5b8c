import { expect, test } from 'vitest'
import { sceneHere, waysFor, waysHere } from './ways.ts'

test('what the operator does not offer is offered nowhere', () => {
  expect(waysHere({ browser: 'wechat' }, [])).toEqual([])
  expect(waysHere({ browser: 'wechat' }, ['alipay'])).toEqual([])
  expect(waysHere({ browser: 'alipay' }, ['wechat'])).toEqual([])
  expect(waysHere({ browser: 'other' }, ['alipay'])).toEqual(['alipay'])
})

test('an app that pays does not offer the other', () => {
  expect(waysHere({ browser: 'wechat' }, ['alipay', 'wechat'])).toEqual(['wechat'])
  expect(waysHere({ browser: 'alipay' }, ['wechat', 'alipay'])).toEqual(['alipay'])
})

test.each([
  ['a desk', { browser: 'other', platform: 'desktop' }, ['wechat']],
  ['a phone', { browser: 'other', platform: 'android' }, []],
  ['Alipay', { browser: 'alipay', platform: 'android' }, ['alipay']],
] as const)('what renews itself is paid on %s by the ways that sign it there', (_name, environment, ways) => {
  const renewing_ways = { inside: ['wechat', 'alipay'], phone: [], qr: ['wechat'] } as const
  const browser_ways = ['wechat', 'alipay'] as const
  expect(waysFor(true, { browser_ways, renewing_ways }, environment)).toEqual(ways)
  expect(waysFor(true, { browser_ways }, environment)).toEqual([])
  expect(waysFor(false, { browser_ways, renewing_ways }, environment)).toEqual(browser_ways)
})

test.each([
  ['wechat', 'android', 'wechat', 'inside'],
  // WeChat on a desk has its bridge as well.
  ['wechat', 'desktop', 'wechat', 'inside'],
  ['alipay', 'ios', 'alipay', 'inside'],
  ['safari', 'ios', 'wechat', 'phone'],
  ['qq', 'android', 'alipay', 'phone'],
  ['other', 'desktop', 'alipay', 'qr'],
] as const)('in %s on %s one pays by %s with the scene %s', (browser, platform, way, scene) => {
  expect(sceneHere({ browser, platform }, way)).toBe(scene)
})
