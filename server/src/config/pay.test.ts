import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { ConfigError, readConfig } from '../config.ts'

const pair = generateKeyPairSync('rsa', { modulusLength: 2048 })
const privatePem = pair.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
const publicPem = pair.publicKey.export({ format: 'pem', type: 'spki' }).toString()
const base64Of = (pem: string) =>
  pem
    .split('\n')
    .filter((line) => !line.startsWith('-----'))
    .join('')

const WECHAT = {
  WECHAT_APP_ID: 'wx0123456789abcdef',
  WECHAT_APP_SECRET: 'a secret',
  WECHAT_PAY_MERCHANT: '1900000109',
  WECHAT_PAY_SERIAL: '5157F09EFDC096DE15EBE81A47057A7232F1B8E1',
  WECHAT_PAY_PRIVATE_KEY: privatePem,
  WECHAT_PAY_API_V3_KEY: 'k'.repeat(32),
}
const ALIPAY = {
  ALIPAY_APP_ID: '2021000000000000',
  ALIPAY_SELLER_ID: '2088000000000000',
  ALIPAY_PRIVATE_KEY: base64Of(privatePem),
  ALIPAY_PUBLIC_KEY: base64Of(publicPem),
}
const read = (env: Record<string, string>) => readConfig(env, '/srv/hall').pay
const production = { NODE_ENV: 'production', SMS_PROVIDER: 'tencent' }
const sms = {
  TENCENT_SECRET_ID: 'id',
  TENCENT_SECRET_KEY: 'key',
  TENCENT_SMS_APP_ID: '1400006666',
  TENCENT_SMS_SIGN_NAME: 'name',
  TENCENT_SMS_TEMPLATE_ID: '1',
}

const refusals: readonly (readonly [string, Record<string, string>, named: string])[] = [
  ['half of WeChat Pay', { ...WECHAT, WECHAT_PAY_SERIAL: '' }, 'WECHAT_PAY_SERIAL'],
  [
    'WeChat Pay without an official account',
    { ...WECHAT, WECHAT_APP_ID: '', WECHAT_APP_SECRET: '' },
    'WECHAT_APP_ID',
  ],
  ['an endpoint of nobody', { WECHAT_PAY_ENDPOINT: 'https://pay.example' }, 'WECHAT_PAY_MERCHANT'],
  ['a merchant of letters', { ...WECHAT, WECHAT_PAY_MERCHANT: 'shop' }, 'WECHAT_PAY_MERCHANT'],
  ['a key that is none', { ...WECHAT, WECHAT_PAY_PRIVATE_KEY: 'secret words' }, 'WECHAT_PAY_PRIVATE_KEY'],
  [
    'a public key in place of the private one',
    { ...WECHAT, WECHAT_PAY_PRIVATE_KEY: publicPem },
    'WECHAT_PAY_PRIVATE_KEY',
  ],
  ['an APIv3 key that is too short', { ...WECHAT, WECHAT_PAY_API_V3_KEY: 'short' }, 'WECHAT_PAY_API_V3_KEY'],
  [
    'a public key without its id',
    { ...WECHAT, WECHAT_PAY_PUBLIC_KEY: publicPem },
    'WECHAT_PAY_PUBLIC_KEY_ID',
  ],
  ['half of Alipay', { ...ALIPAY, ALIPAY_PUBLIC_KEY: '' }, 'ALIPAY_PUBLIC_KEY'],
  ['a seller of Alipay that is none', { ...ALIPAY, ALIPAY_SELLER_ID: '2077' }, 'ALIPAY_SELLER_ID'],
  ['a gateway that is no address', { ...ALIPAY, ALIPAY_ENDPOINT: 'alipay' }, 'ALIPAY_ENDPOINT'],
  ['a sandbox beside a real provider', { ...ALIPAY, PAY_SANDBOX: '1' }, 'PAY_SANDBOX'],
  ['a template of WeChat Pay that is no number', { ...WECHAT, WECHAT_PAY_PLAN: 'month' }, 'WECHAT_PAY_PLAN'],
  ['an APIv2 key that is too short', { ...WECHAT, WECHAT_PAY_V2_KEY: 'short' }, 'WECHAT_PAY_V2_KEY'],
  ['an APIv2 key without WeChat Pay', { WECHAT_PAY_V2_KEY: 'k'.repeat(32) }, 'WECHAT_PAY_MERCHANT'],
  ['a template without WeChat Pay', { WECHAT_PAY_PLAN: '12535' }, 'WECHAT_PAY_MERCHANT'],
  ['a scene of Alipay that is none', { ...ALIPAY, ALIPAY_SIGN_SCENE: 'monthly' }, 'ALIPAY_SIGN_SCENE'],
  ['an app of Apple without its number', { APPLE_BUNDLE_ID: 'com.example.hall' }, 'APPLE_APP_ID'],
  [
    'a root of Apple that is no certificate',
    { APPLE_BUNDLE_ID: 'com.example.hall', APPLE_APP_ID: '1234567890', APPLE_ROOT_CERTIFICATES: 'AAAA' },
    'APPLE_ROOT_CERTIFICATES',
  ],
  ['a sandbox in production', { ...production, ...sms, PAY_SANDBOX: '1' }, 'PAY_SANDBOX'],
  [
    'a sandbox of several nodes',
    { PAY_SANDBOX: '1', REDIS_URL: 'redis://127.0.0.1', DATABASE_URL: 'postgres://127.0.0.1/x' },
    'PAY_SANDBOX',
  ],
  ['a moved clock in production', { ...production, ...sms, CLOCK_OFFSET_S: '60' }, 'CLOCK_OFFSET_S'],
  ['a clock that is moved by words', { CLOCK_OFFSET_S: 'tomorrow' }, 'CLOCK_OFFSET_S'],
]
test.each(refusals)('%s is refused at start, by the name of the variable', (_what, env, named) => {
  expect(() => readConfig(env, '/srv/hall')).toThrow(ConfigError)
  expect(() => readConfig(env, '/srv/hall')).toThrow(named)
})

