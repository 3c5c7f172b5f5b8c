/**
 * A long talk: two people, each with a phone and a desk, talk through sleep, tunnel, lift, another Wi-Fi,
 * server restarts, reloads and second tabs. Nothing is lost, and at every moment each screen is true: it is
 * watched several times a second. By default each disturbance happens once. TALK_MINUTES=10 makes them happen
 * in a random order for that long; TALK_SEED repeats one; TALK_ONLY chooses the disturbances whose names have
 * this in them.
 */

import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Browser } from '@playwright/test'
import { expect, test } from '@playwright/test'
import { sql } from 'kysely'
import { readWorld } from '../../server/src/demo/world.ts'
import { openTestDatabase, type TestDatabase } from '../../server/src/testing/database/database.ts'
import { pngOf } from '../../server/src/testing/picture.ts'
import { freePort } from '../../server/src/testing/port.ts'
import { type ServerProcess, startServerProcess } from '../../server/src/testing/process.ts'
import { clickThose } from '../ask.ts'
import { Device, type Person } from '../connection/talkDevice.ts'
import { type Disturbance, disturbances } from '../connection/talkFaults.ts'
import { type ShownRow, TOKEN } from '../connection/talkScreen.ts'
import { goBack, openBrowser } from '../phone.ts'
import { numbersFrom, shuffled } from '../random.ts'

const MINUTES = Number(process.env.TALK_MINUTES ?? 0)
const SEED = Number(process.env.TALK_SEED ?? (MINUTES > 0 ? Date.now() % 1_000_000 : 1))
/** A person taps the bar's button when it is still there this long after the network is back, ms. */
const PATIENCE_MS = 3_000

test.setTimeout((MINUTES + 10) * 60_000)
// Minutes of snapshots of four devices fill the disk.
test.use({ trace: MINUTES > 0 ? 'off' : { mode: 'retain-on-failure', screenshots: false, snapshots: true } })

let database: TestDatabase
let server: ServerProcess
let browser: Browser
let dataDir: string
let guildId: string
let channelId: string
let devices: readonly Device[] = []
const tabs: Device[] = []
/** Closed ones. */
const gone: Device[] = []
const random = numbersFrom(SEED)
/** What is done at the moment, for people who look for a fault. */
let during = ''

const start = async () => {
  server = await startServerProcess({ dataDir, port, databaseUrl: database.url })
}
let port = 0

test.beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'guildhall-talk-'))
  await chmod(dataDir, 0o755)
  port = await freePort()
  database = await openTestDatabase()
  await start()
  await keepEverStored()
  browser = await openBrowser()
  devices = await openDevices()
})

test.afterAll(async () => {
  for (const device of [...tabs, ...devices]) await device.close()
  await browser?.close()
  await server?.stop()
  await database?.close()
  await rm(dataDir, { recursive: true, force: true })
})

async function openDevices(): Promise<Device[]> {
  const world = await readWorld(database.db)
  const channel = world.channels.find(({ name }) => name === '夜宵')!
  guildId = channel.guild_id
  channelId = channel.id
  const picture = await pngOf(320, 200, '#386')
  const everyMs = MINUTES > 0 ? 1_200 : 600
  const setup = {
    serverUrl: server.url,
    guildId,
    channelId,
    picture,
    everyMs,
    counts: new Map(),
    isStored: async (token: string) => (await everStored()).has(token),
  }
  const opened: Device[] = []
  for (const [sign, who] of [
    ['甲', 'member'],
    ['乙', 'admin'],
  ] as const) {
    const { id, mobile, password } = world.people[who]!
    for (const isDesk of [false, true]) {
      const token = await login(mobile, password)
      const person: Person = { sign, id, token }
      // Separate numbers for each: what one device does must not change what happens next.
      const own = numbersFrom(SEED + opened.length + 1)
      opened.push(await Device.open(browser, person, isDesk, { ...setup, random: own }))
    }
  }
  return opened
}

