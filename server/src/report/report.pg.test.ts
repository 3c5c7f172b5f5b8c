import { deleteAccount } from '@guildhall/wire/account/account.ts'
import { updateSelf } from '@guildhall/wire/auth/owner.ts'
import { createPrivate, listChats, listPrivate } from '@guildhall/wire/chat/chat.ts'
import type { MessageId } from '@guildhall/wire/id.ts'
import { deleteMessage, updateMessage } from '@guildhall/wire/message/action.ts'
import { createMessage, sendToChannel } from '@guildhall/wire/message/message.ts'
import type { Evidence } from '@guildhall/wire/report/evidence.ts'
import { createReport } from '@guildhall/wire/report/report.ts'
import { decideReport, listReports, viewReport } from '@guildhall/wire/staff/reports.ts'
import { DAY_MS, HOUR_MS } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PersonName } from '../demo/world.ts'
import { clock, replaceClock } from '../kit/clock.ts'
import { refusalOf } from '../testing/calls.ts'
import { pngOf } from '../testing/picture.ts'
import { openWorld, type TestWorld } from '../testing/world.ts'
import { emptyOldCase, notifyReporters } from './report.ts'

let world: TestWorld
let url: string
beforeAll(async () => {
  world = await openWorld({}, undefined, { scheduledWork: false })
  url = await world.app.listen()
})
afterAll(() => world.close())

const say = async (name: PersonName, content: string, channel = world.main.id): Promise<MessageId> => {
  count += 1
  const it = { target_id: channel, content, type: 9, nonce: `n${count}` }
  return (await world.as(name).call(createMessage, it)).msg_id
}
let count = 0
const report = (name: PersonName, kind: 'message' | 'user' | 'guild', id: string, more: object = {}) =>
  world.as(name).call(createReport, { kind, id, category: 'spam', ...more })
const openCases = async () => (await world.as('staff').call(listReports, {})).items
const caseOf = async (target: string) => {
  const found = (await openCases()).find(({ target_id }) => target_id === target)
  return world.as('staff').call(viewReport, { id: Number(found?.id) })
}
const decide = (id: string, outcome = 'acted') =>
  world.as('staff').call(decideReport, { id: Number(id), outcome, reason: '垃圾广告' })

async function picture(name: PersonName): Promise<string> {
  count += 1
  const background = { r: count, g: 90, b: 20 }
  const bytes = await pngOf(128, 128, background)
  return (await world.as(name).upload(bytes, 'a.png')).url
}
const sendPicture = async (name: PersonName, address: string): Promise<MessageId> => {
  count += 1
  const it = { id: world.main.id, objectName: 'RC:ImgMsg', nonce: `p${count}` }
  const content = JSON.stringify({ content: address })
  return (await world.as(name).call(sendToChannel, { ...it, content })).msgId
}
const status = async (address: string) => {
  const { pathname, search } = new URL(address, url)
  return (await fetch(new URL(`${pathname}${search}`, url))).status
}

describe('a report is refused', () => {
  it('of what is not there, and of what the reporter cannot see', async () => {
    const hidden = await say('owner', '只给管理员看', world.backstage.id)
    const { msg_id: secret } = await world.as('owner').call(createPrivate, {
      target_id: world.people.admin.id,
      content: '两人之间',
    })
    for (const id of [hidden, secret, '00000000-0000-4000-8000-000000000000', '7'])
      expect([id, await refusalOf(report('member', 'message', id))]).toEqual([id, 'report.unknown'])
    expect(await refusalOf(report('member', 'user', '999999'))).toBe('report.unknown')
    expect(await refusalOf(report('outsider', 'guild', world.guilds[0]!.id))).toBe('report.unknown')
    expect(await refusalOf(report('member', 'guild', hidden))).toBe('report.unknown')
  })

  it('of oneself, one’s own message and one’s own guild', async () => {
    const mine = await say('owner', '我自己说的')
    expect(await refusalOf(report('owner', 'message', mine))).toBe('report.own')
    expect(await refusalOf(report('owner', 'user', world.people.owner.id))).toBe('report.own')
    expect(await refusalOf(report('owner', 'guild', world.guilds[0]!.id))).toBe('report.own')
  })

  it('with an unknown category, or too many words', async () => {
    const id = world.people.owner.id
    expect(await refusalOf(report('member', 'user', id, { category: 'boring' }))).toBe('bad_input')
    expect(await refusalOf(report('member', 'user', id, { words: '字'.repeat(501) }))).toBe('bad_input')
  })

  it('after thirty within a day; the same again is not counted', async () => {
    const { db } = world.database
    const id = world.people.admin.id
    await report('member', 'user', id)
    await sql`update attempt set spent = 30 where name = 'reports by person'`.execute(db)
    await report('member', 'user', id)
    expect(await refusalOf(report('member', 'user', world.people.owner.id))).toBe('too_many')
    expect((await openCases()).map(({ target_id }) => target_id)).not.toContain(world.people.owner.id)
    await sql`delete from attempt where name = 'reports by person'`.execute(db)
  })
})

