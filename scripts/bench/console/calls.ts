/** Every reading call of the console, with each kind of query that it offers, and two calls of members. */
import { ORDER_STATES } from '@guildhall/wire/order/state.ts'
import { listDiscoverables } from '@guildhall/wire/profile/discovery.ts'
import { createReport } from '@guildhall/wire/report/report.ts'
import type { Route } from '@guildhall/wire/route.ts'
import * as codes from '@guildhall/wire/staff/codes.ts'
import * as guilds from '@guildhall/wire/staff/guilds.ts'
import { listStaffLog } from '@guildhall/wire/staff/log.ts'
import { searchReported } from '@guildhall/wire/staff/messageSearch.ts'
import { viewNumbers } from '@guildhall/wire/staff/numbers.ts'
import * as orders from '@guildhall/wire/staff/orders.ts'
import * as people from '@guildhall/wire/staff/people.ts'
import * as products from '@guildhall/wire/staff/products.ts'
import { listReports, viewReport } from '@guildhall/wire/staff/reports.ts'
import { listReviews, viewReview } from '@guildhall/wire/staff/reviews.ts'
import { staffMe } from '@guildhall/wire/staff/session.ts'
import { staffWaiting } from '@guildhall/wire/staff/waiting.ts'
import { listWords, tryWords } from '@guildhall/wire/staff/words.ts'
import { DAY_MS } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import type { Db } from '../../../server/src/kit/database/db.ts'
import { BUSIEST, first, LARGEST, TOKEN } from './fill.ts'
import { size } from './size.ts'

export interface Measured {
  readonly name: string
  readonly route: Route
  readonly input: (n: number) => object
  /** Whose session asks, by a token; absent: the member of staff. */
  readonly token?: (n: number) => string
  /** It finds nothing and says so. */
  readonly isRefused?: boolean
}

const call = (
  name: string,
  route: Route,
  input: (n: number) => object,
  more: Pick<Measured, 'token' | 'isRefused'> = {},
): Measured => ({ name, route, input, ...more })

/** The n-th of different numbers below `most`, spread over all of them. */
const spread = (n: number, most: number): number => Math.floor(((n * 0.618_033_988_75) % 1) * most)
const person = (n: number): string => String(first.person + spread(n, size.people))
const guild = (n: number): string => String(first.guild + spread(n, size.guilds))
const order = (n: number): string => String(first.order + spread(n, size.orders))
const padded = (n: number, length: number): string => String(n).padStart(length, '0')
const dayOf = (n: number): string =>
  new Date(Date.now() - spread(n, size.days) * DAY_MS).toISOString().slice(0, 10)

/** Rows of which some are asked for. */
interface Samples {
  readonly people: readonly { readonly username: string; readonly number: string }[]
  readonly guilds: readonly {
    readonly id: string
    readonly name: string
    readonly custom_id: string | null
  }[]
  readonly codes: readonly string[]
  readonly members: readonly string[]
  /** Messages of the largest guild, by people who do not report here. */
  readonly messages: readonly string[]
}

async function samplesOf(db: Db): Promise<Samples> {
  const named = await sql<Samples['people'][number]>`
    select username, identify_num as number from "user" where id >= ${first.person} and deleted_at is null
    order by hashint8(id) limit 300`.execute(db)
  const guilds = await sql<Samples['guilds'][number]>`
    select id::text, name, custom_id from guild where id >= ${first.guild} and custom_id is not null
    order by hashint8(id) limit 300`.execute(db)
  const code = await sql<{ code: string }>`
    select code from "order" where id >= ${first.order} order by code limit 300`.execute(db)
  const members = await sql<{ id: string }>`
    select user_id::text as id from membership where guild_id = ${LARGEST} order by hashint8(user_id) limit 300`.execute(
    db,
  )
  const messages = await sql<{ id: string }>`
    select id from message where guild_id = ${LARGEST} and (author_id - ${first.person}) % 10 = 5 order by id limit 300`.execute(
    db,
  )
  return {
    people: named.rows,
    guilds: guilds.rows,
    messages: messages.rows.map((row) => row.id),
    codes: code.rows.map((row) => row.code),
    members: members.rows.map((row) => row.id),
  }
}