async function login(mobile: string, password: string): Promise<string> {
  const answer = await fetch(`${server.url}/api/v2/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ mobile, password }),
  })
  return ((await answer.json()) as { token: string }).token
}

test('two people with a phone and a desk each talk through everything: nothing is lost and every screen is true', async () => {
  console.log(`talk: TALK_SEED=${SEED}`)
  const counts = new Map<string, number>()
  const faults = disturbances({
    server: { stop: () => server.stop(), kill: () => server.kill(false), start },
    devices: () => [...devices, ...tabs],
    lastsMs: () => (MINUTES > 0 ? 2_000 + random() * 18_000 : 2_000),
    silentMs: () => (MINUTES > 0 ? 10_000 + random() * 50_000 : 9_000),
    random,
    addTab: (tab) => tabs.push(tab),
    closeTab,
  }).filter(({ name }) => name.includes(process.env.TALK_ONLY ?? ''))
  const end = Date.now() + MINUTES * 60_000
  let n = 0
  do {
    for (const fault of MINUTES > 0 ? shuffled(faults, random) : faults) {
      counts.set(fault.name, (counts.get(fault.name) ?? 0) + 1)
      await test.step(fault.name, () => suffer(fault, n))
      n += 1
      if (MINUTES > 0 && Date.now() > end) break
    }
  } while (Date.now() < end)
  await checkWhole()
  report(counts)
  expect(devices.concat(gone).flatMap(({ watch }) => watch.untruths)).toEqual([])
  expect(await untrueLists()).toEqual([])
  const complaints = devices.flatMap((each) => each.complaints.filter((it) => !it.includes('WebSocket')))
  expect(complaints).toEqual([])
})

/** A disturbance from its beginning until everything has been checked. */
async function suffer(fault: Disturbance, n: number): Promise<void> {
  const sign = n % 2 === 0 ? '甲' : '乙'
  const isListing = fault.victims !== 1 && (MINUTES > 0 ? random() < 0.4 : n % 3 === 2)
  // At a desk the list stands beside the room, and its page leads on to one.
  const phones = devices.filter(({ person, isDesk }) => person.sign === sign && !isDesk)
  const listing = isListing ? phones : []
  for (const each of listing) await toList(each)
  // Those who look at the list have nothing to send; they are disturbed by what concerns everybody.
  const free = devices.filter((each) => !listing.includes(each))
  const victims = shuffled(free, random).slice(0, fault.victims)
  console.log(
    `talk: ${fault.name}${victims.map(({ name }) => ` ${name}`).join('')}${isListing ? `, ${sign} lists` : ''}`,
  )
  during = fault.name
  const began = Date.now()
  await fault.run(victims)
  const ended = Date.now()
  during = `after ${fault.name}`
  await settle()
  const seconds = [ended - began, Date.now() - ended].map((ms) => (ms / 1_000).toFixed(1))
  console.log(`talk: ${fault.name} took ${seconds[0]} s, and ${seconds[1]} s until everything was right`)
  for (const each of listing) await toRoom(each)
  for (const each of [...devices]) await expectDraft(each)
  during = `back and forward after ${fault.name}`
  await backAndForward(devices[n % devices.length]!)
  for (const each of devices) each.goOn()
}

/** Everybody stops, everything waiting is sent, and each screen is compared with the database. */
async function settle(): Promise<void> {
  const those = [...devices, ...tabs]
  await Promise.all(those.map((each) => each.hush()))
  await Promise.all(those.map(becomeCalm))
  const waiting = sayIfLong(() => `not all is stored: ${those.map((each) => each.state()).join(' ')}`)
  await expect
    .poll(async () => {
      const ever = await everStored()
      return [...those, ...gone].flatMap(({ sent }) => sent.filter((token) => !ever.has(token)))
    })
    .toEqual([])
  clearTimeout(waiting)
  const ever = await everStored()
  const stored = await storedMessages()
  const deletes = [...those, ...gone].reduce((sum, { done }) => sum + done.delete, 0)
  expect(ever.size - stored.length).toBeLessThanOrEqual(deletes)
  await Promise.all(those.map((each) => (each.isListing ? expectUnread(each) : expectNewest(each))))
}

/** Waits until a device is connected and nothing of it is unsent; its person taps what offers another try. */
async function becomeCalm(device: Device): Promise<void> {
  const waiting = sayIfLong(() => `${device.name} is not calm: ${device.state()}`)
  await expect
    .poll(
      async () => {
        if (Date.now() - device.line.carriesSince > PATIENCE_MS) {
          const retry = device.page.locator('[role=status][data-face]').getByRole('button', { name: '重试' })
          await clickThose(retry)
        }
        await device.closeSheets()
        await device.finishPicture()
        const now = await device.now()
        if (!now || device.hasPicture || now.bar !== null || device.line.connectedSince === null)
          return 'busy'
        return now.rows.some(({ isOutgoing }) => isOutgoing) ? 'sending' : 'calm'
      },
      { message: `${device.name} is connected and has sent everything`, timeout: 90_000 },
    )
    .toBe('calm')
  clearTimeout(waiting)
}

/** Says what is the case when something takes long. */
const sayIfLong = (what: () => string) => setTimeout(() => console.log(`talk: ${what()}`), 15_000)

interface Row {
  readonly content: string
  /** That of a picture. */
  readonly name: string | null
}

const tokenOf = ({ content, name }: Row) => TOKEN.exec(name ?? content)?.[0] ?? content

interface Stored {
  readonly token: string
  readonly text: string
  readonly reactions: readonly string[]
}

/** The talk as the database has it, in order. */
async function storedMessages(): Promise<Stored[]> {
  const { rows } = await sql<Row & { reactions: readonly string[] }>`
    select content, attachments->>'name' as name,
      array(select name || ' ' || count || ' 人' from reaction where message_id = message.id order by 1) as reactions
    from message where channel_id = ${channelId} and nonce <> '' and deleted_at is null order by seq`.execute(
    database.db,
  )
  return rows.map((row) => ({
    token: tokenOf(row),
    text: row.name ? `图片 ${row.name}` : row.content,
    reactions: row.reactions,
  }))
}

/** From now on the database keeps every message as it was first stored: a deleted one leaves no row. */
async function keepEverStored(): Promise<void> {
  const { db } = database
  await sql`create table ever_stored as select channel_id, nonce, content, attachments, seq, create_at
    from message with no data`.execute(db)
  await sql`create function keep_ever_stored() returns trigger language plpgsql as $$
    begin
      insert into ever_stored
        values (new.channel_id, new.nonce, new.content, new.attachments, new.seq, new.create_at);
      return null;
    end $$`.execute(db)
  await sql`create trigger keep_ever_stored after insert on message
    for each row execute function keep_ever_stored()`.execute(db)
}

interface EverStored {
  readonly seq: number
  readonly createdAt: number
}

/** Every message of the talk that was ever stored, by token. */
async function everStored(): Promise<Map<string, EverStored>> {
  const { rows } = await sql<Row & EverStored>`
    select content, attachments->>'name' as name, seq::float8 as seq, create_at::float8 as "createdAt"
    from ever_stored where channel_id = ${channelId} and nonce <> ''`.execute(database.db)
  return new Map(rows.map((row) => [tokenOf(row), row]))
}

const line = (it: { readonly text: string; readonly reactions: readonly string[] }) =>
  [it.text, ...[...it.reactions].sort()].join(' | ')

const inTalk = ({ token }: ShownRow) => token !== ''

/** Pictures that could not be loaded on a broken line are tapped, as they offer. */
async function mendPictures({ page }: Device): Promise<void> {
  await clickThose(page.getByRole('button', { name: /图片加载失败/ }))
}

/** The end of the list is that of the database. */
async function expectNewest(device: Device): Promise<void> {
  const toEnd = () =>
    device.page.locator('[data-part=message-scroll]').evaluate((it) => it.scrollTo(0, it.scrollHeight))
  const waiting = sayIfLong(() => `${device.name} does not show the newest: ${device.state()}`)
  await expect(async () => {
    await mendPictures(device)
    // What was given up may open late.
    await device.closeSheets()
    await toEnd()
    const shown = ((await device.now())?.rows ?? []).filter(inTalk).slice(-8)
    const stored = (await storedMessages()).slice(-shown.length || undefined)
    expect(shown.map(line), device.name).toEqual(stored.map(line))
  })
    .toPass({ timeout: 60_000 })
    .catch(async (error: Error) => {
      const known = await whatIsKnown(device).catch((why: unknown) => why)
      throw new Error(`${during}, ${known}\n${error.message}`)
    })
  clearTimeout(waiting)
}

/** Where a change got lost: what the page keeps, the rows, and the log. */
async function whatIsKnown(device: Device): Promise<string> {
  const { rows } = await sql<{ message: unknown }>`
    select json_build_object('content', content, 'revision', revision, 'reactions',
      array(select name || count from reaction where message_id = message.id)) as message
    from message where channel_id = ${channelId} and deleted_at is null order by seq desc limit 8`.execute(
    database.db,
  )
  const events = await sql<{ event: unknown }>`
    select json_build_object('seq', seq, 'kind', kind, 'at', at, 'id', body->>'msg_id',
      'revision', body->>'revision', 'content', body->>'content') as event
    from event_log where guild_id = ${guildId} order by event_log.seq desc limit 20`.execute(database.db)
  return JSON.stringify({
    page: await device.savedPage(8),
    rows: rows.map(({ message }) => message),
    events: events.rows.map(({ event }) => event),
  })
}

/** The list of channels counts as many unread messages as the database has. */
async function expectUnread(device: Device): Promise<void> {
  const link = device.page.locator(`a[data-part=channel][href$="${channelId}"]`)
  const waiting = sayIfLong(() => `${device.name} counts otherwise: ${device.state()}`)
  await expect(async () => {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from message where channel_id = ${channelId} and deleted_at is null
        and author_id <> ${device.person.id} and seq > coalesce((select seq from read_mark
          where channel_id = ${channelId} and user_id = ${device.person.id}), 0)`.execute(database.db)
    const shown = Number(/(\d+) 条未读消息/.exec((await link.textContent()) ?? '')?.[1] ?? 0)
    expect(shown, device.name).toBe(rows[0]!.n)
  }).toPass({ timeout: 60_000 })
  clearTimeout(waiting)
}

