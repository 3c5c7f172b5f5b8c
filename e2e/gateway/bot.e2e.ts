/** Compatibility with a published bot library: the Satori adapter, run unchanged against the server. */
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { expect, test } from '@playwright/test'
import { openTestServer, type TestServer } from '../../server/src/testing/server.ts'
import { caller, openGatewayConnection } from '../botClient.ts'

/** An event as the library reports it to a bot. */
interface Session {
  readonly type: string
  readonly messageId?: string
  readonly channelId?: string
  readonly guildId?: string
  readonly userId?: string
  readonly content?: string
  readonly isDirect?: boolean
  readonly event: { readonly member?: unknown }
}

/** The library's bot: the calls that the tests use. */
interface Bot {
  readonly isActive: boolean
  readonly user?: { readonly id: string; readonly name: string }
  readonly adapter: { readonly socket?: WebSocket }
  stop(): Promise<void>
  sendMessage(channelId: string, content: string): Promise<string[]>
  editMessage(channelId: string, messageId: string, content: string): Promise<void>
  deleteMessage(channelId: string, messageId: string): Promise<void>
  getMessage(channelId: string, messageId: string): Promise<unknown>
  createReaction(channelId: string, messageId: string, emoji: string): Promise<void>
  getReactionList(
    channelId: string,
    messageId: string,
    emoji: string,
  ): Promise<{ readonly data: readonly { readonly id: string }[] }>
  createDirectChannel(userId: string): Promise<{ readonly id: string }>
}

interface Context {
  readonly bots: readonly Bot[]
  on(name: string, listener: (session: Session) => void): void
  plugin(plugin: unknown, config?: object): void
  start(): Promise<void>
  stop(): Promise<void>
}

// The packages exist as CommonJS and as ES modules, which do not share state; the adapter requires CommonJS.
const require = createRequire(import.meta.url)
const core = require('@satorijs/core') as { readonly Context: new () => Context; readonly HTTP: unknown }
const { KookBot } = require('@satorijs/adapter-kook') as { readonly KookBot: unknown }

let server: TestServer
let context: Context
let bot: Bot
let account: { readonly id: string; readonly token: string }
let main: string
const receivedEvents: Session[] = []
const waiting: (() => void)[] = []

/** Waits for the first event of the library that matches. */
async function waitForEvent(matches: (session: Session) => boolean): Promise<Session> {
  for (;;) {
    const found = receivedEvents.find(matches)
    if (found) return found
    await new Promise<void>((wake) => waiting.push(wake))
  }
}
const sendAsMember = async (content: string) => (await server.as('member').say(main, content)).id as string

test.beforeAll(async () => {
  server = await openTestServer()
  main = server.channel('闲聊')
  account = await server.command<{ id: string; token: string }>(
    `bot create --name 应声 --guild ${server.guildId}`,
  )
  context = new core.Context()
  for (const name of [
    'message',
    'message-updated',
    'message-deleted',
    'reaction-added',
    'guild-member-added',
  ] as const)
    context.on(name, (session) => {
      receivedEvents.push(session)
      for (const wake of waiting.splice(0)) wake()
    })
  context.plugin(core.HTTP)
  context.plugin(KookBot, { protocol: 'ws', token: account.token, endpoint: `${server.url}/api/v3` })
  await context.start()
  await new Promise<void>((online) => {
    const checkOnline = () => {
      const [first] = context.bots
      if (first?.isActive && first.user) {
        bot = first
        online()
      } else setTimeout(checkOnline, 50)
    }
    checkOnline()
  })
})

test.afterAll(async () => {
  // The library throws for an event that arrives after its context has stopped, so the connection ends first.
  const socket = bot?.adapter.socket
  const closed = socket && once(socket, 'close')
  await bot?.stop()
  await closed
  await context?.stop()
  await server?.close()
})

test.describe('a bot written with Satori', () => {
  test('goes online with its name', async () => {
    expect(bot.user).toMatchObject({ name: '应声' })
    const { data } = await caller(server.url, `Bot ${account.token}`)('GET', 'user/me')
    expect(data).toMatchObject({ id: bot.user?.id, online: true })
  })

  test('receives a message, replies, edits, reacts and deletes; the person receives every event', async () => {
    const person = caller(server.url, await server.login('member'))
    const connection = await openGatewayConnection(
      (await person<{ url: string }>('GET', 'gateway/index')).data.url,
    )
    const questionId = await sendAsMember(`(met)${account.id}(met) 几点了`)
    const question = await waitForEvent(({ messageId }) => messageId === questionId)
    expect(question).toMatchObject({ channelId: main, guildId: server.guildId, isDirect: false })
    expect(question.content).toContain('几点了')
    expect(question.event.member).toMatchObject({ nick: '南枝' })

    const [answerId] = await bot.sendMessage(main, '十点')
    const frame = await connection.next(({ d }) => d?.msg_id === answerId)
    expect(frame.d).toMatchObject({ author_id: account.id, content: '十点', type: 9 })
    await bot.editMessage(main, answerId!, '十点半')
    expect((await connection.event('updated_message')).d?.extra?.body).toMatchObject({
      msg_id: answerId,
      content: '十点半',
    })
    await bot.createReaction(main, questionId, '👍')
    expect((await connection.event('added_reaction')).d?.extra?.body).toMatchObject({
      msg_id: questionId,
      user_id: account.id,
    })
    expect((await bot.getReactionList(main, questionId, '👍')).data.map(({ id }) => id)).toEqual([account.id])
    expect(await bot.getMessage(main, answerId!)).toMatchObject({ id: answerId, content: '十点半' })
    await bot.deleteMessage(main, answerId!)
    expect((await connection.event('deleted_message')).d?.extra?.body).toMatchObject({ msg_id: answerId })
    // The library does not report the id of the deleted message.
    await waitForEvent(({ type }) => type === 'message-deleted')
    connection.terminate()
  })

  test('uploads a picture and shows it', async () => {
    const pixel =
      'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    const [shown] = await bot.sendMessage(main, `<img src="${pixel}"/>`)
    const { data } = await caller(server.url, `Bot ${account.token}`)('GET', 'message/view', {
      msg_id: shown,
    })
    expect(data).toMatchObject({ type: 10, author: { id: account.id } })
    const [card] = JSON.parse(String(data.content))
    const picture = await fetch(card.modules[0].elements[0].src)
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png'])
  })

  test('exchanges direct messages with a person', async () => {
    const member = server.person('member').id
    const person = caller(server.url, await server.login('member'))
    const { id: code } = await bot.createDirectChannel(member)
    const [sent] = await bot.sendMessage(code, '只跟你说')
    const { data } = await person<{ items: { id: string; content: string; author_id: string }[] }>(
      'GET',
      'direct-message/list',
      { chat_code: code },
    )
    expect(data.items).toMatchObject([{ id: sent, content: '只跟你说', author_id: account.id }])
    const answer = await person<{ msg_id: string }>('POST', 'direct-message/create', {
      chat_code: code,
      content: '好',
    })
    const received = await waitForEvent(({ messageId }) => messageId === answer.data.msg_id)
    expect(received).toMatchObject({ isDirect: true, channelId: code, userId: member, content: '好' })
    await bot.deleteMessage(code, sent!)
    expect((await person('GET', 'direct-message/list', { chat_code: code })).data.items).toMatchObject([
      { id: answer.data.msg_id },
    ])
  })
})