const at = <T>(of: readonly T[], n: number): T => of[n % of.length]!

export async function callsOf(db: Db): Promise<Measured[]> {
  const samples = await samplesOf(db)
  return [
    ...callsOnPeople(samples),
    ...callsOnGuilds(samples),
    ...callsOnOrders(samples),
    ...callsOnMoney(),
    ...callsOnCodes(),
    ...(await callsOnReports(db)),
    ...(await callsOnReviews(db)),
    ...callsOnLog(),
    ...callsOfMembers(samples),
  ]
}

function callsOnPeople(samples: Samples): Measured[] {
  const { findPeople, staffViewPerson } = people
  const find = (name: string, input: (n: number) => object) => call(`user-find, ${name}`, findPeople, input)
  const surname = (n: number) => at(samples.people, n).username[0]
  return [
    call('me', staffMe, () => ({})),
    call('waiting', staffWaiting, () => ({})),
    find('id', (n) => ({ user_id: person(n) })),
    find('id of nobody', (n) => ({ user_id: String(1000 + n) })),
    find('number', (n) => ({ mobile: String(15_000_000_000 + spread(n, size.people)) })),
    find('number of nobody', (n) => ({ mobile: String(13_100_000_000 + n) })),
    find('name#number', (n) => ({
      name: `${at(samples.people, n).username}#${at(samples.people, n).number}`,
    })),
    find('name#number of nobody', (n) => ({ name: `${at(samples.people, n).username}#9999` })),
    find('name', (n) => ({ name: at(samples.people, n).username })),
    find('one letter', (n) => ({ name: surname(n) })),
    find('one letter, deep', (n) => ({
      name: n % 2 ? 'user' : 'U',
      after: String(first.person + spread(n, size.people / 5) * 5),
    })),
    find('name of nobody', (n) => ({ name: `没有${n}` })),
    call('user-view', staffViewPerson, (n) => ({ user_id: person(n) })),
    call('user-view, who has the most', staffViewPerson, () => ({ user_id: BUSIEST })),
    call('user-view, nobody', staffViewPerson, (n) => ({ user_id: String(1000 + n) }), { isRefused: true }),
  ]
}

function callsOnGuilds(samples: Samples): Measured[] {
  const { findGuilds, staffViewGuild, findGuildMembers } = guilds
  const find = (name: string, input: (n: number) => object) => call(`guild-find, ${name}`, findGuilds, input)
  const search = (name: string, input: (n: number) => object) =>
    call(`guild-members, ${name}`, findGuildMembers, (n) => ({ guild_id: LARGEST, ...input(n) }))
  return [
    find('id', (n) => ({ guild_id: guild(n) })),
    find('id of none', (n) => ({ guild_id: String(1000 + n) })),
    find('address', (n) => ({ custom_id: at(samples.guilds, n).custom_id ?? '' })),
    find('address of none', (n) => ({ custom_id: `none${n}` })),
    find('owner', (n) => ({ owner_id: person(n) })),
    find('name', (n) => ({ name: at(samples.guilds, n).name })),
    find('one letter', (n) => ({ name: at(samples.guilds, n).name[0] })),
    find('one letter, deep', (n) => ({
      name: at(samples.guilds, n).name[0],
      after: at(samples.guilds, n).id,
    })),
    find('name of none', (n) => ({ name: `没有${n}` })),
    call('guild-view', staffViewGuild, (n) => ({ guild_id: guild(n) })),
    call('guild-view, the largest', staffViewGuild, () => ({ guild_id: LARGEST })),
    call('guild-view, none', staffViewGuild, (n) => ({ guild_id: String(1000 + n) }), { isRefused: true }),
    search('id', (n) => ({ search: at(samples.members, n) })),
    search('one letter', (n) => ({ search: at(samples.people, n).username[0] })),
    search('name', (n) => ({ search: at(samples.people, n).username })),
    search('nobody', (n) => ({ search: `没有${n}` })),
  ]
}