/** What was written is still in the field; then it is sent. */
async function expectDraft(device: Device): Promise<void> {
  if (device.draft === null) return
  await expect(device.field, device.name).toHaveValue(device.draft)
  await device.alone(() => device.sendDraft())
}

async function toList(device: Device): Promise<void> {
  await device.hush()
  await becomeCalm(device)
  device.isListing = true
  await toChannels(device)
}

async function toRoom(device: Device): Promise<void> {
  await device.page.evaluate(() => history.forward())
  await device.field.waitFor()
  device.isListing = false
  await expectNewest(device)
}

/** Back shows the list of channels on a phone, Forward the room again. */
async function backAndForward(device: Device): Promise<void> {
  await becomeCalm(device)
  if (device.isDesk) return
  device.watch.forget()
  await device.alone(async () => {
    await toChannels(device)
    await device.page.evaluate(() => history.forward())
    await device.field.waitFor()
  })
  await expectNewest(device)
}

async function toChannels(device: Device): Promise<void> {
  const isInRoom = () => new URL(device.page.url()).pathname.includes(channelId)
  await expect(async () => {
    // What was given up may open late, and Back would close that alone.
    await device.closeSheets()
    if (!isInRoom()) return
    await goBack(device.page)
    await expect.poll(isInRoom, { timeout: 20_000 }).toBe(false)
  }).toPass({ timeout: 60_000 })
  await device.page.locator('a[data-part=channel]').first().waitFor()
}

