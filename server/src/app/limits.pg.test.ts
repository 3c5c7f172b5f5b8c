import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestServer, type TestServer } from '../testing/server.ts'

// A tenth of the limits: 2 messages per channel and 4 in all within ten seconds, 6 wrong invites, 120 reads
// in a minute.
let server: TestServer
beforeAll(async () => {
  server = await openTestServer({ RATE_LIMIT_SCALE: '0.1', TRUSTED_PROXIES: '127.0.0.1', CAPTCHA: 'never' })
})
afterAll(() => server?.close())

async function ask(input: { url: string; token?: string; network?: string; body?: object }): Promise<number> {
  const answer = await fetch(`${server.url}${input.url}`, {
    method: input.body ? 'POST' : 'GET',
    headers: {
      'x-forwarded-for': input.network ?? '203.0.113.1',
      ...(input.token && { authorization: input.token }),
      ...(input.body && { 'content-type': 'application/json' }),
    },
    ...(input.body && { body: JSON.stringify(input.body) }),
  })
  await answer.arrayBuffer()
  return answer.status
}

const say = (token: string, channel: string, text: string) =>
  ask({
    url: `/api/v2/channels/${server.channel(channel)}/message`,
    token,
    body: { content: JSON.stringify({ content: text, type: 1 }), nonce: `limit-${channel}-${text}` },
  })

describe('messages', () => {
  it('of one person to one channel are refused when they are too many, and those of others are not', async () => {
    const [owner, admin] = [await server.login('owner'), await server.login('admin')]
    expect([
      await say(owner, '闲聊', '1'),
      await say(owner, '闲聊', '2'),
      await say(owner, '闲聊', '3'),
    ]).toEqual([200, 200, 429])
    expect(await say(admin, '闲聊', '1')).toBe(200)
  })

  it('of one person to all channels together are bounded, whatever the session', async () => {
    const answers: number[] = []
    const channels = server.world.channels.filter(
      ({ guild_id, type }) => guild_id === server.guildId && type === 1,
    )
    for (let n = 0; n < 6; n += 1)
      answers.push(await say(await server.login('member'), channels[n % 2]!.name, `all ${n}`))
    expect(answers.filter((status) => status === 429).length).toBeGreaterThanOrEqual(2)
  })
})

describe('invites', () => {
  const guess = (network: string, code: string) => ask({ url: `/api/v3/invite/view?id=${code}`, network })

  it('cannot be guessed from one network, by call or by page, and open elsewhere', async () => {
    const wrong = (n: number) => `zzzzz${n}`
    for (let n = 0; n < 6; n += 1) expect(await guess('198.51.100.7', wrong(n))).toBe(200)
    expect(await guess('198.51.100.7', wrong(7))).toBe(429)
    expect(await ask({ url: `/invite/${wrong(8)}`, network: '198.51.100.7' })).toBe(429)
    expect(await guess('198.51.100.8', wrong(9))).toBe(200)
  })

  it('cannot be guessed as the code that an account names either, and not by another account there', async () => {
    const [member, admin] = [await server.login('member'), await server.login('admin')]
    const name = (token: string, code: string, network: string) =>
      ask({ url: '/api/v3/user/update', token, network, body: { invite_code: code } })
    for (let n = 0; n < 6; n += 1) expect(await name(member, `ZZZZZZZ${n + 2}`, '198.51.100.19')).toBe(200)
    expect(await name(member, 'ZZZZZZZ9', '198.51.100.19')).toBe(429)
    expect(await name(admin, 'ZZZZZZZ9', '198.51.100.19')).toBe(429)
    expect(await name(admin, 'ZZZZZZZ9', '198.51.100.20')).toBe(200)
  })

  it('that exist may be opened as often as people like', async () => {
    for (let n = 0; n < 20; n += 1) expect(await guess('198.51.100.9', server.invite)).toBe(200)
  })
})

describe('addresses at which there is nothing', () => {
  it('are answered so often to one network, robots too, and then refused; others go on', async () => {
    const answers: number[] = []
    for (let n = 0; n < 32; n += 1)
      answers.push(await ask({ url: n % 2 ? `/g/nobody-${n}` : `/nothing-${n}`, network: '198.51.100.90' }))
    expect(answers).toEqual([...Array.from({ length: 30 }, () => 404), 429, 429])
    expect(await ask({ url: '/g/nobody', network: '198.51.100.91' })).toBe(404)
  })
})

describe('redeem codes', () => {
  it('cannot be guessed, one after another or sixty at once, and those of others are looked up', async () => {
    const guess = (token: string, n: number, network: string) =>
      ask({
        url: '/api/v3/coupon/exchange',
        token,
        network,
        body: { code: `ZZZZZ-ZZZZZ-ZZZZZ-${n + 10000}` },
      })
    const [member, admin] = [await server.login('member'), await server.login('admin')]
    const many = await Promise.all(
      Array.from({ length: 30 }, (_, n) => guess(member, n, `198.51.100.${n + 21}`)),
    )
    expect(many.filter((status) => status === 200)).toHaveLength(1)
    expect(await guess(admin, 1, '198.51.100.60')).toBe(200)
  })
})

describe('calls', () => {
  it('of one person are bounded over all sessions and networks', async () => {
    const tokens = [await server.login('outsider'), await server.login('outsider')]
    const answers: number[] = []
    for (let n = 0; n < 125; n += 1)
      answers.push(
        await ask({ url: '/api/v2/user/user-state', token: tokens[n % 2]!, network: `203.0.113.${n % 100}` }),
      )
    expect(answers.slice(0, 120).every((status) => status === 200)).toBe(true)
    expect(answers.slice(120)).toEqual([429, 429, 429, 429, 429])
  })

  it('of guests are bounded by network', async () => {
    const answers: number[] = []
    for (let n = 0; n < 65; n += 1)
      answers.push(
        await ask({
          url: '/api/v2/auth/login',
          network: '192.0.2.77',
          body: { mobile: '13800000001', password: '' },
        }),
      )
    expect(answers.at(0)).toBe(400)
    expect(answers.at(-1)).toBe(429)
    expect(
      await ask({ url: '/api/v2/auth/login', network: '192.0.2.78', body: { mobile: '1', password: '' } }),
    ).toBe(400)
  })
})