function callsOnOrders(samples: Samples): Measured[] {
  const { listOrders, viewStaffOrder } = orders
  const list = (name: string, input: (n: number) => object) => call(`orders, ${name}`, listOrders, input)
  return [
    list('newest', () => ({})),
    list('deep', (n) => ({ before: order(n) })),
    ...ORDER_STATES.map((state) => list(state, () => ({ state }))),
    list('a state, deep', (n) => ({ state: at(ORDER_STATES, n), before: order(n) })),
    ...orders.PRODUCT_KINDS.map((kind) =>
      list(`of ${kind}`, (n) => ({ kind, ...(n % 2 && { before: order(n) }) })),
    ),
    list('state and kind', (n) => ({ state: at(ORDER_STATES, n), kind: at(orders.PRODUCT_KINDS, n) })),
    list('state and kind, deep', (n) => ({
      state: at(ORDER_STATES, n),
      kind: at(orders.PRODUCT_KINDS, n),
      before: order(n),
    })),
    // Tens of thousands of each, and none in common.
    list('refunded and golive', (n) => ({
      state: 'refunded',
      kind: 'golive',
      ...(n % 2 && { before: order(n) }),
    })),
    list('troubles', () => ({ trouble: true })),
    list('troubles, deep', (n) => ({ trouble: true, before: order(n) })),
    list('troubles of a state', (n) => ({ trouble: true, state: at(ORDER_STATES, n) })),
    list('by its number', (n) => ({ number: order(n) })),
    list('by its code', (n) => ({ number: at(samples.codes, n) })),
    list('by trade number', (n) => ({ number: `b${padded(spread(n, size.orders), 12)}` })),
    list("by provider's number", (n) => ({ number: `4200${padded(spread(n, size.orders), 16)}` })),
    list('by refund number', (n) => ({ number: `R${padded(spread(n, size.orders / 20) * 20 + 3, 12)}` })),
    list("by provider's refund number", (n) => ({
      number: `5030${padded(spread(n, size.orders / 20) * 20 + 3, 16)}`,
    })),
    list('by person', (n) => ({ number: person(n) })),
    list('by person with the most', () => ({ number: BUSIEST })),
    list('by person with the most, deep', (n) => ({ number: BUSIEST, before: order(n) })),
    list('by person with the most and state', (n) => ({ number: BUSIEST, state: at(ORDER_STATES, n) })),
    list('by guild', (n) => ({ number: guild(n) })),
    list('by guild with the most', (n) => ({ number: LARGEST, before: order(n) })),
    list('by guild with the most, state and kind', (n) => ({
      number: LARGEST,
      state: at(ORDER_STATES, n),
      kind: 'boost',
    })),
    list('by guild with the most and kind', () => ({ number: LARGEST, kind: 'golive' })),
    list('by number of none', (n) => ({ number: `99${padded(n, 14)}` })),
    list('by words', (n) => ({ number: `没有${n}` })),
    call('order', viewStaffOrder, (n) => ({ order_id: order(n) })),
    call('order, none', viewStaffOrder, (n) => ({ order_id: `99${padded(n, 14)}` }), { isRefused: true }),
  ]
}

function callsOnMoney(): Measured[] {
  const { listBills, listDifferences, listDoubts } = orders
  const { listProductChanges, listStaffProducts } = products
  return [
    call('bills', listBills, () => ({})),
    call('bills, deep', listBills, (n) => ({ before: dayOf(n) })),
    call('bill-differences', listDifferences, () => ({})),
    call('bill-differences, a day', listDifferences, (n) => ({ day: dayOf(n) })),
    call('bill-differences, deep', listDifferences, (n) => ({
      before_day: dayOf(n),
      before: 1 + spread(n, size.changes),
    })),
    call('pay-doubts', listDoubts, () => ({})),
    call('pay-doubts, deep', listDoubts, (n) => ({ before: 1 + spread(n, size.changes * 3) })),
    call('products', listStaffProducts, () => ({})),
    call('product-changes', listProductChanges, () => ({ product_id: 1001 })),
    call('product-changes, deep', listProductChanges, (n) => ({
      product_id: 1001,
      before: 1 + spread(n, size.changes),
    })),
    ...[1, 7, 30, 90].map((days) => call(`numbers, ${days} days`, viewNumbers, () => ({ days }))),
  ]
}