/** Closes a second tab as it is: what it has not sent, the first one sends. */
async function closeTab(tab: Device): Promise<void> {
  await tab.hush()
  tabs.splice(tabs.indexOf(tab), 1)
  gone.push(tab)
  await tab.close()
  // As a browser does: the tab below is visible now.
  for (const { context, page } of devices)
    if (context === tab.context)
      await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
}

/** Every device shows the whole talk as the database has it, from the first message to the last. */
async function checkWhole(): Promise<void> {
  await settle()
  const stored = await storedMessages()
  const tokens = stored.map(({ token }) => token)
  expect(new Set(tokens).size).toBe(tokens.length)
  for (const device of devices)
    expect((await readAll(device, tokens[0]!)).map(line)).toEqual(stored.map(line))
}

/** Scrolls up to the first message of the talk; returns all that were shown, in order. */
async function readAll(device: Device, first: string): Promise<ShownRow[]> {
  const list = device.page.locator('[data-part=message-scroll]')
  await list.evaluate((it) => it.scrollTo(0, it.scrollHeight))
  let all: ShownRow[] = []
  const until = Date.now() + 180_000
  while (Date.now() < until) {
    await mendPictures(device)
    const shown = ((await device.now())?.rows ?? []).filter(inTalk)
    const known = new Set(all.map(({ token }) => token))
    all = [...shown.filter(({ token }) => !known.has(token)), ...all]
    if (all[0]?.token === first) return all
    await list.evaluate((it) => it.scrollBy(0, -400))
    await pause(80)
  }
  return all
}

