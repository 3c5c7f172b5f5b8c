import { expect, it } from 'vitest'
import { readConfig } from '../config.ts'
import { warningsOf } from './warnings.ts'

const warned = (env: Record<string, string>) => warningsOf(readConfig(env, '/')).join(' ')

it('nothing is said about the default configuration', () => {
  expect(warned({})).toBe('')
})

it('a server that shows codes to other machines says what it exposes', () => {
  expect(warned({ HOST: '0.0.0.0', DEMO: '0' })).toMatch(/HOST=0\.0\.0\.0.*OUTBOX_TOKEN/)
  expect(warned({ HOST: '::', DEMO: '0', OUTBOX_TOKEN: 'sixteen-letters-long' })).toMatch(
    /enters any account/,
  )
  expect(warned({ HOST: '0.0.0.0' })).toMatch(/passwords of the demo accounts/)
})

it('an https address without a trusted proxy is named', () => {
  expect(warned({ PUBLIC_URL: 'https://guildhall.example' })).toMatch(/TRUSTED_PROXIES/)
  expect(warned({ PUBLIC_URL: 'https://guildhall.example', TRUSTED_PROXIES: '127.0.0.1' })).toBe('')
})

it('logins by a provider without a public address are named', () => {
  const qq = { QQ_APP_ID: '1', QQ_APP_KEY: 'k' }
  expect(warned(qq)).toMatch(/PUBLIC_URL/)
  expect(warned({ ...qq, PUBLIC_URL: 'http://guildhall.example' })).toBe('')
})
