import { generateKeyPairSync } from 'node:crypto'
import { expect, it } from 'vitest'
import { readConfig } from '../config.ts'
import { warningsOf } from './warnings.ts'

const warned = (env: Record<string, string>) => warningsOf(readConfig(env, '/')).join(' ')
/** Of a server that sends codes: one that shows them says more when others reach it. */
const warnedSending = (env: Record<string, string>) =>
  warned({
    ...env,
    SMS_PROVIDER: 'aliyun',
    ALIYUN_ACCESS_KEY_ID: 'id',
    ALIYUN_ACCESS_KEY_SECRET: 'secret',
    ALIYUN_SMS_SIGN_NAME: 'name',
    ALIYUN_SMS_TEMPLATE_CODE: 'code',
  })

it('nothing is said about the default configuration', () => {
  expect(warned({})).toBe('')
})

it('a server that shows codes to other machines says what it exposes', () => {
  expect(warned({ HOST: '0.0.0.0', DEMO: '0' })).toMatch(/HOST=0\.0\.0\.0.*OUTBOX_TOKEN/)
  expect(warned({ HOST: '::', DEMO: '0', OUTBOX_TOKEN: 'sixteen-letters-long' })).toMatch(
    /enters any account/,
  )
  expect(warned({ PUBLIC_URL: 'http://guildhall.example' })).toMatch(/PUBLIC_URL=.*nobody reads its codes/)
  expect(warned({ HOST: '0.0.0.0' })).toMatch(/passwords of the demo accounts/)
})

it('an https address without a trusted proxy is named', () => {
  expect(warnedSending({ PUBLIC_URL: 'https://guildhall.example' })).toMatch(/TRUSTED_PROXIES/)
  expect(warnedSending({ PUBLIC_URL: 'https://guildhall.example', TRUSTED_PROXIES: '127.0.0.1' })).toBe('')
})

it('logins by a provider that nothing can be bound to are named', () => {
  const qq = { QQ_APP_ID: '1', QQ_APP_KEY: 'k', PUBLIC_URL: 'http://guildhall.example' }
  expect(warnedSending({ ...qq, REGISTRATION: 'invite' })).toMatch(/REGISTRATION=invite.*offered to nobody/)
  expect(warnedSending({ ...qq, REGISTRATION: 'invite,sms' })).toBe('')
})

it('logins by a provider without a public address are named', () => {
  const qq = { QQ_APP_ID: '1', QQ_APP_KEY: 'k' }
  expect(warnedSending(qq)).toMatch(/PUBLIC_URL/)
  expect(warnedSending({ ...qq, PUBLIC_URL: 'http://guildhall.example' })).toBe('')
})

it('a template of WeChat Pay without the key by which browsers sign is named, where one buys in browsers', () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const wechat = {
    WECHAT_APP_ID: 'wx0123456789abcdef',
    WECHAT_APP_SECRET: 'k',
    PUBLIC_URL: 'http://guildhall.example',
    WECHAT_PAY_MERCHANT: '1900000109',
    WECHAT_PAY_SERIAL: '5157F09E',
    WECHAT_PAY_PRIVATE_KEY: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    WECHAT_PAY_API_V3_KEY: 'k'.repeat(32),
    WECHAT_PAY_PLAN: '12535',
    PURCHASE_IN_BROWSER: '1',
  }
  expect(warnedSending(wechat)).toMatch(/WECHAT_PAY_V2_KEY.*renews itself/)
  expect(warnedSending({ ...wechat, WECHAT_PAY_V2_KEY: 'k'.repeat(32) })).toBe('')
  expect(warnedSending({ ...wechat, WECHAT_PAY_PLAN: '' })).toBe('')
  expect(warnedSending({ ...wechat, PURCHASE_IN_BROWSER: '' })).toBe('')
})
