import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { limitHandshakes, nearOr } from './connectionLimit.ts'

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

describe('a handshake', () => {
  const requestFrom = (address: string) => ({ socket: { remoteAddress: address } }) as IncomingMessage
  const addressOf = ({ socket }: IncomingMessage) => socket.remoteAddress ?? ''

  it('is refused to a network that began too many, and not to another one', () => {
    const mayStart = limitHandshakes({ most: 2, addressOf })
    const from = (address: string) => mayStart(requestFrom(address))
    expect([from('203.0.113.7'), from('203.0.113.7'), from('203.0.113.7')]).toEqual([true, true, false])
    expect(from('203.0.113.8')).toBe(true)
  })

  it('is refused to the /48 that began too many by its /64s', () => {
    const mayStart = limitHandshakes({ most: 1, addressOf })
    const answers = Array.from({ length: 9 }, (_, n) => mayStart(requestFrom(`2001:db8:1:${n}::5`)))
    expect(answers).toEqual([...Array.from({ length: 8 }, () => true), false])
    expect(mayStart(requestFrom('2001:db8:2::5'))).toBe(true)
  })
})
