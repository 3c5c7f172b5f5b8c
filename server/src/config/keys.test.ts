import { expect, it } from 'vitest'
import { readConfig } from '../config.ts'

const [KEY, OTHER] = [Buffer.alloc(32, 1).toString('base64'), Buffer.alloc(32, 2).toString('base64')]
const read = (env: Record<string, string>) => readConfig(env, '/srv/hall').keys

it.each([
  [{ KEYS_SECRET: 'short' }, 'KEYS_SECRET must be'],
  [{ KEYS_SECRET: KEY, KEYS_SECRET_OLD: 'short' }, 'KEYS_SECRET_OLD must be'],
  [{ KEYS_SECRET_OLD: KEY }, 'KEYS_SECRET, which is missing'],
  [{ KEYS_SECRET: KEY, KEYS_SECRET_OLD: KEY }, 'are the same'],
  [{ KEYS_FILE: './data/keys' }, 'must not be in DATA_DIR'],
])('%o is refused', (env, why) => {
  expect(() => read(env)).toThrow(why)
})

it('they are in a file beside the data directory, in another one, or in variables', () => {
  expect(read({})).toEqual({ secret: null, former: null, file: '/srv/hall/data.keys' })
  expect(read({ DATA_DIR: '/var/hall', KEYS_FILE: 'own.keys' }).file).toBe('/srv/hall/own.keys')
  const { secret, former } = read({ KEYS_SECRET: KEY, KEYS_SECRET_OLD: OTHER })
  expect([secret?.toString('base64'), former?.toString('base64')]).toEqual([KEY, OTHER])
})
