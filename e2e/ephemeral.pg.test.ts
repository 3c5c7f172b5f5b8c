/**
 * Ephemeral messages and ephemeral edits over real HTTP and real connections: delivered to one person, stored
 * nowhere.
 */
import { listUnread, listWaiting } from '@guildhall/wire/message/readMark.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestServer, type TestServer } from '../server/src/testing/server.ts'
import {
  type BotCall,
  caller,
  type Frame,
  type GatewayConnection,
  openGatewayConnection,
} from './botClient.ts'

let server: TestServer
let main: string
let bot: { id: string; token: string }
let callAsBot: BotCall
let callAs: Record<'member' | 'admin', BotCall>
let connections: Record<'bot' | 'member' | 'admin', GatewayConnection>

const connect = async (by: BotCall) =>
  openGatewayConnection((await by<{ url: string }>('GET', 'gateway/index', { compress: 1 })).data.url)
interface Sent {
  readonly msg_id: string
  readonly msg_timestamp: number
  readonly nonce: string
}
const sendToMember = async (content: string, more: object = {}) => {
  const it = { target_id: main, content, temp_target_id: server.idOf('member'), ...more }
  const { code, data } = await callAsBot<Sent>('POST', 'message/create', it)
  expect(code).toBe(0)
  return data
}
const sendToAll = async (content: string, more: object = {}) =>
  (await callAsBot<Sent>('POST', 'message/create', { target_id: main, content, ...more })).data
const isMessage =
  (id: string) =>
  ({ d }: Frame) =>
    d?.msg_id === id
const isUpdateOf =
  (id: string) =>
  ({ d }: Frame) =>
    d?.extra?.type === 'updated_message' && (d.extra.body as { msg_id: string }).msg_id === id
/** Waits until everybody received a marker message: all earlier events are delivered by then. */
async function waitForDelivery(): Promise<void> {
  const { msg_id } = await sendToAll('a mark')
  for (const connection of Object.values(connections)) await connection.next(isMessage(msg_id))
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
  server = await openTestServer()
  main = server.channel('闲聊')
  bot = await server.command(`bot create --name 报时 --guild ${server.guildId}`)
  callAsBot = caller(server.url, `Bot ${bot.token}`)
  callAs = {
    member: caller(server.url, await server.login('member')),
    admin: caller(server.url, await server.login('admin')),
  }
  connections = {
    bot: await connect(callAsBot),
    member: await connect(callAs.member),
    admin: await connect(callAs.admin),
  }
})
afterAll(async () => {
  for (const connection of Object.values(connections ?? {})) connection.terminate()
  await server?.close()
})

describe('an ephemeral message is refused', () => {
  it('when its recipient is no member, unknown, or may not see the channel', async () => {
    const to = (temp_target_id: string, target_id = main) =>
      refusal(callAsBot, 'message/create', { target_id, content: 'x', temp_target_id })
    const unseen = [200, 40000, 'message.target_unknown']
    expect(await to(server.idOf('outsider'))).toEqual(unseen)
    expect(await to('4294967295')).toEqual(unseen)
    expect((await to('everybody'))[2]).toBe('bad_input')
    const admin = { content: 'x', target_id: server.channel('值班室'), temp_target_id: server.idOf('member') }
    expect(await refusal(callAs.admin, 'message/create', admin)).toEqual(unseen)
  })

  it('like any other message: for permissions, type and content', async () => {
    const to = (it: object) =>
      refusal(callAsBot, 'message/create', {
        target_id: main,
        content: 'x',
        temp_target_id: server.idOf('member'),
        ...it,
      })
    expect((await to({ target_id: server.channel('公告') }))[2]).toBe('message.not_allowed')
    expect((await to({ target_id: server.channel('值班室') }))[0]).toBe(403)
    expect((await to({ content: ' ' }))[2]).toBe('message.empty')
    expect((await to({ type: 12 }))[2]).toBe('message.kind_refused')
    expect((await to({ type: 10, content: '[{}]' }))[2]).toBe('card.invalid')
    expect((await to({ type: 2, content: 'https://elsewhere.example/a.png' }))[2]).toBe('asset.unknown')
    const mine = { target_id: main, content: card('x'), type: 10, temp_target_id: server.idOf('admin') }
    expect((await refusal(callAs.member, 'message/create', mine))[2]).toBe('message.kind_refused')
  })

  it('with an unknown template, like every other message', async () => {
    const no = [200, 40000, 'message.template_unknown']
    const { msg_id } = await sendToAll('x')
    const it = { content: '{}', template_id: '7' }
    expect(await refusal(callAsBot, 'message/create', { ...it, target_id: main })).toEqual(no)
    expect(await refusal(callAsBot, 'channel/message', { ...it, channel_id: main })).toEqual(no)
    expect(await refusal(callAsBot, 'message/update', { ...it, msg_id })).toEqual(no)
    const target_id = server.idOf('member')
    expect(await refusal(callAsBot, 'direct-message/create', { ...it, target_id })).toEqual(no)
    const direct = await callAsBot<Sent>('POST', 'direct-message/create', {
      target_id,
      content: 'x',
      type: 9,
    })
    expect(await refusal(callAsBot, 'direct-message/update', { ...it, msg_id: direct.data.msg_id })).toEqual(
      no,
    )
    expect((await sendToAll('without', { template_id: '' })).msg_id).not.toBe('')
  })
})