function callsOnCodes(): Measured[] {
  const { listCodeProducts, listCodes, listCodeUses, viewCodes } = codes
  const batch = (n: number) => 1000 + spread(n, size.batches)
  return [
    call('codes', listCodes, () => ({})),
    call('codes, deep', listCodes, (n) => ({ before: batch(n) })),
    call('code-view', viewCodes, (n) => ({ batch_id: batch(n) })),
    call('code-view, none', viewCodes, (n) => ({ batch_id: 90_000_000 + n }), { isRefused: true }),
    call('code-uses', listCodeUses, (n) => ({ batch_id: batch(n) })),
    call('code-uses, the largest batch', listCodeUses, () => ({ batch_id: 1000 })),
    call('code-uses, deep', listCodeUses, (n) => ({
      batch_id: 1000,
      before: 1 + spread(n, size.codesOfLargest),
    })),
    call('code-products', listCodeProducts, () => ({})),
  ]
}

async function callsOnReports(db: Db): Promise<Measured[]> {
  const list = (name: string, input: (n: number) => object) =>
    call(`report-list, ${name}`, listReports, input)
  const anyCase = (n: number) => 1000 + spread(n, size.cases)
  const open = (n: number) => 1000 + size.cases - 1 - spread(n, size.openCases)
  const kind = (n: number) => at(['message', 'user', 'guild'] as const, n)
  const channels = await sql<{ id: string }>`
    select distinct seen->'channel'->>'id' as id from report_evidence where seen->>'kind' = 'message' limit 300`.execute(
    db,
  )
  const guilds = await sql<{ id: string }>`
    select distinct guild_id::text as id from report_case where kind = 'guild' and emptied_at is null limit 300`.execute(
    db,
  )
  const search = (name: string, q: string, where: (n: number) => object, isRefused = false) =>
    call(`message-search, ${name}`, searchReported, (n) => ({ q, reason: '核实举报', ...where(n) }), {
      isRefused,
    })
  const channel = (n: number) => ({ channel_id: at(channels.rows, n).id })
  const largest = () => ({ channel_id: String(first.channel) })
  return [
    list('open', () => ({})),
    list('open, deep', (n) => ({ after: open(n) })),
    list('open, a kind', (n) => ({ kind: kind(n) })),
    list('dismissed', () => ({ state: 'dismissed' })),
    list('acted, deep', (n) => ({ state: 'acted', before: anyCase(n) })),
    list('acted, a kind, deep', (n) => ({ state: 'acted', kind: kind(n), before: anyCase(n) })),
    call('report-view, open', viewReport, (n) => ({ id: open(n) })),
    call('report-view, any', viewReport, (n) => ({ id: anyCase(n) })),
    call('report-view, with 500 reports', viewReport, () => ({ id: 1000 + size.cases - 1 })),
    call('report-view, none', viewReport, (n) => ({ id: 90_000_000 + n }), { isRefused: true }),
    search('a channel', '的', channel),
    search('the largest channel', '的', largest),
    search('the largest channel, by somebody', '的', (n) => ({ ...largest(), q: `的 from:${person(n)}` })),
    search('the largest channel, nothing', '没有这个词', largest),
    search('a guild', '的', (n) => ({ guild_id: at(guilds.rows, n).id })),
    search('not reported', '的', () => ({ guild_id: LARGEST }), true),
  ]
}

async function callsOnReviews(db: Db): Promise<Measured[]> {
  const { rows } = await sql<{ id: number }>`
    select min(id)::float8 as id from guild_revision where user_id >= ${first.person}`.execute(db)
  const from = rows[0]?.id ?? 1
  const revision = (n: number) => from + spread(n, size.revisions - 1)
  const list = (name: string, input: (n: number) => object) =>
    call(`review-list, ${name}`, listReviews, input)
  return [
    list('waiting', () => ({})),
    list('waiting, deep', (n) => ({ after: from + size.revisions - spread(n, size.waiting) })),
    list('decided', () => ({ state: 'decided' })),
    list('decided, deep', (n) => ({ state: 'decided', before: revision(n) })),
    call('review-view', viewReview, (n) => ({ kind: 'guild', id: revision(n) })),
    call('review-view, none', viewReview, (n) => ({ kind: 'guild', id: 90_000_000 + n }), {
      isRefused: true,
    }),
    list('messages waiting', () => ({ kind: 'message' })),
    list('messages waiting, deep', (n) => ({ kind: 'message', after: size.held - spread(n, size.waiting) })),
    list('messages decided', () => ({ kind: 'message', state: 'decided' })),
    list('messages decided, deep', (n) => ({
      kind: 'message',
      state: 'decided',
      before: 1 + spread(n, size.held - size.waiting),
    })),
    call('review-view, a message', viewReview, (n) => ({ kind: 'message', id: 1 + spread(n, size.held) })),
  ]
}