it('a message is kept as it was, with those around it, and beside it stands how it is now', async () => {
  for (const text of ['一', '二', '三', '四']) await say('owner', text)
  const id = await say('admin', '加我微信')
  await say('owner', '五')
  await report('member', 'message', id, { category: 'fraud', words: ' 骗子 ' })
  await world.as('admin').call(updateMessage, { msg_id: id, content: '早上好' })
  await report('owner', 'message', id, { category: 'spam' })
  const it = await caseOf(id)
  expect(it.case).toMatchObject({
    kind: 'message',
    name: world.people.admin.username,
    user_id: world.people.admin.id,
    reports: 2,
    categories: { fraud: 1, spam: 1 },
    state: 'open',
    guild_id: world.guilds[0]!.id,
  })
  expect(it.reports).toMatchObject([
    { reporter_id: world.people.member.id, category: 'fraud', words: '骗子' },
    { reporter_id: world.people.owner.id, category: 'spam', words: '' },
  ])
  const [first, second] = it.evidence.map(({ seen }) => seen as Extract<Evidence, { kind: 'message' }>)
  expect(first).toMatchObject({
    channel: { id: world.main.id, name: world.main.name },
    chat_code: '',
    message: { content: '加我微信', author: { username: world.people.admin.username } },
  })
  expect(first!.before.map(({ words: text }) => text)).toEqual(['二', '三', '四'])
  expect(first!.after.map(({ words: text }) => text)).toEqual(['五'])
  expect(second!.message.content).toBe('早上好')
  expect(it.now).toMatchObject({ kind: 'message', message: { content: '早上好' } })
  await world.as('admin').call(deleteMessage, { msg_id: id })
  expect((await caseOf(id)).now).toEqual({ kind: 'message', message: null })
  expect((await caseOf(id)).evidence).toHaveLength(2)
})

it('a message of a private conversation is reported by the other of the two', async () => {
  const { msg_id } = await world.as('owner').call(createPrivate, {
    target_id: world.people.member.id,
    content: '转账给我',
  })
  await report('member', 'message', msg_id)
  const it = await caseOf(msg_id)
  expect(it.evidence[0]?.seen).toMatchObject({
    guild: null,
    channel: null,
    chat_code: expect.stringMatching(/^[0-9a-f]{32}$/),
    message: { content: '转账给我' },
  })
  expect(it.now).toMatchObject({ message: { content: '转账给我' } })
})

it('a guild is kept with its face, also by others when it is recommended', async () => {
  const grand = world.guilds.find((each) => each.is_recommended)!
  await report('outsider', 'guild', grand.id, { category: 'illegal' })
  const it = await caseOf(grand.id)
  expect(it.case).toMatchObject({ name: grand.name, kind: 'guild' })
  expect(it.now).toMatchObject({ state: 'active', guild: { name: grand.name } })
})

it('two people who report at once make one case, and the same person counts once', async () => {
  const id = await say('admin', '刷屏刷屏')
  await Promise.all([
    ...(['member', 'owner', 'muted'] as const).map((name) => report(name, 'message', id)),
    report('member', 'message', id),
  ])
  expect((await caseOf(id)).case.reports).toBe(3)
})