describe('an ephemeral message', () => {
  it('is delivered to its recipient and its sender, and to nobody else', async () => {
    const before = await sendToAll('before')
    const seqOf = ({ d }: Frame) => d?.extra?.seq as number
    const last = seqOf(await connections.member.next(isMessage(before.msg_id)))
    const sent = await sendToMember(`(met)${server.idOf('member')}(met) 只说给你听`, { nonce: 'ephemeral' })
    expect(sent.nonce).toBe('ephemeral')
    for (const name of ['member', 'bot'] as const) {
      const { d } = await connections[name].next(isMessage(sent.msg_id))
      expect(d).toMatchObject({
        channel_type: 'GROUP',
        type: 9,
        target_id: main,
        author_id: bot.id,
        nonce: 'ephemeral',
        msg_timestamp: sent.msg_timestamp,
        extra: {
          guild_id: server.guildId,
          channel_name: '闲聊',
          visible_only: server.idOf('member'),
          seq: last,
          mention: [server.idOf('member')],
        },
      })
    }
    await waitForDelivery()
    expect(connections.admin.frames.some(isMessage(sent.msg_id))).toBe(false)
  })

  it('is sent once per nonce, also when sends are concurrent or use the old name of the call', async () => {
    const twice = await Promise.all([1, 2, 3].map(() => sendToMember('once', { nonce: 'n' })))
    const old = await callAsBot<Sent>('POST', 'channel/message', {
      channel_id: main,
      content: 'once',
      type: 9,
      nonce: 'n',
      temp_target_id: server.idOf('member'),
    })
    expect(new Set([...twice, old.data].map(({ msg_id }) => msg_id)).size).toBe(1)
    expect(new Set([...twice, old.data].map((it) => it.msg_timestamp)).size).toBe(1)
    const other = await sendToMember('once', { nonce: 'n', temp_target_id: server.idOf('muted') })
    expect(other.msg_id).not.toBe(old.data.msg_id)
    expect((await sendToAll('once', { nonce: 'n' })).msg_id).not.toBe(old.data.msg_id)
    await waitForDelivery()
    expect(connections.member.frames.filter(isMessage(old.data.msg_id))).toHaveLength(1)
  })

  it('is not in the history, not unread, and unknown to every call on messages', async () => {
    const known = async () => [
      (await callAs.member('GET', 'message/list', { target_id: main, page_size: 3 })).data,
      await server.as('member').call(listUnread, { guild_id: server.guildId }),
      await server.as('member').call(listWaiting),
    ]
    await waitForDelivery()
    const before = await known()
    const { msg_id } = await sendToMember(`(met)${server.idOf('member')}(met)`)
    await connections.member.next(isMessage(msg_id))
    expect(await known()).toEqual(before)
    const unknownMessage = [200, 40000, 'message.unknown']
    expect(await refusal(callAs.member, 'message/add-reaction', { msg_id, emoji: '👍' })).toEqual(
      unknownMessage,
    )
    expect(await refusal(callAs.admin, 'message/pin', { target_id: main, msg_id })).toEqual(unknownMessage)
    expect(await refusal(callAsBot, 'message/delete', { msg_id })).toEqual(unknownMessage)
    expect(await refusal(callAsBot, 'message/update', { msg_id, content: 'x' })).toEqual(unknownMessage)
    expect(
      await refusal(callAs.member, 'message/create', { target_id: main, content: 'x', quote: msg_id }),
    ).toEqual(unknownMessage)
    expect((await callAs.member('GET', 'message/view', { msg_id })).data.error).toBe('message.unknown')
  })

  it('is replayed once and in order when a session resumes', async () => {
    const connection = await connect(callAs.member)
    const hello = connection.frames[0]?.d as { sessionId: string }
    const first = await sendToMember('before the cut')
    const { sn } = await connection.next(isMessage(first.msg_id))
    connection.terminate()
    const missed = await sendToMember('while it was cut')
    const { data } = await callAs.member<{ url: string }>('GET', 'gateway/index', { compress: 1 })
    const back = await openGatewayConnection(`${data.url}&resume=1&sn=${sn}&session_id=${hello.sessionId}`)
    expect((await back.next(isMessage(missed.msg_id))).sn).toBe((sn ?? 0) + 1)
    await waitForDelivery()
    expect(back.frames.filter(isMessage(missed.msg_id))).toHaveLength(1)
    expect(back.frames.some(isMessage(first.msg_id))).toBe(false)
    back.terminate()
  })

  it('has buttons that only its recipient can press', async () => {
    const { msg_id } = await sendToMember(card('yes'), { type: 10 })
    const press = (by: BotCall, value: string) => refusal(by, 'message/click-button', { msg_id, value })
    expect((await press(callAs.admin, 'yes'))[2]).toBe('message.unknown')
    expect((await press(callAs.member, 'no'))[2]).toBe('card.no_button')
    expect((await press(callAs.member, 'yes'))[1]).toBe(0)
    expect((await connections.bot.next(isClickOn(msg_id))).d?.extra?.body).toMatchObject({
      msg_id,
      value: 'yes',
      user_id: server.idOf('member'),
      target_id: main,
      guild_id: server.guildId,
    })
  })
})

