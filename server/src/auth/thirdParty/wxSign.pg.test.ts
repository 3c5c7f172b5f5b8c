import { HOUR_MS, SECOND_MS } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { replaceClock } from '../../kit/clock.ts'
import { openWeixinTickets } from '../../outside/login/weixin.ts'
import { refusalOf } from '../../testing/calls.ts'
import { openTestDatabase, type TestDatabase } from '../../testing/database/database.ts'
import { openProviderServer, type ProviderServer } from '../../testing/pay/providerServer.ts'
import { signatureOf, WxSigner } from './wxSign.ts'

const origin = 'https://hall.example'
let provider: ProviderServer
let database: TestDatabase
let restore: () => void = () => undefined
beforeAll(async () => {
  provider = await openProviderServer()
  database = await openTestDatabase()
})
afterAll(async () => {
  await database?.close()
  await provider?.close()
})
beforeEach(() => sql`delete from provider_grant`.execute(database.db))
afterEach(() => {
  restore()
  restore = () => undefined
  for (const path of ['/cgi-bin/token', '/cgi-bin/ticket/getticket']) provider.faultMode(path, null)
})

/** A node. */
const open = () =>
  new WxSigner(database.db, openWeixinTickets({ ...provider.apps.weixin, endpoint: provider.url }))
const timesAsked = (path: string) => provider.asked.filter((each) => each === path).length
const later = (ms: number) => {
  restore()
  restore = replaceClock(() => Date.now() + ms)
}

it('the signature is that of the published example', () => {
  expect(
    signatureOf({
      ticket: 'sM4AOVdWfPE4DxkXGEs8VMCPGGVi4C3VM0P37wVUCFvkVAy_90u5h9nbSlYy3-Sl-HhTdfl2fzFy1AOcHKP7qg',
      nonceStr: 'Wm3WZYTPz0wzccnW',
      timestamp: 1_414_587_457,
      page: 'http://mp.weixin.qq.com?params=value',
    }),
  ).toBe('0f9de62fce790f9a083d5c99e95740ceb90c27ed')
})

describe('a page that is not of this site is not signed', () => {
  it.each([
    'https://evil.example/',
    'https://hall.example.evil.example/',
    'https://hall.example@evil.example/',
    'http://hall.example/',
    'https://user@hall.example/',
    'https://hall.example:444/',
    '//hall.example/',
    '/channels/',
    'javascript:alert(1)',
    'HTTPS://HALL.example/',
    'https://hall.example/ x&jsapi_ticket=y\n',
    '',
  ])('%j', async (address) => {
    expect(await refusalOf(open().sign(address, origin))).toBe('auth.page_elsewhere')
  })

  it('nor is any without WeChat', async () => {
    expect(await refusalOf(new WxSigner(database.db, null).sign(`${origin}/`, origin))).toBe(
      'auth.third_part_off',
    )
  })
})

describe('a page of this site', () => {
  it('is signed as it is shown, without its fragment', async () => {
    const shown = `${origin}/invite/abc?x=%E4%B8%AD`
    const it = await open().sign(`${shown}#part`, origin)
    const { rows } = await sql<{ value: string }>`
      select value from provider_grant where name like 'weixin ticket%'`.execute(database.db)
    expect(it).toEqual({
      appId: 'wxaccount',
      timestamp: it.timestamp,
      nonceStr: expect.stringMatching(/^\w{16}$/),
      signature: signatureOf({ ...it, ticket: rows[0]!.value, page: shown }),
    })
    expect(Math.abs(it.timestamp - Date.now() / SECOND_MS)).toBeLessThan(60)
  })

  it('is signed by twenty nodes with one question for the token and one for the ticket', async () => {
    const before = [timesAsked('/cgi-bin/token'), timesAsked('/cgi-bin/ticket/getticket')]
    await Promise.all(Array.from({ length: 20 }, () => open().sign(`${origin}/`, origin)))
    expect([timesAsked('/cgi-bin/token'), timesAsked('/cgi-bin/ticket/getticket')]).toEqual(
      before.map((count) => count + 1),
    )
  })

  it('is signed with a new ticket before the old one ends, and with the old one while WeChat is away', async () => {
    const node = open()
    await node.sign(`${origin}/`, origin)
    const ticket = async () =>
      (
        await sql<{ value: string }>`select value from provider_grant where name like '%ticket%'`.execute(
          database.db,
        )
      ).rows[0]?.value
    const first = await ticket()
    later(2 * HOUR_MS - 60 * SECOND_MS)
    provider.faultMode('/cgi-bin/token', { status: 503 })
    provider.faultMode('/cgi-bin/ticket/getticket', { status: 503 })
    await node.sign(`${origin}/`, origin)
    expect(await ticket()).toBe(first)
    for (const path of ['/cgi-bin/token', '/cgi-bin/ticket/getticket']) provider.faultMode(path, null)
    await node.sign(`${origin}/`, origin)
    expect(await ticket()).not.toBe(first)
  })

  it('is signed after somebody else ended the access token', async () => {
    await open().sign(`${origin}/`, origin)
    await sql`update provider_grant set value = 'ended' where name like '%token%'`.execute(database.db)
    await sql`update provider_grant set expires_at = 0 where name like '%ticket%'`.execute(database.db)
    expect((await open().sign(`${origin}/`, origin)).signature).toMatch(/^[0-9a-f]{40}$/)
  })

  it('is refused while WeChat does not answer and there is no ticket', async () => {
    provider.faultMode('/cgi-bin/token', 'hang up')
    expect(await refusalOf(open().sign(`${origin}/`, origin))).toBe('auth.third_part_failed')
    provider.faultMode('/cgi-bin/token', null)
    expect((await open().sign(`${origin}/`, origin)).appId).toBe('wxaccount')
  })

  it('is signed after a node died while it renewed', async () => {
    await sql`insert into provider_grant (name, renewing_until)
      values ('weixin ticket wxaccount', ${Date.now() + 8 * SECOND_MS})`.execute(database.db)
    later(9 * SECOND_MS)
    expect((await open().sign(`${origin}/`, origin)).appId).toBe('wxaccount')
  })
})
