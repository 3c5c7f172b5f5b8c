import { expect, it } from 'vitest'
import { openLog } from '../kit/log.ts'
import type { AppleSubscriptions } from '../outside/payment/apple/appleSubscriptions.ts'
import { BadNotification } from '../outside/payment/payProvider.ts'
import type { PayDeps } from '../pay/pay.ts'
import { acceptAppleNotification } from './apple.ts'

const counted: string[] = []
/** What is answered for a body, by an Apple whose messages are about nobody. */
const take = async (body: string, read: AppleSubscriptions['read'] = async () => null) => {
  const deps = {
    appContext: {} as PayDeps['appContext'],
    log: openLog('quiet'),
    counts: { refused: (_way: 'apple', why: string) => void counted.push(why) },
  }
  counted.length = 0
  return (await acceptAppleNotification(deps, { read }, Buffer.from(body))).status
}

it.each([
  '',
  ' ',
  'null',
  '[]',
  '"a.b.c"',
  '<html>busy</html>',
  '{',
  '{}',
  '{"signedPayload":null}',
  '{"signedPayload":""}',
  '{"signedPayload":{}}',
  '{"signedPayload":["a.b.c"]}',
  'signedPayload=a.b.c',
])('what is no message is not taken: %j', async (body) => {
  expect(await take(body, () => Promise.reject(new Error('it was read')))).toBe(401)
  expect(counted).toEqual(['form'])
})

it('a message that is not genuine is refused, and one that cannot be verified now is to come again', async () => {
  const body = '{"signedPayload":"a.b.c"}'
  expect(await take(body, () => Promise.reject(new BadNotification('signature', 'no')))).toBe(401)
  expect(await take(body, () => Promise.reject(new Error('Apple cannot be asked now')))).toBe(503)
})

it.each([
  '{"signedPayload":"a.b.c"}',
  '\uFEFF{"signedPayload":"a.b.c"}\r\n',
  '{"new_one":1,"signedPayload":"a.b.c"}',
])('a genuine message is taken: %j', async (body) => {
  expect(await take(body)).toBe(200)
  expect(counted).toEqual([])
})