describe('the file of a reported message', () => {
  it('stays for staff alone when the message is deleted, and goes thirty days after the decision', async () => {
    const address = await picture('admin')
    const id = await sendPicture('admin', address)
    await report('member', 'message', id)
    expect(await status(address)).toBe(200)
    await world.as('admin').call(deleteMessage, { msg_id: id })
    expect(await status(address)).toBe(404)
    const it = await caseOf(id)
    const { message } = it.evidence[0]!.seen as Extract<Evidence, { kind: 'message' }>
    expect(await status(message.content)).toBe(200)
    await decide(it.case.id)
    const left = () => world.as('staff').call(viewReport, { id: Number(it.case.id) })
    expect((await left()).evidence).toHaveLength(1)
    await emptyAll(clock.now() + 30 * DAY_MS - HOUR_MS)
    expect(await status(message.content)).toBe(200)
    await emptyAll(clock.now() + 30 * DAY_MS + HOUR_MS)
    expect(await status(message.content)).toBe(404)
    expect(await left()).toMatchObject({
      evidence: [],
      reports: [],
      now: { kind: 'message', message: null },
      case: { state: 'acted', reports: 1, categories: { spam: 1 }, reason: '垃圾广告' },
    })
  })

  it('stays while a message shows it', async () => {
    const address = await picture('admin')
    const id = await sendPicture('admin', address)
    await report('member', 'message', id)
    await decide((await caseOf(id)).case.id, 'dismissed')
    await emptyAll(clock.now() + 31 * DAY_MS)
    expect(await status(address)).toBe(200)
  })
})

async function emptyAll(at: number): Promise<void> {
  const moveBack = replaceClock(() => at)
  try {
    while ((await emptyOldCase(world.database.db)) > 0);
  } finally {
    moveBack()
  }
}

it('those who reported are told once that it was decided, and not what was done', async () => {
  const id = await say('owner', '再来一条广告')
  await report('member', 'message', id)
  await report('admin', 'message', id)
  const it = await caseOf(id)
  await decide(it.case.id)
  for (let n = 0; n < 2; n += 1) await notifyReporters(world.app.appContext, it.case.id)
  for (const name of ['member', 'admin'] as const) {
    const { items } = await world.as(name).call(listChats, {})
    const official = items.find(({ target_info }) => target_info.username === '公会厅')
    const { items: said } = await world.as(name).call(listPrivate, { chat_code: official?.code })
    const about = said.filter(({ content }) =>
      content.includes(`「${world.people.owner.username}」的消息已处理`),
    )
    expect(about).toHaveLength(1)
    expect(about[0]?.content).not.toContain('垃圾广告')
  }
})

it('the same message is a new case after the first was decided', async () => {
  const id = await say('owner', '又是广告')
  await report('member', 'message', id)
  const first = await caseOf(id)
  await decide(first.case.id, 'dismissed')
  await report('member', 'message', id)
  const second = await caseOf(id)
  expect(second.case.id).not.toBe(first.case.id)
  expect(second.earlier.map((each) => each.id)).toContain(first.case.id)
})

it('what a deleted account said and looked like stays for staff, until its case is emptied', async () => {
  const { id: userId, password } = world.people.member
  const [identity, address] = [await picture('member'), await picture('member')]
  await world.as('member').call(updateSelf, { avatar: identity })
  const id = await sendPicture('member', address)
  await report('owner', 'message', id)
  await report('owner', 'user', userId)
  await world.as('member').call(deleteAccount, { owner: { password }, password, words: true })
  await expect.poll(() => status(address), { timeout: 60_000 }).toBe(404)
  // The job comes to the files that no message shows last.
  await expect.poll(() => status(identity), { timeout: 60_000 }).toBe(404)
  const [text, person] = [await caseOf(id), await caseOf(userId)]
  const { message } = text.evidence[0]!.seen as Extract<Evidence, { kind: 'message' }>
  const { person: seen } = person.evidence[0]!.seen as Extract<Evidence, { kind: 'user' }>
  expect([await status(message.content), await status(seen.avatar)]).toEqual([200, 200])
  expect(person.now).toMatchObject({ person: null, state: 'deleted' })
  expect(person.case.name).toBe(world.people.member.username)
  for (const it of [text, person]) await decide(it.case.id, 'dismissed')
  const left = async () => {
    const { rows } = await sql`select from asset where user_id = ${userId}`.execute(world.database.db)
    return rows.length
  }
  await expect.poll(left, { timeout: 60_000 }).toBe(2)
  await emptyAll(clock.now() + 31 * DAY_MS)
  expect(await left()).toBe(0)
  for (const it of [text, person])
    expect((await world.as('staff').call(viewReport, { id: Number(it.case.id) })).case.name).toBe('')
})
