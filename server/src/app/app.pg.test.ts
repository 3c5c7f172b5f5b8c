import { glob, readFile } from 'node:fs/promises'
import path from 'node:path'
import { Writable } from 'node:stream'
import { logout } from '@guildhall/wire/auth/auth.ts'
import { userState } from '@guildhall/wire/auth/userState.ts'
import { sendToChannel } from '@guildhall/wire/message/message.ts'
import { HOUR_MS } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Config, readConfig } from '../config.ts'
import type { World } from '../demo/world.ts'
import { replaceClock } from '../kit/clock.ts'
import { inDatabase, quoteName, withConnection } from '../kit/database/db.ts'
import { openLog } from '../kit/log.ts'
import { openConnection as connect } from '../testing/connection.ts'
import { openTestDatabase } from '../testing/database/database.ts'
import { KEYS_SECRET } from '../testing/keys.ts'
import { openWorld, type TestWorld } from '../testing/world.ts'
import { startApp } from './app.ts'

let world: TestWorld
let config: Config
let port: number
beforeAll(async () => {
  world = await openWorld()
  const address = await world.app.listen()
  port = Number(new URL(address).port)
  config = readConfig({ KEYS_SECRET, DATABASE_URL: world.database.url }, '/')
})
afterAll(() => world.close())

const get = (url: string) => world.app.inject({ method: 'GET', url })

const openConnection = (gatewayUrl: string) => connect(gatewayUrl, port)

it('is alive, and ready while its database and its bus answer', async () => {
  expect(JSON.parse((await get('/healthz')).text)).toEqual({ ok: true })
  const ready = await get('/readyz')
  expect([ready.status, JSON.parse(ready.text)]).toEqual([
    200,
    { ok: true, database: true, bus: true, disk: true },
  ])
})

it('is not ready while it drains, so that no balancer leads anybody to it', async () => {
  const database = await openTestDatabase()
  const app = await startApp({ config: { ...config, demo: false }, database, log: openLog('quiet') })
  const asked = app.inject({ method: 'GET', url: '/readyz' })
  await app.close()
  const { status, text } = await asked
  expect([status, JSON.parse(text)]).toMatchObject([503, { ok: false, database: true, draining: true }])
  await database.close()
})

it('is alive and not ready while its database is unavailable, and calls are refused without a stack', async () => {
  const database = await openTestDatabase()
  const app = await startApp({ config: { ...config, demo: false }, database, log: openLog('quiet') })
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(database.db)
  const name = quoteName(rows[0]?.name ?? '')
  await withConnection(inDatabase(database.connection, 'postgres'), (query) =>
    query(`drop database ${name} with (force)`),
  )
  expect((await app.inject({ method: 'GET', url: '/healthz' })).status).toBe(200)
  const ready = await app.inject({ method: 'GET', url: '/readyz' })
  expect([ready.status, JSON.parse(ready.text)]).toMatchObject([503, { ok: false, database: false }])
  const call = await app.inject({ method: 'GET', url: '/api/v3/invite/view?id=ABCDEF' })
  expect([call.status, JSON.parse(call.text).data]).toEqual([
    503,
    { error: 'unavailable', name: 'Service Unavailable', status: 503 },
  ])
  // The alarms are read from here: without the database they are needed most.
  const metrics = await app.inject({ method: 'GET', url: '/metrics', remoteAddress: '127.0.0.1' })
  expect([metrics.status, ...readyLines(metrics.text)]).toEqual([
    200,
    'guildhall_ready{part="database"} 0',
    expect.stringMatching(/^guildhall_ready\{part="bus"\} [01]$/),
    'guildhall_ready{part="disk"} 1',
  ])
  await app.close()
  await database.close()
})

const readyLines = (page: string) => page.split('\n').filter((line) => line.startsWith('guildhall_ready{'))
const metricOf = (page: string, name: string) =>
  Number(
    page
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.slice(name.length),
  )

it('counts its ready parts, and how far its clock is from that of the database', async () => {
  const read = async () => (await get('/metrics')).text
  expect(readyLines(await read())).toEqual([
    'guildhall_ready{part="database"} 1',
    'guildhall_ready{part="bus"} 1',
    'guildhall_ready{part="disk"} 1',
  ])
  expect(Math.abs(metricOf(await read(), 'guildhall_clock_offset_seconds'))).toBeLessThan(30)
  const restore = replaceClock(() => Date.now() - 3 * HOUR_MS)
  const offset = metricOf(await read(), 'guildhall_clock_offset_seconds')
  restore()
  expect(Math.round(offset / 600)).toBe(-18)
})

