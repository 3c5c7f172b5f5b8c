/** Words for one person alone, over real HTTP and real lines: who hears of them, and that nothing else knows them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestServer, type TestServer } from '../server/src/testing/server.ts'
import {
  type BotCall,
  caller,
  type Frame,
  type GatewayConnection,
  openGatewayConnection,
} from './botClient.ts'

let house: TestServer
let main: string
let bot: { id: string; token: string }
let say: BotCall
let as: Record<'member' | 'admin', BotCall>
let heard: Record<'bot' | 'member' | 'admin', GatewayConnection>

const lineOf = async (by: BotCall) =>
  openGatewayConnection((await by<{ url: string }>('GET', 'gateway/index', { compress: 1 })).data.url)
const idOf = (name: 'member' | 'admin' | 'outsider' | 'muted') => house.person(name).id
interface Sent {
  readonly msg_id: string
  readonly msg_timestamp: number
  readonly nonce: string
}
const toMember = async (content: string, more: object = {}) => {
  const it = { target_id: main, content, temp_target_id: idOf('member'), ...more }
  const { code, data } = await say<Sent>('POST', 'message/create', it)
  expect(code).toBe(0)
  return data
}
const toAll = async (content: string, more: object = {}) =>
  (await say<Sent>('POST', 'message/create', { target_id: main, content, ...more })).data
const isIt =
  (id: string) =>
  ({ d }: Frame) =>
    d?.msg_id === id
const updateOf =
  (id: string) =>
  ({ d }: Frame) =>
    d?.extra?.type === 'updated_message' && (d.extra.body as { msg_id: string }).msg_id === id
/** What was said before this came to everybody was said to them or never will be. */
async function allHeard(): Promise<void> {
  const { msg_id } = await toAll('a mark')
  for (const line of Object.values(heard)) await line.next(isIt(msg_id))
}
const refusal = async (by: BotCall, path: string, input: object) => {
  const { status, code, data } = await by('POST', path, input)
  return [status, code, data.error]
}
const card = (value: string) =>
  JSON.stringify([
    {
      type: 'card',
      modules: [
        {
          type: 'action-group',
          elements: [
            { type: 'button', click: 'return-val', value, text: { type: 'plain-text', content: '选' } },
          ],
        },
      ],
    },
  ])

beforeAll(async () => {
  house = await openTestServer()
  main = house.channel('闲聊')
  bot = await house.command(`bot create --name 报时 --guild ${house.guildId}`)
  say = caller(house.url, `Bot ${bot.token}`)
  as = {
    member: caller(house.url, await house.login('member')),
    admin: caller(house.url, await house.login('admin')),
  }
  heard = { bot: await lineOf(say), member: await lineOf(as.member), admin: await lineOf(as.admin) }
})
afterAll(async () => {
  for (const line of Object.values(heard ?? {})) line.terminate()
  await house?.close()
})

describe('words for one person are refused', () => {
  it('when that person is no member, nobody at all, or does not see the channel', async () => {
    const to = (temp_target_id: string, target_id = main) =>
      refusal(say, 'message/create', { target_id, content: 'x', temp_target_id })
    const unseen = [200, 40000, 'message.target_unknown']
    expect(await to(idOf('outsider'))).toEqual(unseen)
    expect(await to('4294967295')).toEqual(unseen)
    expect((await to('everybody'))[2]).toBe('bad_input')
    const admin = { content: 'x', target_id: house.channel('值班室'), temp_target_id: idOf('member') }
    expect(await refusal(as.admin, 'message/create', admin)).toEqual(unseen)
  })

  it('as any other words are: by rights, kind and content', async () => {
    const to = (it: object) =>
      refusal(say, 'message/create', { target_id: main, content: 'x', temp_target_id: idOf('member'), ...it })
    expect((await to({ target_id: house.channel('公告') }))[2]).toBe('message.not_allowed')
    expect((await to({ target_id: house.channel('值班室') }))[0]).toBe(403)
    expect((await to({ content: ' ' }))[2]).toBe('message.empty')
    expect((await to({ type: 12 }))[2]).toBe('message.kind_refused')
    expect((await to({ type: 10, content: '[{}]' }))[2]).toBe('card.invalid')
    expect((await to({ type: 2, content: 'https://elsewhere.example/a.png' }))[2]).toBe('asset.unknown')
    const mine = { target_id: main, content: card('x'), type: 10, temp_target_id: idOf('admin') }
    expect((await refusal(as.member, 'message/create', mine))[2]).toBe('message.kind_refused')
  })

  it('when they are to be filled into a template, as all words are', async () => {
    const no = [200, 40000, 'message.template_unknown']
    const { msg_id } = await toAll('x')
    const it = { content: '{}', template_id: '7' }
    expect(await refusal(say, 'message/create', { ...it, target_id: main })).toEqual(no)
    expect(await refusal(say, 'channel/message', { ...it, channel_id: main })).toEqual(no)
    expect(await refusal(say, 'message/update', { ...it, msg_id })).toEqual(no)
    const target_id = idOf('member')
    expect(await refusal(say, 'direct-message/create', { ...it, target_id })).toEqual(no)
    const letter = await say<Sent>('POST', 'direct-message/create', { target_id, content: 'x', type: 9 })
    expect(await refusal(say, 'direct-message/update', { ...it, msg_id: letter.data.msg_id })).toEqual(no)
    expect((await toAll('without', { template_id: '' })).msg_id).not.toBe('')
  })
})

