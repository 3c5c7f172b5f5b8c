import { createPrivate, listChats } from '@guildhall/wire/chat/chat.ts'
import { createReport } from '@guildhall/wire/report/report.ts'
import { listStaffLog } from '@guildhall/wire/staff/log.ts'
import { searchReported } from '@guildhall/wire/staff/messageSearch.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorld, type TestWorld } from '../../testing/world.ts'

let world: TestWorld
let channel_id: string
let reported: string
let chat_code: string
beforeAll(async () => {
  world = await openWorld()
  channel_id = world.main.id
  reported = (await world.as('owner').say(channel_id, '加微信领红包')).id
  await world.as('admin').say(channel_id, '红包是骗人的')
  await world.as('owner').say(world.backstage.id, '后台的红包')
  const toMember = { target_id: world.idOf('member') }
  for (const content of ['很久以前的红包', '一', '二', '三'])
    await world.as('owner').call(createPrivate, { ...toMember, content })
  const { msg_id } = await world.as('owner').call(createPrivate, { ...toMember, content: '私下的红包' })
  for (const id of [reported, msg_id])
    await world.as('member').call(createReport, { kind: 'message', id, category: 'fraud', words: '' })
  const { items } = await world.as('member').call(listChats, {})
  chat_code = items.find(({ target_info: { id } }) => id === world.idOf('owner'))!.code
})
afterAll(() => world?.close())

const asked = (more: object = {}) => ({ q: '红包', reason: '核实举报', ...more })
const wordsIn = async (where: object) =>
  (await world.as('staff').call(searchReported, asked(where))).items.map(({ message }) => message.words)

describe('a search of staff is refused', () => {
  it('to guests, to members, and in what they may view themselves', async () => {
    expect(await world.as(null).refusal(searchReported, asked({ channel_id }))).toBe('not_logged_in')
    expect(await world.as('owner').refusal(searchReported, asked({ channel_id }))).toBe('forbidden')
  })

  it('without a reason that says something, without words, and of none or two at once', async () => {
    const refusal = (input: object) => world.as('staff').refusal(searchReported, input)
    for (const input of [
      { q: '红包', channel_id },
      asked({ channel_id, reason: '  看  ' }),
      asked({ channel_id, q: ' ' }),
      asked(),
      asked({ channel_id, chat_code }),
    ])
      expect(await refusal(input)).toBe('bad_input')
  })

  it('where nothing was reported: another channel, the guild of the channel, another conversation', async () => {
    for (const where of [
      { channel_id: world.backstage.id },
      { guild_id: world.guildId },
      { chat_code: '0'.repeat(32) },
    ])
      expect(await world.as('staff').refusal(searchReported, asked(where))).toBe('report.unknown')
  })
})

it('finds messages of a channel in which one was reported, with what is marked and their authors', async () => {
  const { items, has_more } = await world.as('staff').call(searchReported, asked({ channel_id }))
  expect(has_more).toBe(false)
  expect(items.map(({ message }) => message.words)).toEqual(['红包是骗人的', '加微信领红包'])
  expect(items[1]).toMatchObject({
    message: { id: reported, author: { id: world.idOf('owner') } },
    channel: { id: channel_id, name: world.main.name },
    marks: [{ from: 4, to: 6 }],
  })
})

it('finds of a private conversation only what was kept with the report', async () => {
  expect(await wordsIn({ chat_code })).toEqual(['私下的红包'])
  expect(await wordsIn({ chat_code, q: '二' })).toEqual(['二'])
  expect(await wordsIn({ chat_code, q: '很久' })).toEqual([])
})

it('is in the log before it is answered, with its words, its reason and where', async () => {
  await wordsIn({ channel_id, q: '骗人', reason: '核实举报七' })
  const { items } = await world.as('staff').call(listStaffLog, { kind: 'call', name: 'message-search' })
  expect(items[0]).toMatchObject({
    actor: world.idOf('staff'),
    target: channel_id,
    detail: { q: '骗人', reason: '核实举报七', channel_id },
  })
})

it('finds in all channels of a guild that was reported itself, and no longer when that is not kept', async () => {
  const guild = { kind: 'guild', id: world.guildId, category: 'illegal', words: '' }
  await world.as('member').call(createReport, guild)
  expect(await wordsIn({ guild_id: world.guildId })).toEqual(['后台的红包', '红包是骗人的', '加微信领红包'])
  const { db } = world.database
  await sql`update report_case set emptied_at = 1 where kind = 'guild'`.execute(db)
  const input = asked({ guild_id: world.guildId })
  expect(await world.as('staff').refusal(searchReported, input)).toBe('report.unknown')
})
