/** A public bot library, as its authors publish it, at work in the house: the Satori adapter. */
import { createRequire } from 'node:module'
import { expect, test } from '@playwright/test'
import { openTestServer, type TestServer } from '../server/src/testing/server.ts'
import { caller, openGatewayConnection } from './botClient.ts'

/** What the library tells its author of. */
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

/** What its author has it do. */
interface Bot {
  readonly isActive: boolean
  readonly user?: { readonly id: string; readonly name: string }
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
  on(name: string, hear: (session: Session) => void): void
  plugin(plugin: unknown, config?: object): void
  start(): Promise<void>
  stop(): Promise<void>
}

// Its packages come in two forms that do not know each other: the adapter asks for this one.
const require = createRequire(import.meta.url)
const core = require('@satorijs/core') as { readonly Context: new () => Context; readonly HTTP: unknown }
const { KookBot } = require('@satorijs/adapter-kook') as { readonly KookBot: unknown }

let house: TestServer
let context: Context
let bot: Bot
let own: { readonly id: string; readonly token: string }
let main: string
const heard: Session[] = []
const waiting: (() => void)[] = []

/** The first thing the library told of that fits. */
async function told(fits: (session: Session) => boolean): Promise<Session> {
  for (;;) {
    const found = heard.find(fits)
    if (found) return found
    await new Promise<void>((wake) => waiting.push(wake))
  }
}
const say = async (content: string) => {
  const body = { content: JSON.stringify({ content }) }
  const token = await house.login('member')
  const path = `/api/v2/channels/${main}/message`
  return (await house.call<{ msgId: string }>(token, 'POST', path, body)).msgId
}

test.beforeAll(async () => {
  house = await openTestServer()
  main = house.channel('闲聊')
  own = await house.command<{ id: string; token: string }>(`bot create --name 应声 --guild ${house.guildId}`)
  context = new core.Context()
  for (const name of [
    'message',
    'message-updated',
    'message-deleted',
    'reaction-added',
    'guild-member-added',
  ] as const)
    context.on(name, (session) => {
      heard.push(session)
      for (const wake of waiting.splice(0)) wake()
    })
  context.plugin(core.HTTP)
  context.plugin(KookBot, { protocol: 'ws', token: own.token, endpoint: `${house.url}/api/v3` })
  await context.start()
  await new Promise<void>((online) => {
    const look = () => {
      const [mine] = context.bots
      if (mine?.isActive && mine.user) {
        bot = mine
        online()
      } else setTimeout(look, 50)
    }
    look()
  })
})

test.afterAll(async () => {
  await context?.stop()
  await house?.close()
})

test.describe('a bot written with Satori', () => {
  test('comes online under its name', async () => {
    expect(bot.user).toMatchObject({ name: '应声' })
    const { data } = await caller(house.url, `Bot ${own.token}`)('GET', 'user/me')
    expect(data).toMatchObject({ id: bot.user?.id, online: true })
  })

  test('hears a person, answers, changes its answer, reacts and deletes it; the person hears all of it', async () => {
    const person = caller(house.url, await house.login('member'))
    const line = await openGatewayConnection((await person<{ url: string }>('GET', 'gateway/index')).data.url)
    const asked = await say(`(met)${own.id}(met) 几点了`)
    const question = await told(({ messageId }) => messageId === asked)
    expect(question).toMatchObject({ channelId: main, guildId: house.guildId, isDirect: false })
    expect(question.content).toContain('几点了')
    expect(question.event.member).toMatchObject({ nick: '南枝' })

    const [answered] = await bot.sendMessage(main, '十点')
    const frame = await line.next(({ d }) => d?.msg_id === answered)
    expect(frame.d).toMatchObject({ author_id: own.id, content: '十点', type: 9 })
    await bot.editMessage(main, answered!, '十点半')
    expect((await line.event('updated_message')).d?.extra?.body).toMatchObject({
      msg_id: answered,
      content: '十点半',
    })
    await bot.createReaction(main, asked, '👍')
    expect((await line.event('added_reaction')).d?.extra?.body).toMatchObject({
      msg_id: asked,
      user_id: own.id,
    })
    expect((await bot.getReactionList(main, asked, '👍')).data.map(({ id }) => id)).toEqual([own.id])
    expect(await bot.getMessage(main, answered!)).toMatchObject({ id: answered, content: '十点半' })
    await bot.deleteMessage(main, answered!)
    expect((await line.event('deleted_message')).d?.extra?.body).toMatchObject({ msg_id: answered })
    // Of which message it was the library says nothing.
    await told(({ type }) => type === 'message-deleted')
    line.terminate()
  })

  test('uploads a picture and shows it', async () => {
    const pixel =
      'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    const [shown] = await bot.sendMessage(main, `<img src="${pixel}"/>`)
    const { data } = await caller(house.url, `Bot ${own.token}`)('GET', 'message/view', {
      msg_id: shown,
    })
    expect(data).toMatchObject({ type: 10, author: { id: own.id } })
    const [card] = JSON.parse(String(data.content))
    const picture = await fetch(card.modules[0].elements[0].src)
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png'])
  })

  test('talks with a person alone', async () => {
    const member = house.person('member').id
    const person = caller(house.url, await house.login('member'))
    const { id: code } = await bot.createDirectChannel(member)
    const [sent] = await bot.sendMessage(code, '只跟你说')
    const { data } = await person<{ items: { id: string; content: string; author_id: string }[] }>(
      'GET',
      'direct-message/list',
      { chat_code: code },
    )
    expect(data.items).toMatchObject([{ id: sent, content: '只跟你说', author_id: own.id }])
    const answer = await person<{ msg_id: string }>('POST', 'direct-message/create', {
      chat_code: code,
      content: '好',
    })
    const heardIt = await told(({ messageId }) => messageId === answer.data.msg_id)
    expect(heardIt).toMatchObject({ isDirect: true, channelId: code, userId: member, content: '好' })
    await bot.deleteMessage(code, sent!)
    expect((await person('GET', 'direct-message/list', { chat_code: code })).data.items).toMatchObject([
      { id: answer.data.msg_id },
    ])
  })
})
