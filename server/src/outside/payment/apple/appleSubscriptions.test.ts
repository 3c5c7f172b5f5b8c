import 'reflect-metadata'
import { createPrivateKey, type KeyObject, sign } from 'node:crypto'
import { BasicConstraintsExtension, Extension, X509CertificateGenerator } from '@peculiar/x509'
import { beforeAll, describe, expect, it, test } from 'vitest'
import { type AppleSubscriptions, openAppleSubscriptions } from './appleSubscriptions.ts'

const EC = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
const NULL = new Uint8Array([5, 0]).buffer
/** What marks Apple's intermediate certificate, and the one that signs messages. */
const MARKS = { intermediate: '1.2.840.113635.100.6.2.1', leaf: '1.2.840.113635.100.6.11.1' }
const BUNDLE = 'com.example.hall'
const APP_ID = 1_234_567_890
const NOW = Date.now()

interface Chain {
  readonly root: Uint8Array
  readonly x5c: readonly string[]
  readonly key: KeyObject
}

async function makeChain(): Promise<Chain> {
  const pair = () => crypto.subtle.generateKey(EC, true, ['sign', 'verify'])
  const [rootKeys, middleKeys, leafKeys] = await Promise.all([pair(), pair(), pair()])
  const dates = { notBefore: new Date(NOW - 86_400_000), notAfter: new Date(NOW + 86_400_000) }
  const common = { ...dates, signingAlgorithm: EC }
  const root = await X509CertificateGenerator.createSelfSigned({
    ...common,
    serialNumber: '01',
    name: 'CN=Root',
    keys: rootKeys,
    extensions: [new BasicConstraintsExtension(true, 2, true)],
  })
  const middle = await X509CertificateGenerator.create({
    ...common,
    serialNumber: '02',
    subject: 'CN=Middle',
    issuer: root.subject,
    publicKey: middleKeys.publicKey,
    signingKey: rootKeys.privateKey,
    extensions: [
      new BasicConstraintsExtension(true, 1, true),
      new Extension(MARKS.intermediate, false, NULL),
    ],
  })
  const leaf = await X509CertificateGenerator.create({
    ...common,
    serialNumber: '03',
    subject: 'CN=Leaf',
    issuer: middle.subject,
    publicKey: leafKeys.publicKey,
    signingKey: middleKeys.privateKey,
    extensions: [new Extension(MARKS.leaf, false, NULL)],
  })
  const secret = Buffer.from(await crypto.subtle.exportKey('pkcs8', leafKeys.privateKey))
  return {
    root: new Uint8Array(root.rawData),
    x5c: [leaf, middle, root].map((it) => Buffer.from(it.rawData).toString('base64')),
    key: createPrivateKey({ key: secret, format: 'der', type: 'pkcs8' }),
  }
}