const isClickOn =
  (id: string) =>
  ({ d }: Frame) =>
    d?.extra?.type === 'message_btn_click' && (d.extra.body as { msg_id: string }).msg_id === id

describe('an ephemeral edit', () => {
  it('is refused for a message of another author, of another type or deleted, and for a recipient who may not see it', async () => {
    const { msg_id } = await sendToAll('text')
    const to = (by: BotCall, it: object) =>
      refusal(by, 'message/update', { msg_id, content: 'x', temp_target_id: server.idOf('member'), ...it })
    expect((await to(callAs.admin, {}))[2]).toBe('message.not_author')
    expect((await to(callAsBot, { temp_target_id: server.idOf('outsider') }))[2]).toBe(
      'message.target_unknown',
    )
    expect((await to(callAsBot, { content: '' }))[2]).toBe('message.empty')
    const plain = await sendToAll('text', { type: 1 })
    expect((await to(callAsBot, { msg_id: plain.msg_id }))[2]).toBe('message.kind_refused')
    await callAsBot('POST', 'message/delete', { msg_id })
    expect((await to(callAsBot, {}))[2]).toBe('message.unknown')
  })

  it('is delivered to its recipient only, and leaves the stored message unchanged', async () => {
    const { msg_id } = await sendToAll('for all')
    const it = { msg_id, content: '**for you**', temp_target_id: server.idOf('member') }
    expect(await callAsBot('POST', 'message/update', it)).toMatchObject({ code: 0, data: { revision: 0 } })
    const { d } = await connections.member.next(isUpdateOf(msg_id))
    expect(d).toMatchObject({
      channel_type: 'GROUP',
      target_id: server.guildId,
      author_id: '1',
      type: 255,
      extra: {
        body: { content: '**for you**', visible_only: server.idOf('member'), revision: 0, channel_id: main },
      },
    })
    await waitForDelivery()
    for (const name of ['admin', 'bot'] as const)
      expect(connections[name].frames.some(isUpdateOf(msg_id))).toBe(false)
    const stored = await callAs.member('GET', 'message/view', { msg_id })
    expect(stored.data).toMatchObject({ content: 'for all', updated_at: 0, revision: 0 })
  })

  it('adds buttons for its recipient to those of the message', async () => {
    const { msg_id } = await sendToAll(card('old'), { type: 10 })
    for (const value of ['new', 'newer'])
      await callAsBot('POST', 'message/update', {
        msg_id,
        content: card(value),
        temp_target_id: server.idOf('member'),
      })
    const press = async (by: BotCall, value: string) =>
      (await refusal(by, 'message/click-button', { msg_id, value }))[2]
    expect(await press(callAs.admin, 'newer')).toBe('card.no_button')
    expect(await press(callAs.member, 'new')).toBe('card.no_button')
    expect(await press(callAs.member, 'newer')).toBeUndefined()
    expect(await press(callAs.member, 'old')).toBeUndefined()
    expect(await press(callAs.admin, 'old')).toBeUndefined()
  })
})
