import { describe, expect, it } from 'vitest'
import { openTencentReview } from './tencent.ts'

const OPTIONS = {
  account: { secretId: 'id', secretKey: 'key' },
  region: 'here',
  endpoint: null,
  policies: { text: '', picture: '' },
}
const judge = (body: string, status = 200) =>
  openTencentReview(OPTIONS, async () => new Response(body, { status }))
    .text('你好', AbortSignal.timeout(5_000))
    .catch((error: Error) => (error.message.includes('你好') ? 'told' : 'no verdict'))

describe('what the service sends otherwise than documented', () => {
  it.each([
    '',
    'null',
    '[]',
    '{}',
    '<html>busy</html>',
    '{"Response":null}',
    '{"Response":{}}',
    '{"Response":{"Suggestion":null}}',
    '{"Response":{"Suggestion":"Maybe"}}',
    '{"Response":{"Suggestion":["Pass"]}}',
    '{"Response":{"Suggestion":"constructor"}}',
    '{"Response":{"Error":{"Code":"LimitExceeded"},"Suggestion":"Pass"}}',
  ])('is no verdict: %j', async (body) => {
    expect(await judge(body)).toBe('no verdict')
  })

  it('is a verdict: with a mark of the byte order, null for no error, and no label', async () => {
    const body = '\uFEFF{"Response":{"Error":null,"Suggestion":"Block","Label":null}}\n'
    expect(await judge(body)).toEqual({ suggestion: 'block', label: '' })
  })
})
