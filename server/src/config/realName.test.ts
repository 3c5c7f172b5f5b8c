import { describe, expect, test } from 'vitest'
import { readRealName } from './realName.ts'

const KEY = Buffer.alloc(32, 1).toString('base64')
const read = (values: Record<string, string>, it = { production: false, isCluster: false }) =>
  readRealName((name) => values[name] ?? null, it)
const TENCENT = { REAL_NAME_SECRET_ID: 'id', REAL_NAME_SECRET_KEY: 'a secret' }

describe('real names are refused', () => {
  test.each([
    [{ REAL_NAME_SECRET_ID: 'id' }, 'REAL_NAME_SECRET_KEY is missing'],
    [{ REAL_NAME_SECRET_KEY: 'a secret' }, 'REAL_NAME_SECRET_ID is missing'],
    [{ REAL_NAME_ENDPOINT: 'http://127.0.0.1:1' }, 'REAL_NAME_SECRET_ID is missing'],
    [{ ...TENCENT, REAL_NAME_ENDPOINT: 'ftp://a' }, 'REAL_NAME_ENDPOINT must be'],
    [{ REAL_NAME_KEY: 'short' }, 'REAL_NAME_KEY must be'],
    [{ REAL_NAME_KEY: `${KEY.slice(0, -1)}!` }, 'REAL_NAME_KEY must be'],
  ])('with %o', (values, text) => {
    expect(() => read(values)).toThrow(text)
    expect(() => read(values)).not.toThrow('a secret')
  })

  test('on several nodes without one key', () => {
    expect(() => read(TENCENT, { production: true, isCluster: true })).toThrow('REAL_NAME_KEY')
  })
})

test('nothing configured is the local service, and none in production or on several nodes', () => {
  expect(read({}).isLocal).toBe(true)
  expect(read({}, { production: true, isCluster: false }).isLocal).toBe(false)
  expect(read({}, { production: false, isCluster: true }).isLocal).toBe(false)
  expect(read({ REAL_NAME_KEY: KEY }, { production: false, isCluster: true }).isLocal).toBe(true)
})

test('a service and its key are read', () => {
  const it = read({ ...TENCENT, REAL_NAME_KEY: KEY }, { production: true, isCluster: true })
  expect(it).toMatchObject({ tencent: { secretId: 'id', secretKey: 'a secret' }, isLocal: false })
  expect(it.key).toEqual(Buffer.alloc(32, 1))
})
