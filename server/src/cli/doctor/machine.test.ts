import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Environment, readConfig } from '../../config.ts'
import { recordAddress } from '../../kit/servedAddress.ts'
import { KEYS_SECRET } from '../../testing/keys.ts'
import { listenHere } from '../../testing/listen.ts'
import { smsVariables } from '../../testing/outside/smsServer.ts'
import { openSmtpServer, smtpAccount } from '../../testing/outside/smtpServer.ts'
import { looking } from './finding.ts'
import { checkClock, checkConfiguration, checkDisk, checkKeys, checkServer } from './machine.ts'
import { addressesOf, checkBalances, checkMail, checkReach, checkReviewKeys } from './providers.ts'
import { checkSite } from './site.ts'

let dataDir: string
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'guildhall-doctor-'))
})
afterAll(() => rm(dataDir, { recursive: true, force: true }))

const configOf = (env: Environment = {}) => readConfig({ DATA_DIR: dataDir, KEYS_SECRET, ...env }, '/')
const worst = (found: readonly { readonly health: string }[]) => found.map(({ health }) => health)
/** A server that answers everything with a status. */
async function answering(status: number, body = '{}') {
  const server = createServer((_request, reply) => reply.writeHead(status).end(body))
  const url = await listenHere(server)
  return { url, close: () => new Promise((done) => server.close(done)) }
}

describe('the configuration', () => {
  it('is bad with a moved clock, and warns outside of production', () => {
    const found = checkConfiguration(configOf({ CLOCK_OFFSET_S: '60' }))
    expect(found.map(({ check, health }) => `${check} ${health}`)).toEqual([
      'configuration warn',
      'clock bad',
    ])
  })
})

describe('the face of the operator', () => {
  const EXAMPLE = path.join(import.meta.dirname, '../../../../deploy/site.example')

  it('is bad when the start would refuse it', async () => {
    expect(await checkSite(configOf({ SITE_DIR: '/no/such/folder' }))).toMatchObject([
      { health: 'bad', says: 'SITE_DIR: /no/such/folder cannot be read as a folder.' },
    ])
  })

  it('warns of a folder of which nothing is used, and of words in one language', async () => {
    const siteDir = await mkdtemp(path.join(tmpdir(), 'guildhall-site-'))
    expect(worst(await checkSite(configOf({ SITE_DIR: siteDir })))).toEqual(['warn'])
    await writeFile(path.join(siteDir, 'terms.en.md'), 'Be kind.')
    expect(await checkSite(configOf({ SITE_DIR: siteDir }))).toMatchObject([
      { health: 'ok', says: 'of SITE_DIR are used: terms.en.md' },
      { health: 'warn', says: expect.stringContaining('terms.en.md') },
    ])
    await rm(siteDir, { recursive: true })
  })

  it('is said with its files and its name', async () => {
    expect(worst(await checkSite(configOf()))).toEqual(['ok'])
    expect(await checkSite(configOf({ SITE_DIR: EXAMPLE }))).toMatchObject([
      {
        health: 'ok',
        says: 'of SITE_DIR are used: site.json, logo.svg, landing.zh-CN.md, landing.en.md; it is called 灯塔社',
      },
    ])
  })
})

describe('the clock', () => {
  it('is bad a minute off and warned of two seconds off, and the time of the question does not count', () => {
    expect(worst(checkClock({ before: 0, databaseNow: 61_000, after: 10 }))).toEqual(['bad'])
    expect(worst(checkClock({ before: 0, databaseNow: -3_000, after: 10 }))).toEqual(['warn'])
    expect(worst(checkClock({ before: 0, databaseNow: 4_000, after: 8_000 }))).toEqual(['ok'])
  })
})