/**
 * Lists that a screen showed and that were not true: in another order than stored, or stored only later, or
 * long before.
 */
async function untrueLists(): Promise<string[]> {
  const ever = await everStored()
  const found: string[] = []
  for (const { watch } of [...devices, ...gone])
    for (const { who, at, rows, signsUntil } of watch.lists.values()) {
      let last = 0
      for (const { token, isOutgoing } of rows) {
        const it = ever.get(token)
        const say = (what: string) => found.push(`${who} at ${new Date(at).toISOString()}: ${token} ${what}`)
        if (!it) {
          if (!isOutgoing) say('is shown as stored and never was')
        } else if (isOutgoing) {
          if (signsUntil !== null && it.createdAt < signsUntil) say('still waits, and was stored long before')
        } else {
          if (it.createdAt > at) say('is shown as stored before it was')
          if (it.seq < last) say('is in the wrong place')
          last = it.seq
        }
      }
    }
  return found
}

function report(counts: ReadonlyMap<string, number>): void {
  const all = [...devices, ...gone]
  const s = (pick: (it: Device) => number) => `${(Math.max(...all.map(pick)) / 1_000).toFixed(1)} s`
  const sum = (pick: (it: Device) => number) => all.reduce((before, each) => before + pick(each), 0)
  console.log(`talk: ${[...counts].map(([name, n]) => `${name} ${n}`).join(', ')}`)
  const done = (['send', 'picture', 'edit', 'delete', 'react'] as const).map(
    (it) => `${it} ${sum((each) => each.done[it])}`,
  )
  console.log(
    `talk: ${sum(({ sent }) => sent.length)} messages; ${done.join(', ')}; given up ${sum((it) => it.givenUp)}`,
  )
  console.log(
    `talk: ${sum(({ watch }) => watch.samples)} looks; without a bar while dead: ` +
      (['silent', 'told', 'woken', 'loading'] as const)
        .map((how) => `${how} ${s(({ watch }) => watch.times.unsaid[how])}`)
        .join(', '),
  )
  console.log(
    `talk: bar while connected ${s(({ watch }) => watch.times.wronglySaid)}; connected again after ${s(({ line }) => line.backAfterMs)}`,
  )
}
