import type { IncomingMessage } from 'node:http'
import { expect, it } from 'vitest'
import { clientAddresses } from './clientAddress.ts'

const request = (remoteAddress: string, forwarded?: string) =>
  ({
    socket: { remoteAddress },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  }) as unknown as IncomingMessage

it.each([
  [
    'without proxies is that of the socket, whatever the request says',
    [],
    '203.0.113.7',
    '198.51.100.1',
    '203.0.113.7',
  ],
  ['behind a proxy is what the proxy says', ['10.0.0.0/8'], '10.1.2.3', '198.51.100.1', '198.51.100.1'],
  ['that a stranger names is not believed', ['10.0.0.0/8'], '203.0.113.7', '198.51.100.1', '203.0.113.7'],
  [
    'is the last that no proxy vouches for',
    ['10.0.0.0/8'],
    '10.1.2.3',
    '1.1.1.1, 198.51.100.1',
    '198.51.100.1',
  ],
])('the address of a client %s', (_what, proxies, socket, forwarded, expected) => {
  expect(clientAddresses(proxies)(request(socket, forwarded))).toBe(expected)
})