describe('keys', () => {
  it('that are missing are bad in production, and elsewhere warned of', async () => {
    const config = configOf({ KEYS_SECRET: '' })
    const [first] = await checkKeys({ ...config, production: true })
    expect(first).toMatchObject({ health: 'bad', says: expect.stringContaining('keys create') })
    expect(worst(await checkKeys(config))).toEqual(['warn'])
  })

  it('that others may read are bad; a file of this machine alone is warned of', async () => {
    expect(worst(await checkKeys(configOf()))).toEqual(['ok'])
    const file = path.join(dataDir, 'keys', 'real-name.key')
    await mkdir(path.dirname(file), { mode: 0o700 })
    await writeFile(file, Buffer.alloc(32), { mode: 0o600 })
    expect(worst(await checkKeys(configOf()))).toEqual(['warn'])
    await chmod(file, 0o644)
    const [first] = await checkKeys(configOf())
    expect(first).toMatchObject({ health: 'bad', do: `chmod go-rwx ${file}` })
  })
})

describe('the disk', () => {
  it('is bad below the reserve', async () => {
    await mkdir(path.join(dataDir, 'uploads'))
    expect(worst(await checkDisk(configOf({ DISK_RESERVE_MB: '2000000' })))).toEqual(['bad'])
  })
})

describe('the server', () => {
  it('is warned of when none started, and bad when it is away or not ready', async () => {
    expect(worst(await checkServer(configOf()))).toEqual(['warn'])
    await recordAddress(dataDir, 'http://127.0.0.1:1')
    expect(worst(await checkServer(configOf()))).toEqual(['bad'])
    const ill = await answering(503, '{"ok":false,"database":false}')
    await recordAddress(dataDir, ill.url)
    const [found] = await checkServer(configOf())
    await ill.close()
    expect(found?.says).toContain('is not ready: database')
    const well = await answering(200, '{"ok":true}')
    await recordAddress(dataDir, well.url)
    expect(worst(await checkServer(configOf()))).toEqual(['ok'])
    await well.close()
  })
})

describe('a provider', () => {
  it('that cannot be reached says what does not work without it; a refusal is an answer', async () => {
    const away = await checkReach({ name: 'Alipay', url: 'http://127.0.0.1:1', without: 'nobody pays' })
    expect(away).toMatchObject({ health: 'bad', says: expect.stringContaining('nobody pays') })
    const refusing = await answering(403)
    const it = { name: 'Alipay', url: refusing.url, without: '' }
    expect(await checkReach(it)).toMatchObject({ health: 'ok' })
    await refusing.close()
  })

  it('is looked at when the configuration names it alone', () => {
    expect(addressesOf(configOf())).toEqual([])
    const s3 = {
      S3_ENDPOINT: 'https://{bucket}.s3.example',
      S3_BUCKET: 'halls',
      S3_ACCESS_KEY_ID: 'a',
      S3_SECRET_ACCESS_KEY: 'b',
    }
    expect(addressesOf(configOf(s3))).toMatchObject([{ url: 'https://halls.s3.example' }])
  })
})

describe('the review service', () => {
  const reviewOf = (more: Environment = {}) =>
    configOf({
      CONTENT_REVIEW: 'tencent',
      CONTENT_REVIEW_SECRET_ID: 'AKIDx',
      CONTENT_REVIEW_SECRET_KEY: 'k',
      ...more,
    })

  it('is looked at where texts and pictures are judged, and says what its absence does', () => {
    expect(addressesOf(reviewOf())).toEqual([
      {
        name: 'the review of texts',
        url: 'https://tms.tencentcloudapi.com',
        without: 'every message waits for staff, and names are refused',
      },
      {
        name: 'the review of pictures',
        url: 'https://ims.tencentcloudapi.com',
        without: 'messages with new pictures wait for staff',
      },
    ])
    const [text] = addressesOf(reviewOf({ CONTENT_REVIEW_DOWN: 'pass' }))
    expect(text).toMatchObject({ without: 'texts pass unjudged' })
    expect(addressesOf(configOf({ CONTENT_REVIEW: 'local' }))).toEqual([])
  })

  it('that refuses the keys says which variables to look at; one that judges is fine', async () => {
    const refusing = await answering(200, '{"Response":{"Error":{"Code":"AuthFailure.SignatureFailure"}}}')
    const [found] = await checkReviewKeys(reviewOf({ CONTENT_REVIEW_ENDPOINT: refusing.url }))
    await refusing.close()
    expect(found).toMatchObject({
      health: 'bad',
      says: expect.stringContaining('AuthFailure.SignatureFailure'),
      do: expect.stringContaining('CONTENT_REVIEW_SECRET_KEY'),
    })
    const judging = await answering(200, '{"Response":{"Suggestion":"Pass","Label":"Normal"}}')
    expect(worst(await checkReviewKeys(reviewOf({ CONTENT_REVIEW_ENDPOINT: judging.url })))).toEqual(['ok'])
    await judging.close()
  })

  it('that is away, a stand-in, or none, has no line about keys', async () => {
    const away = { CONTENT_REVIEW_ENDPOINT: 'http://127.0.0.1:1' }
    expect(await checkReviewKeys(reviewOf(away))).toEqual([])
    expect(await checkReviewKeys(configOf({ CONTENT_REVIEW: 'local' }))).toEqual([])
    expect(await checkReviewKeys(configOf())).toEqual([])
  })
})

