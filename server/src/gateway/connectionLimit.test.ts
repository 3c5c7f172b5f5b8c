import { describe, expect, it } from 'vitest'
import { nearOr } from './connectionLimit.ts'

const isNear = nearOr(['203.0.113.7', '2001:db8:1::/48'])

describe('an address', () => {
  it.each([
    '127.0.0.1',
    '::ffff:127.0.0.1',
    '10.1.2.3',
    '172.31.0.1',
    '192.168.1.1',
    '::1',
    'fd00::5',
    '203.0.113.7',
    '2001:db8:1::9',
  ])('%s is near or configured, and exempt', (ip) => expect(isNear(ip)).toBe(true))

  it.each(['172.32.0.1', '8.8.8.8', '::ffff:8.8.8.8', '2001:db8::1', 'fe00::1', '203.0.113.8'])(
    '%s is not',
    (ip) => expect(isNear(ip)).toBe(false),
  )
})