describe('words for one person', () => {
  it('are heard by that person and the sender, each on their line, and by nobody else', async () => {
    const before = await toAll('before')
    const seqOf = ({ d }: Frame) => d?.extra?.seq as number
    const last = seqOf(await heard.member.next(isIt(before.msg_id)))
    const sent = await toMember(`(met)${idOf('member')}(met) 只说给你听`, { nonce: 'quiet' })
    expect(sent.nonce).toBe('quiet')
    for (const name of ['member', 'bot'] as const) {
      const { d } = await heard[name].next(isIt(sent.msg_id))
      expect(d).toMatchObject({
        ...{ channel_type: 'GROUP', type: 9, target_id: main, author_id: bot.id, nonce: 'quiet' },
        msg_timestamp: sent.msg_timestamp,
        extra: {
          ...{ guild_id: house.guildId, channel_name: '闲聊', visible_only: idOf('member'), seq: last },
          mention: [idOf('member')],
        },
      })
    }
    await allHeard()
    expect(heard.admin.frames.some(isIt(sent.msg_id))).toBe(false)
  })

  it('are said once under a nonce, also when they are asked for at once and by the old name of the call', async () => {
    const twice = await Promise.all([1, 2, 3].map(() => toMember('once', { nonce: 'n' })))
    const old = await say<Sent>('POST', 'channel/message', {
      ...{ channel_id: main, content: 'once', type: 9, nonce: 'n', temp_target_id: idOf('member') },
    })
    expect(new Set([...twice, old.data].map(({ msg_id }) => msg_id)).size).toBe(1)
    expect(new Set([...twice, old.data].map((it) => it.msg_timestamp)).size).toBe(1)
    const other = await toMember('once', { nonce: 'n', temp_target_id: idOf('muted') })
    expect(other.msg_id).not.toBe(old.data.msg_id)
    expect((await toAll('once', { nonce: 'n' })).msg_id).not.toBe(old.data.msg_id)
    await allHeard()
    expect(heard.member.frames.filter(isIt(old.data.msg_id))).toHaveLength(1)
  })

  it('are in no history, wait for nobody, and are no message to anything that is done to one', async () => {
    const token = await house.login('member')
    const known = async () => [
      (await as.member('GET', 'message/list', { target_id: main, page_size: 3 })).data,
      await house.call(token, 'GET', `/api/v2/messages/unread?guild_id=${house.guildId}`),
      await house.call(token, 'GET', '/api/v2/messages/unread-guilds'),
    ]
    await allHeard()
    const before = await known()
    const { msg_id } = await toMember(`(met)${idOf('member')}(met)`)
    await heard.member.next(isIt(msg_id))
    expect(await known()).toEqual(before)
    const gone = [200, 40000, 'message.unknown']
    expect(await refusal(as.member, 'message/add-reaction', { msg_id, emoji: '👍' })).toEqual(gone)
    expect(await refusal(as.admin, 'message/pin', { target_id: main, msg_id })).toEqual(gone)
    expect(await refusal(say, 'message/delete', { msg_id })).toEqual(gone)
    expect(await refusal(say, 'message/update', { msg_id, content: 'x' })).toEqual(gone)
    expect(
      await refusal(as.member, 'message/create', { target_id: main, content: 'x', quote: msg_id }),
    ).toEqual(gone)
    expect((await as.member('GET', 'message/view', { msg_id })).data.error).toBe('message.unknown')
  })

  it('come again on a line that was cut, once and in their place', async () => {
    const line = await lineOf(as.member)
    const hello = line.frames[0]?.d as { sessionId: string }
    const first = await toMember('before the cut')
    const { sn } = await line.next(isIt(first.msg_id))
    line.terminate()
    const missed = await toMember('while it was cut')
    const { data } = await as.member<{ url: string }>('GET', 'gateway/index', { compress: 1 })
    const back = await openGatewayConnection(`${data.url}&resume=1&sn=${sn}&session_id=${hello.sessionId}`)
    expect((await back.next(isIt(missed.msg_id))).sn).toBe((sn ?? 0) + 1)
    await allHeard()
    expect(back.frames.filter(isIt(missed.msg_id))).toHaveLength(1)
    expect(back.frames.some(isIt(first.msg_id))).toBe(false)
    back.terminate()
  })

  it('in cards have buttons that reach the bot, pressed by that person alone', async () => {
    const { msg_id } = await toMember(card('yes'), { type: 10 })
    const press = (by: BotCall, value: string) => refusal(by, 'message/click-button', { msg_id, value })
    expect((await press(as.admin, 'yes'))[2]).toBe('message.unknown')
    expect((await press(as.member, 'no'))[2]).toBe('card.no_button')
    expect((await press(as.member, 'yes'))[1]).toBe(0)
    expect((await heard.bot.next(clickOn(msg_id))).d?.extra?.body).toMatchObject({
      ...{ msg_id, value: 'yes', user_id: idOf('member'), target_id: main, guild_id: house.guildId },
    })
  })
})