it('does every kind of job that a noun declares', async () => {
  const declared: string[] = []
  for await (const file of glob(path.join(import.meta.dirname, '../*/*.ts'), { exclude: ['**/*.test.ts'] })) {
    const source = await readFile(file, 'utf8')
    declared.push(...[...source.matchAll(/jobKind\(\{\s*name: '([a-z-]+)'/g)].map((match) => match[1]!))
  }
  const page = (await get('/metrics')).text
  const done = [...page.matchAll(/guildhall_jobs\{queue="([a-z-]+)",state="failed"\}/g)].map(
    (match) => match[1]!,
  )
  expect(declared).toContain('grant-order')
  expect(declared.filter((name) => !done.includes(name))).toEqual([])
})

it('shows metrics to this machine; with a token only to its bearer; in production without a token to nobody', async () => {
  const read = (app: TestWorld['app'], headers: Record<string, string>, remoteAddress: string) =>
    app.inject({ method: 'GET', url: '/metrics', headers, remoteAddress })
  await world.as('member').call(sendToChannel, { id: world.main.id, content: '悄悄话', nonce: 'metrics' })
  expect((await read(world.app, {}, '192.0.2.7')).status).toBe(404)
  const page = await read(world.app, {}, '127.0.0.1')
  expect([page.status, page.headers['content-type']]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
  ])
  expect(page.text).toMatch(/guildhall_commit_batch_messages_sum [1-9]/)
  expect(page.text).toMatch(
    /_count\{method="POST",route="\/api\/v2\/channels\/:id\/message",status="200"\} [1-9]/,
  )
  // Seconds and bytes may have the same digits after a point.
  for (const secret of [world.main.id, world.people.member.id, world.people.member.mobile, '悄悄话'])
    expect(page.text).not.toMatch(new RegExp(`(?<![\\d.])${secret}`))

  const database = await openTestDatabase()
  const open = (more: Partial<Config>) =>
    startApp({ config: { ...config, demo: false, ...more }, database, log: openLog('quiet') })
  const silent = await open({ production: true })
  expect((await read(silent, {}, '127.0.0.1')).status).toBe(404)
  await silent.close()
  const metricsToken = 'a-token-of-the-operator'
  const withToken = await open({ production: true, metricsToken })
  const as = async (headers: Record<string, string>) => (await read(withToken, headers, '192.0.2.7')).status
  expect(await as({ authorization: `Bearer ${metricsToken}` })).toBe(200)
  expect(await as({ authorization: `Bearer ${metricsToken}x` })).toBe(404)
  expect(await as({ authorization: metricsToken })).toBe(404)
  expect((await read(withToken, {}, '127.0.0.1')).status).toBe(404)
  await withToken.close()
  await database.close()
})

it('codes can be read in development, newest first, and the endpoint does not exist in production', async () => {
  const mobile = '13400000001'
  const payload = JSON.stringify({ mobile })
  await world.app.inject({ method: 'POST', url: '/api/v3/auth/phone-verification', payload })
  const sent = JSON.parse((await get(`/dev/outbox?mobile=${mobile}`)).text)
  expect(sent).toEqual([
    { mobile, prefix: '86', code: expect.stringMatching(/^\d{6}$/), type: 'login', at: expect.any(Number) },
  ])
  expect(JSON.parse((await get('/dev/outbox')).text)[0]).toEqual(sent[0])
  const database = await openTestDatabase()
  const production = { ...config, demo: false, production: true }
  const app = await startApp({ config: production, database, log: openLog('quiet') })
  for (const url of ['/dev/outbox', '/dev/captcha', '/dev/shell', '/dev/store/ios'])
    expect((await app.inject({ method: 'GET', url })).status).toBe(404)
  const framed = await app.inject({ method: 'GET', url: '/', headers: { 'sec-fetch-dest': 'iframe' } })
  expect(framed.headers['content-security-policy']).toContain("frame-ancestors 'none'")
  await app.close()
  await database.close()
})

it('codes are read on this machine or with OUTBOX_TOKEN, and for everybody else the outbox does not exist', async () => {
  const outboxToken = 'a-token-of-the-developer'
  const database = await openTestDatabase()
  const open = (more: Partial<Config>) =>
    startApp({ config: { ...config, demo: false, ...more }, database, log: openLog('quiet') })
  const closed = await open({ trustedProxies: ['127.0.0.1'] })
  const withToken = await open({ outboxToken })
  const ask = (
    query: string,
    headers: Record<string, string> = {},
    remoteAddress = '192.0.2.7',
    path = '/dev/outbox',
  ) => ({
    method: 'GET' as const,
    url: `${path}${query}`,
    remoteAddress,
    headers: { host: '127.0.0.1:8080', ...headers },
  })
  const strangers = [
    ask(''),
    ask('?mobile=13800000001', {}, '::ffff:10.0.0.1'),
    ask('', { authorization: 'Bearer ' }),
    ask('?token='),
    ask(`?token=${outboxToken}x`),
    ask('', { authorization: outboxToken }),
    // A proxy on this machine forwards, whether it is trusted or not, and whatever the client says of itself.
    ask('', { 'x-forwarded-for': '192.0.2.7' }, '127.0.0.1'),
    ask('', { 'x-forwarded-for': '127.0.0.1' }, '127.0.0.1'),
    ask('', { forwarded: 'for=127.0.0.1' }, '127.0.0.1'),
    ask('', { 'x-real-ip': '127.0.0.1' }, '::1'),
    ask('', { host: 'guildhall.example.com' }, '127.0.0.1'),
    ask('', { host: 'localhost.evil.example' }, '127.0.0.1'),
    ask('', { 'x-forwarded-for': '127.0.0.1' }),
    ask('?id=x', {}, '192.0.2.7', '/dev/captcha'),
  ]
  for (const app of [closed, withToken])
    for (const request of strangers)
      expect((await app.inject(request)).status, JSON.stringify(request)).toBe(404)
  const known = [ask(`?token=${outboxToken}`), ask('', { authorization: `Bearer ${outboxToken}` })]
  for (const request of known) {
    expect((await withToken.inject(request)).status).toBe(200)
    expect((await closed.inject(request)).status).toBe(404)
  }
  for (const [host, remoteAddress] of [
    ['localhost:8080', '127.0.0.1'],
    ['127.0.0.1', '::ffff:127.0.0.1'],
    ['[::1]:8080', '::1'],
  ] as const)
    for (const app of [closed, withToken])
      expect((await app.inject(ask('?mobile=13800000001', { host }, remoteAddress))).status).toBe(200)
  // Where others reach the server a proxy may speak for them, and say nothing of it.
  const plainProxy = ask('?mobile=13800000001', { host: '127.0.0.1:8080' }, '127.0.0.1')
  for (const reached of [{ host: '0.0.0.0' }, { publicUrl: 'https://guildhall.example' }]) {
    const proxied = await open({ outboxToken, ...reached })
    for (const path of ['/dev/outbox', '/dev/captcha', '/metrics'])
      expect((await proxied.inject({ ...plainProxy, url: path })).status, path).toBe(404)
    for (const request of known) expect((await proxied.inject(request)).status).toBe(200)
    await proxied.close()
  }
  await closed.close()
  await withToken.close()
  await database.close()
})

it('a start that other machines reach says what it exposes, on the banner and in the log', async () => {
  const database = await openTestDatabase()
  const bannerAt = async (host: string, more: Partial<Config> = {}) => {
    let logged = ''
    const out = new Writable({
      write(chunk, _encoding, done) {
        logged += String(chunk)
        done()
      },
    })
    const it = { ...config, demo: false, host, port: 0, ...more }
    const app = await startApp({ config: it, database, log: openLog('json', out) })
    await app.listen()
    const banner = await app.banner()
    await app.close()
    return { banner: banner.join('\n'), logged }
  }
  const open = await bannerAt('0.0.0.0')
  const withToken = await bannerAt('0.0.0.0', { outboxToken: 'a-token-of-the-developer' })
  const local = await bannerAt('127.0.0.1')
  const sends = await bannerAt('0.0.0.0', { production: true })
  await database.close()
  for (const text of [open.banner, open.logged]) expect(text).toMatch(/HOST=0\.0\.0\.0/)
  expect(withToken.banner).toContain('whoever knows OUTBOX_TOKEN')
  expect(withToken.logged).not.toContain('a-token-of-the-developer')
  for (const { banner, logged } of [local, sends]) expect(banner + logged).not.toContain('HOST=')
})

it('the landing page is rendered for a guest, and an unknown code is 404', async () => {
  const page = await get(`/invite/${world.invite}`)
  expect(page.status).toBe(200)
  expect(page.headers['cache-control']).toBe('private, no-store')
  expect(page.text).toContain(world.guilds[0]?.name)
  expect((await get('/invite/NOSUCH')).status).toBe(404)
})

it('the short link of an invite leads to its landing page, and other paths lead nowhere', async () => {
  const open = (url: string, accept = 'text/html') =>
    world.app.inject({ method: 'GET', url, headers: { accept } })
  expect((await open('/NOSUCH12')).status).toBe(404)
  expect((await open('/index')).status).toBe(404)
  expect((await open(`/${world.invite}/more`)).status).toBe(404)
  // Robots that draw previews of links name any type.
  expect((await open(`/${world.invite}`, '*/*')).status).toBe(302)
  const found = await open(`/${world.invite}?from=chat`)
  expect({ status: found.status, to: found.headers.location }).toEqual({
    status: 302,
    to: `/invite/${world.invite}`,
  })
})

it('an empty database stays empty without the demo', async () => {
  const database = await openTestDatabase()
  const app = await startApp({ config: { ...config, demo: false }, database, log: openLog('quiet') })
  expect((await sql`select 1 from "user"`.execute(database.db)).rows).toEqual([])
  expect(await app.banner()).toEqual([])
  await app.close()
  await database.close()
})

it('a message sent by one client arrives at another, and logging out closes the connection', async () => {
  const token = await world.tokenOf('owner')
  const { gateway_url } = await world.as({ token }).call(userState)
  const connection = await openConnection(gateway_url)
  await world.as('member').call(sendToChannel, { id: world.main.id, content: '听得到吗' })
  const { d } = await connection.next(({ d }) => d?.content === '听得到吗')
  expect(d.type).toBe(1)
  await world.as({ token }).call(logout)
  expect(await connection.closed).toBe(4001)
})

it('events of the command line reach open connections', async () => {
  const token = await world.tokenOf('admin')
  const connection = await openConnection((await world.as({ token }).call(userState)).gateway_url)
  const made = await world.command(`channel create --guild ${world.guildId} --name 新频道 --type text`)
  const { d } = await connection.next(({ d }) => d?.extra?.type === 'added_channel')
  expect(d.extra?.body).toMatchObject({ id: made.id, name: '新频道', is_category: 0 })
  connection.close()
})

it.each([
  [[], 'Commands:'],
  [['fly'], 'no command "fly"'],
  [['guild', 'create', '--name', 'x'], 'needs --owner'],
  [['guild', 'create', '--name', ' ', '--owner', '100000001'], '--name must have'],
  [['guild', 'create', '--name', 'x', '--owner', '9'], 'no user 9'],
  [['guild', 'create', '--name', 'x', '--owner', "1';--"], '--owner must be an id'],
  [['channel', 'create', '--guild', '9', '--name', 'x', '--type', 'text'], 'guild.unknown'],
  [['channel', 'create', '--guild', '9', '--name', 'x', '--type', 'forum'], '--type must be'],
  [['invite', 'create', '--guild', '9'], 'no guild 9'],
  [['invite', 'create', '--guild', '9', '--uses'], '--uses'],
  [['user', 'create', '--mobile', '123', '--username', 'x'], 'auth.mobile_wrong'],
  [['user', 'create', '--mobile', '13800000001', '--username', 'x'], 'has an account already'],
  [['user', 'create', '--mobile', '13300000001', '--username', 'x y'], '--username must be'],
  [['world', '--colour', 'red'], '--colour'],
  [['guild', 'welcome', '--guild', '9'], 'no guild 9'],
  [['guild', 'welcome', '--guild', '3100000000000001', '--channel', '9'], 'no text channel 9'],
  // The voice channel and the category of the demo guild have no messages.
  [['guild', 'welcome', '--guild', '3100000000000001', '--channel', '4100000000000001'], 'no text channel'],
] as [string[], string][])('the command %j is refused: %s', async (args, why) => {
  await expect(world.command(...args)).rejects.toThrow(why)
})

it('the command line changes roles, and connections receive it', async () => {
  const guild = String(world.guilds[0]?.id)
  const run = world.command<{ role_id: number; name: string }>
  const token = await world.tokenOf('admin')
  const connection = await openConnection((await world.as({ token }).call(userState)).gateway_url)
  const { role_id } = await run('role', 'create', '--guild', guild, '--name', '领队', '--permissions', '8192')
  const ofRole = ['--guild', guild, '--role', String(role_id)]
  expect(await run('role', 'update', ...ofRole, '--name', '队长')).toMatchObject({ role_id, name: '队长' })
  expect(await run('role', 'update', ...ofRole, '--color', '1F66D0')).toMatchObject({ color: 0x1f66d0 })
  for (const wrong of ['red', '000000', '1f66d0,', '1f66d0,1f66d1,1f66d2,1f66d3,1f66d4'])
    await expect(run('role', 'update', ...ofRole, '--color', wrong)).rejects.toThrow('--color must be')
  await expect(run('role', 'update', ...ofRole, '--color', 'd9480f,5f3dc4')).rejects.toThrow('guild.level')
  expect(await run('role', 'update', ...ofRole, '--color', 'none')).toMatchObject({ color: 0 })
  expect(await run('role', 'delete', ...ofRole, '--yes')).toMatchObject({
    role_id,
    name: '队长',
    permissions: 8192,
  })
  for (const name of ['added_role', 'updated_role', 'deleted_role']) {
    const { d } = await connection.next(({ d }) => d?.extra?.type === name)
    expect(d.extra?.body).toMatchObject({ role_id })
  }
  connection.close()
  await expect(run('role', 'delete', ...ofRole, '--yes')).rejects.toThrow('has no role')
  await expect(run('role', 'delete', '--guild', guild, '--role', '0', '--yes')).rejects.toThrow(
    'has no role 0',
  )
  await expect(run('role', 'update', ...ofRole)).rejects.toThrow('needs --name, --permissions or --color')
})

it('the command connection shows the queues of jobs, and refuses to retry a job that did not fail', async () => {
  const { queues, failed } = await world.command<{ queues: { name: string }[]; failed: unknown[] }>(
    'jobs list',
  )
  expect(queues.map(({ name }) => name)).toContain('index-members')
  expect(failed).toEqual([])
  const nothing = ['--queue', 'index-members', '--job', '00000000-0000-4000-8000-000000000000']
  await expect(world.command('jobs', 'retry', ...nothing)).rejects.toThrow('has no failed job')
  await expect(world.command('jobs', 'retry', '--queue', 'x', '--job', 'y')).rejects.toThrow(
    'has no failed job',
  )
})

it('the command line makes people, guilds, channels and invites that work', async () => {
  const run = (line: string) => world.command<Record<string, string>>(line)
  const person = await run('user create --mobile 13300000002 --username 小北 --password secret-1')
  const guild = await run(`guild create --name 北边 --owner ${person.id}`)
  const category = await run(`channel create --guild ${guild.id} --name 分组 --type category`)
  const channel = await run(
    `channel create --guild ${guild.id} --name 聊 --type text --parent ${category.id}`,
  )
  const invite = await run(`invite create --guild ${guild.id} --channel ${channel.id} --expires 60 --uses 2`)
  expect(invite).toMatchObject({ guild_id: guild.id, channel_id: channel.id, uses_max: 2 })
  expect(invite.url).toMatch(new RegExp(`/invite/${invite.code}$`))
  expect((await get(`/invite/${invite.code}`)).text).toContain('北边')
  const { guilds, channels, invites, cast } = await world.command<
    Omit<World, 'people'> & { readonly cast: World['people'] }
  >('world')
  expect(guilds.map(({ id }) => id)).toContain(guild.id)
  expect(channels.find(({ id }) => id === channel.id)).toMatchObject({ parent_id: category.id, type: 1 })
  expect(invites.map(({ code }) => code)).toContain(invite.code)
  expect(cast.owner).toEqual(world.people.owner)
  const welcome = `guild welcome --guild ${guild.id}`
  expect(await run(`${welcome} --channel ${channel.id}`)).toEqual({
    id: guild.id,
    welcome_channel_id: channel.id,
  })
  expect(await run(welcome)).toEqual({ id: guild.id, welcome_channel_id: '0' })
})
