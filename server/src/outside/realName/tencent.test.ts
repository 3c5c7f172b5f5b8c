import { describe, expect, it } from 'vitest'
import { Unreadable } from '../answer.ts'
import { openTencentRealName } from './tencent.ts'

const check = (body: string, status = 200) =>
  openTencentRealName({ secretId: 'id', secretKey: 'key' }, null, async () => new Response(body, { status }))
    .check('张三', '11010519900101001X', AbortSignal.timeout(5_000))
    .catch((error: unknown) => (error instanceof Unreadable ? 'unreadable' : 'no verdict'))
const result = (it: unknown) => JSON.stringify({ Response: { Result: it, Description: 'said' } })

describe('what the service sends otherwise than documented', () => {
  it.each([
    '',
    ' ',
    'null',
    '[]',
    '"0"',
    '{}',
    '<html>busy</html>',
    '{"Response":',
    '{"Response":null}',
    '{"Response":{}}',
    '{"Response":[]}',
    '{"response":{"Result":"0"}}',
    '{"Result":"0"}',
    ...[null, '', ' 0', true, false, {}, [0], ['0'], 'OK', '0.0', '-0'].map(result),
  ])('verifies nobody, blames nobody, and may have been charged: %j', async (body) => {
    expect(await check(body)).toBe('unreadable')
  })

  it.each([
    ['{"Response":{"Error":{"Code":"LimitExceeded"},"Result":"0"}}', 200],
    ['{"Response":{"Error":{"Code":"FailedOperation.UnKnown"}}}', 200],
    ['{"Response":{"Error":{}}}', 200],
    [result('-4'), 200],
    [result('-9'), 200],
    [result(7), 200],
    [result('0'), 502],
    [result('-1'), 404],
    ['<html>busy</html>', 502],
    ['', 429],
  ] as const)(
    'verifies nobody, blames nobody, and is the service’s own failure: %j with %d',
    async (body, status) => {
      expect(await check(body, status)).toBe('no verdict')
    },
  )

  it.each([
    [result('0'), 'match'],
    [result(0), 'match'],
    [`\uFEFF${result('0')}\r\n`, 'match'],
    [result('-1'), 'mismatch'],
    [result(-5), 'mismatch'],
    ['{"Response":{"Error":null,"Result":"0"}}', 'match'],
  ])('is a verdict: %j', async (body, verdict) => {
    expect(await check(body)).toBe(verdict)
  })
})