function callsOnLog(): Measured[] {
  const list = (name: string, input: (n: number) => object) => call(`log, ${name}`, listStaffLog, input)
  const row = (n: number) => 1 + spread(n, size.log)
  const staff = (n: number) => String(first.person + (n % 20))
  const words = (name: string, input: (n: number) => object) => call(`words, ${name}`, listWords, input)
  return [
    list('newest', () => ({})),
    list('deep', (n) => ({ before: row(n) })),
    list('an actor', (n) => ({ actor: staff(n) })),
    list('an actor without rows', (n) => ({ actor: person(n + 100) })),
    list('an actor and a kind', (n) => ({ actor: staff(n), kind: 'act' })),
    list('an actor and a kind without rows', (n) => ({ actor: staff(1 + 2 * n), kind: 'act' })),
    list('an actor and a name without rows', (n) => ({ actor: staff(n), name: 'nothing' })),
    list('whom it concerns', (n) => ({ user_id: person(n) })),
    list('whom it concerns and a kind', (n) => ({ user_id: person(n), kind: 'refused' })),
    ...(['login', 'call', 'act', 'refused'] as const).map((kind) =>
      list(kind, (n) => ({ kind, ...(n % 2 && { before: row(n) }) })),
    ),
    list('a name', () => ({ name: 'user-find' })),
    list('a name of long ago', () => ({ name: 'member-remove' })),
    list('a name without rows', (n) => ({ name: `nothing${n}` })),
    list('a name and a kind without rows', () => ({ name: 'user-find', kind: 'act' })),
    list('an act', () => ({ name: 'guild close', kind: 'act' })),
    words('newest', () => ({})),
    words('deep', (n) => ({ before: 1 + spread(n, size.words) })),
    words('by how they begin', (n) => ({ word: `bench${n}` })),
    words('by how all begin', () => ({ word: 'bench' })),
    words('none', (n) => ({ word: `没有${n}` })),
    words('an action', (n) => ({ action: n % 2 ? 'hold' : 'refuse' })),
    call('word-try', tryWords, (n) => ({ text: `bench${n}赵`.repeat(300) })),
  ]
}

/** What people do that the console brought. */
function callsOfMembers({ messages }: Samples): Measured[] {
  const token = (n: number) => `${TOKEN}${spread(n, size.largest / 10) * 10 + 1}`
  const discover = (name: string, input: (n: number) => object) =>
    call(`discoverables, ${name}`, listDiscoverables, input, { token })
  const report = (name: string, input: (n: number) => object) =>
    call(`report/create, ${name}`, createReport, (n) => ({ category: 'spam', words: '广告', ...input(n) }), {
      token,
    })
  return [
    discover('first page', () => ({})),
    discover('deep', (n) => ({ page: 1 + (n % 10), page_size: 50 })),
    discover('search', (n) => ({ search: String(n % 500) })),
    discover('largest', () => ({ sort: '-members' })),
    discover('pinyin', () => ({ search: 'gonghui' })),
    discover('one letter', () => ({ search: '公' })),
    discover('nothing', (n) => ({ search: `没有${n}` })),
    report('a message', (n) => ({ kind: 'message', id: at(messages, n) })),
    report('a person', (n) => ({
      kind: 'user',
      id: String(first.person + spread(n, size.people / 10) * 10),
    })),
    report('a guild', (n) => ({ kind: 'guild', id: String(first.guild + (n % 2)) })),
  ]
}