const clickOn =
  (id: string) =>
  ({ d }: Frame) =>
    d?.extra?.type === 'message_btn_click' && (d.extra.body as { msg_id: string }).msg_id === id

describe('other words of a message for one person', () => {
  it('are refused of what is not their own, is gone or of another kind, and to whom does not see it', async () => {
    const { msg_id } = await toAll('words')
    const to = (by: BotCall, it: object) =>
      refusal(by, 'message/update', { msg_id, content: 'x', temp_target_id: idOf('member'), ...it })
    expect((await to(as.admin, {}))[2]).toBe('message.not_author')
    expect((await to(say, { temp_target_id: idOf('outsider') }))[2]).toBe('message.target_unknown')
    expect((await to(say, { content: '' }))[2]).toBe('message.empty')
    const plain = await toAll('text', { type: 1 })
    expect((await to(say, { msg_id: plain.msg_id }))[2]).toBe('message.kind_refused')
    await say('POST', 'message/delete', { msg_id })
    expect((await to(say, {}))[2]).toBe('message.unknown')
  })

  it('are heard by that person alone, and leave the message as it is', async () => {
    const { msg_id } = await toAll('for all')
    const it = { msg_id, content: '**for you**', temp_target_id: idOf('member') }
    expect(await say('POST', 'message/update', it)).toMatchObject({ code: 0, data: { revision: 0 } })
    const { d } = await heard.member.next(updateOf(msg_id))
    expect(d).toMatchObject({
      ...{ channel_type: 'GROUP', target_id: house.guildId, author_id: '1', type: 255 },
      extra: {
        body: { content: '**for you**', visible_only: idOf('member'), revision: 0, channel_id: main },
      },
    })
    await allHeard()
    for (const name of ['admin', 'bot'] as const)
      expect(heard[name].frames.some(updateOf(msg_id))).toBe(false)
    const stored = await as.member('GET', 'message/view', { msg_id })
    expect(stored.data).toMatchObject({ content: 'for all', updated_at: 0, revision: 0 })
  })

  it('in cards have buttons of their own, beside those of the message', async () => {
    const { msg_id } = await toAll(card('old'), { type: 10 })
    for (const value of ['new', 'newer'])
      await say('POST', 'message/update', {
        ...{ msg_id, content: card(value), temp_target_id: idOf('member') },
      })
    const press = async (by: BotCall, value: string) =>
      (await refusal(by, 'message/click-button', { msg_id, value }))[2]
    expect(await press(as.admin, 'newer')).toBe('card.no_button')
    expect(await press(as.member, 'new')).toBe('card.no_button')
    expect(await press(as.member, 'newer')).toBeUndefined()
    expect(await press(as.member, 'old')).toBeUndefined()
    expect(await press(as.admin, 'old')).toBeUndefined()
  })
})