test('a refusal does not show a key', () => {
  const key = 'very-secret-words'
  expect(() => read({ ...WECHAT, WECHAT_PAY_PRIVATE_KEY: key })).not.toThrow(key)
  expect(() => read({ ...WECHAT, WECHAT_PAY_API_V3_KEY: key })).not.toThrow(key)
  expect(() => read({ ...WECHAT, WECHAT_PAY_V2_KEY: key })).not.toThrow(key)
})

test('keys are read as PEM, in one line, and as base64', () => {
  const oneLine = privatePem.replaceAll('\n', '\\n')
  for (const key of [privatePem, oneLine, base64Of(privatePem)])
    expect(read({ ...WECHAT, WECHAT_PAY_PRIVATE_KEY: key }).wechat?.privateKey).toBe(privatePem)
  for (const key of [publicPem, base64Of(publicPem)])
    expect(read({ ...ALIPAY, ALIPAY_PUBLIC_KEY: key }).alipay?.alipayPublicKey).toBe(publicPem)
})

test('with a real provider there is no sandbox, and without one there is, outside of production', () => {
  expect(read({ ...WECHAT }).sandbox).toBeNull()
  expect(read({ ...ALIPAY }).sandbox).toBeNull()
  expect(read({ ...production, ...sms }).sandbox).toBeNull()
  expect(read({ PAY_SANDBOX: '0' }).sandbox).toBeNull()
  expect(read({ PAY_SANDBOX_PORT: '8081' }).sandbox).toEqual({ port: 8081 })
})

test('without a template, a scene or an app nothing renews itself', () => {
  expect(read({ ...WECHAT }).wechat?.planId).toBeNull()
  expect(read({ ...WECHAT, WECHAT_PAY_PLAN: '12535' }).wechat?.planId).toBe('12535')
  expect(read({ ...WECHAT }).wechat?.apiV2Key).toBeNull()
  expect(read({ ...WECHAT, WECHAT_PAY_V2_KEY: 'k'.repeat(32) }).wechat?.apiV2Key).toBe('k'.repeat(32))
  expect(read({ ...ALIPAY }).alipay?.signScene).toBeNull()
  expect(read({ ...ALIPAY, ALIPAY_SIGN_SCENE: 'INDUSTRY|SOCIALIZATION' }).alipay?.signScene).toBe(
    'INDUSTRY|SOCIALIZATION',
  )
  expect(read({}).apple).toBeNull()
})

test('a moved clock is a whole number of seconds, into the past too', () => {
  expect(readConfig({ CLOCK_OFFSET_S: '-86400' }, '/srv/hall').clockOffsetMs).toBe(-86_400_000)
})