const part = (it: object): string => Buffer.from(JSON.stringify(it)).toString('base64url')
/** What Apple signs (JWS, ES256). */
function signed({ x5c, key }: Chain, content: object): string {
  const text = `${part({ alg: 'ES256', x5c })}.${part(content)}`
  return `${text}.${sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
}
const transaction = {
  originalTransactionId: '2000000000000001',
  transactionId: '2000000000000002',
  bundleId: BUNDLE,
  productId: 'com.example.hall.buff.1001',
  appAccountToken: '00000000-0000-4000-8000-000100000003',
  environment: 'Production',
  signedDate: NOW,
  expiresDate: NOW + 1_000_000,
  type: 'Auto-Renewable Subscription',
}
const message = (
  chain: Chain,
  change: { transaction?: object; renewal?: object; data?: object; message?: object } = {},
): string =>
  signed(chain, {
    notificationType: 'DID_RENEW',
    notificationUUID: 'a',
    version: '2.0',
    signedDate: NOW,
    ...change.message,
    data: {
      appAppleId: APP_ID,
      bundleId: BUNDLE,
      environment: 'Production',
      signedTransactionInfo: signed(chain, { ...transaction, ...change.transaction }),
      signedRenewalInfo: signed(chain, {
        environment: 'Production',
        signedDate: NOW,
        autoRenewStatus: 1,
        ...change.renewal,
      }),
      ...change.data,
    },
  })

let [chain, other]: Chain[] = []
let apple: AppleSubscriptions
beforeAll(async () => {
  ;[chain, other] = await Promise.all([makeChain(), makeChain()])
  const config = { bundleId: BUNDLE, appId: APP_ID, roots: [chain!.root], isSandbox: false }
  apple = openAppleSubscriptions(config, { asksApple: false })
})
const whyBad = (payload: string) =>
  apple.read(payload).then(
    () => 'taken',
    (error) => error.why ?? String(error),
  )

describe('a message is refused', () => {
  test('when another root signed it, in whole or in part', async () => {
    expect(await whyBad(message(other!))).toBe('signature')
    const mixed = signed(chain!, {
      notificationType: 'DID_RENEW',
      notificationUUID: 'a',
      version: '2.0',
      signedDate: NOW,
      data: {
        appAppleId: APP_ID,
        bundleId: BUNDLE,
        environment: 'Production',
        signedTransactionInfo: signed(other!, transaction),
        signedRenewalInfo: signed(chain!, { environment: 'Production', signedDate: NOW, autoRenewStatus: 1 }),
      },
    })
    expect(await whyBad(mixed)).toBe('signature')
  })
  test('when it was changed, or is none', async () => {
    const [head, body = '', signature] = message(chain!).split('.')
    const content = JSON.parse(Buffer.from(body, 'base64url').toString()) as object
    const changed = `${head}.${part({ ...content, notificationType: 'REFUND' })}.${signature}`
    for (const payload of [changed, 'x', 'a.b.c', `${head}.${body}.`])
      expect(await whyBad(payload)).toBe('signature')
  })
  test.each([
    ['another app', { data: { bundleId: 'com.example.other' } }],
    ['another number', { data: { appAppleId: 5 } }],
    ['testers', { data: { environment: 'Sandbox' } }],
    ['another app inside', { transaction: { bundleId: 'com.example.other' } }],
    ['testers inside', { renewal: { environment: 'Sandbox' } }],
  ])('of %s', async (_what, change) => {
    expect(await whyBad(message(chain!, change))).toBe('signature')
  })
})

describe('a genuine message', () => {
  test('says whose subscription lasts until when', async () => {
    expect(await apple.read(message(chain!))).toEqual({
      subscription: '2000000000000001',
      account: transaction.appAccountToken,
      product: transaction.productId,
      lastsUntil: transaction.expiresDate,
      renews: true,
      notifiedAt: NOW,
    })
  })
  test('says that it will not renew, or was given back', async () => {
    expect(await apple.read(message(chain!, { renewal: { autoRenewStatus: 0 } }))).toMatchObject({
      renews: false,
    })
    const back = { revocationDate: NOW - 5 }
    expect(await apple.read(message(chain!, { transaction: back }))).toMatchObject({
      renews: false,
      lastsUntil: NOW - 5,
    })
  })
  test('of something else is nothing', async () => {
    expect(await apple.read(message(chain!, { transaction: { appAccountToken: undefined } }))).toBeNull()
    expect(await apple.read(message(chain!, { data: { signedRenewalInfo: undefined } }))).toBeNull()
  })
})

describe('what Apple sends otherwise than documented', () => {
  const notification = {
    subscription: '2000000000000001',
    account: transaction.appAccountToken,
    product: transaction.productId,
    lastsUntil: transaction.expiresDate,
    renews: true,
    notifiedAt: NOW,
  }

  it.each([
    ['a type that is new', { message: { notificationType: 'SOMETHING_NEW' } }],
    ['a subtype that is new', { message: { subtype: 'SOMETHING_NEW' } }],
    [
      'members of a later version',
      { message: { new_one: 1 }, transaction: { new_one: [1] }, renewal: { new_one: {} } },
    ],
    ['a version of a later one', { message: { version: '2.99' } }],
    ['a type of purchase that is new', { transaction: { type: 'Something New', inAppOwnershipType: 'NEW' } }],
    ['an intent and a status that are new', { renewal: { expirationIntent: 99 }, data: { status: 99 } }],
    ['no type at all', { message: { notificationType: undefined } }],
    ['that a refund was taken back', { message: { notificationType: 'REFUND_REVERSED' } }],
  ])('is understood: %s', async (_what, change) => {
    expect(await apple.read(message(chain!, change))).toEqual(notification)
  })

  it('may not be charged again, as long as nobody knows: a state of renewal that is new, or none', async () => {
    for (const autoRenewStatus of [2, undefined])
      expect(await apple.read(message(chain!, { renewal: { autoRenewStatus } }))).toEqual({
        ...notification,
        renews: false,
      })
  })

  const data = (more: object) => ({
    notificationUUID: 'a',
    version: '2.0',
    signedDate: NOW,
    ...more,
  })
  const app = { appAppleId: APP_ID, bundleId: BUNDLE, environment: 'Production' }
  const bought = () => signed(chain!, { ...transaction, type: 'Non-Consumable', expiresDate: undefined })
  it.each([
    ['a test', () => data({ notificationType: 'TEST', data: app })],
    [
      'the sum of many extensions',
      () =>
        data({
          notificationType: 'RENEWAL_EXTENSION',
          subtype: 'SUMMARY',
          summary: { ...app, requestIdentifier: 'r', productId: 'p', succeededCount: 1, failedCount: 0 },
        }),
    ],
    [
      'a purchase outside',
      () =>
        data({
          notificationType: 'EXTERNAL_PURCHASE_TOKEN',
          externalPurchaseToken: { ...app, externalPurchaseId: 'x', tokenCreationDate: NOW },
        }),
    ],
    ['an app whose consent ended', () => data({ notificationType: 'RESCIND_CONSENT', appData: app })],
    [
      'one purchase',
      () => data({ notificationType: 'ONE_TIME_CHARGE', data: { ...app, signedTransactionInfo: bought() } }),
    ],
    [
      'a request for what was used',
      () =>
        data({ notificationType: 'CONSUMPTION_REQUEST', data: { ...app, signedTransactionInfo: bought() } }),
    ],
  ])('is nothing for a person: %s', async (_what, make) => {
    expect(await apple.read(signed(chain!, make()))).toBeNull()
  })

  it.each([
    ['no person', { appAccountToken: undefined }],
    ['an empty person', { appAccountToken: '' }],
    ['no end', { expiresDate: undefined }],
    ['no number', { originalTransactionId: '' }],
    ['no product', { productId: '' }],
  ])('is nothing for a person: a subscription with %s', async (_what, change) => {
    expect(await apple.read(message(chain!, { transaction: change }))).toBeNull()
  })

  it.each([
    ['null for the end', { transaction: { expiresDate: null } }],
    ['null for the person', { transaction: { appAccountToken: null } }],
    ['an end in text', { transaction: { expiresDate: String(transaction.expiresDate) } }],
    ['an object for the person', { transaction: { appAccountToken: {} } }],
    ['a state of renewal in text', { renewal: { autoRenewStatus: '1' } }],
    ['a time of signing in text', { message: { signedDate: String(NOW) } }],
    ['an environment in small letters', { data: { environment: 'production' } }],
    ['Xcode’s environment', { data: { environment: 'Xcode' } }],
    [
      'an environment of this machine',
      { data: { environment: 'LocalTesting' }, transaction: { environment: 'LocalTesting' } },
    ],
  ])('is not taken, so that it comes again: %s', async (_what, change) => {
    expect(await whyBad(message(chain!, change))).toBe('signature')
  })
})
