import { expect, it } from 'vitest'
import { networkOf, shownNetwork, wideNetworkOf } from './network.ts'

it.each([
  ['203.0.113.7', '203.0.113.7', null],
  ['::ffff:203.0.113.7', '203.0.113.7', null],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['2001:DB8:1:2::6', '2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['2001:db8::1', '2001:db8:0:0::/64', '2001:db8:0::/48'],
  ['2001:db8:1::', '2001:db8:1:0::/64', '2001:db8:1::/48'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64', 'fe80:0:0::/48'],
])('%s is in %s, and that in %s', (ip, network, wide) => {
  expect(networkOf(ip)).toBe(network)
  expect(wideNetworkOf(network)).toBe(wide)
})

it('the request log shows a network whole, in part or not at all', () => {
  const [four, six] = ['203.0.113.7', '2001:db8:1:2::/64']
  expect([shownNetwork(four, 'full'), shownNetwork(six, 'full')]).toEqual([four, six])
  expect([shownNetwork(four, 'short'), shownNetwork(six, 'short')]).toEqual([
    '203.0.113.0/24',
    '2001:db8:1::/48',
  ])
  expect([shownNetwork(four, 'none'), shownNetwork(six, 'none')]).toEqual([null, null])
})
