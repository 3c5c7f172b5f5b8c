import { describe, expect, test } from 'vitest'
import { readConfig } from '../config.ts'

const KEYS = { CONTENT_REVIEW_SECRET_ID: 'AKIDx', CONTENT_REVIEW_SECRET_KEY: 'k' }
const read = (env: Record<string, string>) => readConfig(env, '/').contentReview

describe('a review service is refused', () => {
  test.each([
    [{ CONTENT_REVIEW: 'other' }, 'must be tencent or local'],
    [{ CONTENT_REVIEW: 'tencent' }, 'CONTENT_REVIEW_SECRET_ID is missing'],
    [{ CONTENT_REVIEW: 'tencent', CONTENT_REVIEW_SECRET_ID: 'x' }, 'CONTENT_REVIEW_SECRET_KEY is missing'],
    [KEYS, 'CONTENT_REVIEW is not tencent'],
    [{ CONTENT_REVIEW: 'local', ...KEYS }, 'CONTENT_REVIEW is not tencent'],
    [{ CONTENT_REVIEW: 'tencent', ...KEYS, CONTENT_REVIEW_TEXT_POLICY: 'a b' }, 'CONTENT_REVIEW_TEXT_POLICY'],
    [{ CONTENT_REVIEW: 'tencent', ...KEYS, CONTENT_REVIEW_ENDPOINT: 'ftp://x' }, 'CONTENT_REVIEW_ENDPOINT'],
    [{ CONTENT_REVIEW: 'tencent', ...KEYS, CONTENT_REVIEW_DOWN: 'maybe' }, 'must be hold or pass'],
  ] as const)('with %o', (env, why) => {
    expect(() => read({ ...env })).toThrow(why)
  })

  test('that is local, in production', () => {
    const env = { CONTENT_REVIEW: 'local', NODE_ENV: 'production', SMS_PROVIDER: 'tencent' }
    expect(() => read(env)).toThrow()
  })
})

test('without a variable there is none, and what is not judged would be held', () => {
  expect(read({})).toEqual({ service: null, whenDown: 'hold' })
})

test('Tencent Cloud is asked in Guangzhou by the standard policies', () => {
  expect(read({ CONTENT_REVIEW: 'tencent', ...KEYS, CONTENT_REVIEW_DOWN: 'pass' })).toEqual({
    service: {
      kind: 'tencent',
      secretId: 'AKIDx',
      secretKey: 'k',
      region: 'ap-guangzhou',
      endpoint: null,
      policies: { text: '', picture: '' },
    },
    whenDown: 'pass',
  })
})