describe('the balance of who sends codes', () => {
  const smsOf = (url: string) => configOf({ ...smsVariables(url) })
  const answeredWith = async (body: string) => {
    const provider = await answering(200, body)
    const found = await checkBalances(smsOf(provider.url))
    await provider.close()
    return found
  }

  it('is warned of when it is low, and when it is not told', async () => {
    const both = (yuan: string, fen: number) =>
      answeredWith(`{"Code":"Success","Data":{"AvailableAmount":"${yuan}"},"Response":{"Balance":${fen}}}`)
    expect(worst(await both('1,234.50', 99_900))).toEqual(['ok', 'ok'])
    expect(await both('12.50', 0)).toMatchObject([
      { health: 'warn', says: 'SMS by aliyun: 12.50 yuan are left.' },
      { health: 'bad', says: 'SMS by tencent: 0.00 yuan are left.' },
    ])
    const refused = '{"Code":"NotAuthorized","Response":{"Error":{"Code":"UnauthorizedOperation"}}}'
    expect(await answeredWith(refused)).toMatchObject([
      { health: 'warn', says: expect.stringContaining('not known: NotAuthorized') },
      { health: 'warn', says: expect.stringContaining('not known: UnauthorizedOperation') },
    ])
  })

  it('has no line without a provider', async () => {
    expect(await checkBalances(configOf())).toEqual([])
  })
})

describe('the mail server', () => {
  const mailOf = (url: string) =>
    configOf({ REGISTRATION: 'email', SMTP_URL: url, MAIL_FROM: 'no-reply@guildhall.example' })

  it('is bad when it is away, silent, or refuses the account, without the password', async () => {
    expect(await checkMail(mailOf('smtp://127.0.0.1:1'))).toMatchObject([
      {
        health: 'bad',
        says: expect.stringMatching(/127\.0\.0\.1:1 .*ECONNREFUSED.*nobody gets a code/),
        do: expect.stringContaining('SMTP_URL'),
      },
    ])
    const server = await openSmtpServer()
    const [refused] = await checkMail(mailOf(server.url.replace(smtpAccount.password, 'wrong-secret')))
    expect(refused).toMatchObject({
      health: 'bad',
      says: expect.stringContaining('535'),
      do: expect.stringMatching(/password/),
    })
    expect(JSON.stringify(refused)).not.toContain('wrong-secret')
    server.fault('silent')
    expect(await checkMail(mailOf(server.url), 300)).toMatchObject([{ health: 'bad' }])
    await server.close()
  })

  it('is fine when it takes the account, and nothing is sent', async () => {
    const server = await openSmtpServer()
    expect(await checkMail(mailOf(server.url))).toMatchObject([
      { health: 'ok', says: expect.stringContaining('127.0.0.1') },
    ])
    expect(server.accepted).toEqual([])
    await server.close()
  })

  it('has no line where nobody registers by mail', async () => {
    expect(await checkMail(configOf())).toEqual([])
    const unused = { ...mailOf('smtp://127.0.0.1:1').registration, ways: ['invite'] as const }
    expect(await checkMail({ registration: unused })).toEqual([])
  })
})

it('a check that breaks is a finding, and keeps no other from running', async () => {
  const found = await looking('ledger', () => Promise.reject(new Error('no such table')))
  expect(found).toMatchObject([
    { check: 'ledger', health: 'bad', says: expect.stringContaining('no such table') },
  ])
})
