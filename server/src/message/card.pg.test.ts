import type { Uploaded } from '@guildhall/wire/asset/asset.ts'
import type { GuildId, MessageId, RoleId, UserId } from '@guildhall/wire/id.ts'
import { updateMessage, viewMessage } from '@guildhall/wire/message/act.ts'
import { checkCard, clickButton } from '@guildhall/wire/message/card.ts'
import { createMessage, history, type Message, sendToChannel } from '@guildhall/wire/message/message.ts'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { giveRole } from '../guild/guild.ts'
import { commit } from '../kit/events.ts'
import { type House, openHouse } from '../testing/house.ts'
import type { CastName } from '../testing/seed.ts'
import { places } from '../testing/text.ts'
import { answerIn, type Call, Refused, requestOf } from '../testing/world.ts'

/** Two bots beside the cast: one with the rights of the admin, one with none of its own. */
type Who = CastName | 'bot' | 'plainBot'

let house: House
let picture: Uploaded
let foreign: Uploaded
let file: Uploaded
const authorizations = new Map<Who, string>()
let botId: string
beforeAll(async () => {
  house = await openHouse()
  for (const name of ['owner', 'member', 'outsider'] as const)
    authorizations.set(name, await house.login(name))
  const bot = async (who: Who, name: string) => {
    const made = await house.command<{ id: string; token: string }>(
      `bot create --name ${name} --guild ${house.guildId}`,
    )
    authorizations.set(who, `Bot ${made.token}`)
    return made.id
  }
  await bot('plainBot', '哑巴')
  botId = await bot('bot', '报时')
  const { rows } = await sql<{ role_id: number }>`
    select role_id from membership_role where user_id = ${house.person('admin').id}`.execute(
    house.database.db,
  )
  await commit(house.live, (tx, emit) =>
    giveRole(tx, emit, house.guildId as GuildId, botId as UserId, rows[0]!.role_id as RoleId),
  )
  const red = { width: 30, height: 20, channels: 3 as const, background: 'red' }
  const png = await sharp({ create: red }).png().toBuffer()
  picture = await upload('bot', png, 'a.png')
  foreign = await upload('member', png, 'b.png')
  file = await upload('bot', Buffer.from('%PDF-1.7 words'), '攻略.pdf')
})
afterAll(() => house?.close())

async function upload(who: Who, content: Buffer, name: string): Promise<Uploaded> {
  const form = new FormData()
  form.append('file', new Blob([content as Uint8Array<ArrayBuffer>]), name)
  const headers = { authorization: authorizations.get(who)! }
  const answer = await fetch(`${house.url}/api/v3/asset/create`, { method: 'POST', body: form, headers })
  return ((await answer.json()) as { data: Uploaded }).data
}

const callAs =
  (name: Who | null): Call =>
  async (route, input) => {
    const { method, url, payload } = requestOf(route, input)
    const token = name === null ? undefined : authorizations.get(name)
    const answer = await fetch(house.url + url, {
      method,
      headers: { 'content-type': 'application/json', ...(token && { authorization: token }) },
      ...(payload !== undefined && { body: payload }),
    })
    return answerIn(route, { status: answer.status, headers: {}, text: await answer.text() })
  }
/** Which clicks somebody was told of, oldest first. */
const clicksOf = async (userId: string) =>
  (
    await sql<{ kind: string; body: unknown }>`
      select kind, body from person_event_log where user_id = ${userId} and kind = 'message_btn_click' order by seq`.execute(
      house.database.db,
    )
  ).rows
/** What the guild was told, the newest last. */
const toldToAll = async () =>
  (
    await sql<{ kind: string; body: unknown }>`
      select kind, body from event_log where guild_id = ${house.guildId} order by seq`.execute(
      house.database.db,
    )
  ).rows
const main = () => house.channel(places.demo.main)

const one = (...modules: unknown[]) => JSON.stringify([{ type: 'card', modules }])
const image = (src: string, more = {}) => ({ type: 'container', elements: [{ type: 'image', src, ...more }] })
const button = (value: string, click = 'return-val') => ({
  type: 'action-group',
  elements: [{ type: 'button', text: 'x', value, click }],
})
/** Says it by the public call, and reads it back. */
const send = async (content: string, who: Who = 'bot', id: string = main()): Promise<Message> => {
  const call = callAs(who)
  const { msg_id } = await call(createMessage, { target_id: id, type: 10, content })
  const page = await callAs('owner')(history, { id, page_size: 1 })
  expect(page[0]?.id).toBe(msg_id)
  return page[0]!
}
const refused = (promise: Promise<unknown>): Promise<Refused> =>
  promise.then(
    () => {
      throw new Error('it was not refused')
    },
    (error: unknown) => {
      if (error instanceof Refused) return error
      throw error
    },
  )
const why = async (promise: Promise<unknown>) => {
  const { failure, body } = await refused(promise)
  return failure ?? body.error
}
const cardsIn = (message: Message) => JSON.parse(message.content)

describe('cards are refused', () => {
  it('from people, whatever they may do in the guild', async () => {
    for (const name of ['owner', 'member'] as const)
      expect(await why(send(one('x'), name))).toBe('message.kind_refused')
  })

  it('from a bot where it may not speak', async () => {
    expect(await why(send(one('x'), 'plainBot', house.channel(places.demo.rules)))).toBe(
      'message.not_allowed',
    )
    expect(await why(send(one('x'), 'plainBot', house.channel(places.demo.private)))).toBe('forbidden')
  })

  it('when they are no JSON, and by the place where they are wrong', async () => {
    expect(await why(send('[{'))).toBe('bad_json')
    const refusal = await refused(send(one('x', { type: 'header', text: 'a'.repeat(101) })))
    expect(refusal.body).toMatchObject({
      code: 40000,
      message: '卡片消息json没有通过验证：[0].modules[1].text (long)',
      data: { extra: { at: '[0].modules[1].text', why: 'long' } },
    })
  })

  it('with pictures and files this house does not have, and with somebody else’s files', async () => {
    expect(await why(send(one(image('https://elsewhere.example/a.png'))))).toBe('asset.unknown')
    expect(await why(send(one(image(file.url))))).toBe('asset.unknown')
    expect(await why(send(one({ type: 'file', src: foreign.url })))).toBe('asset.unknown')
    expect(await why(send(one({ type: 'video', src: file.url })))).toBe('asset.unknown')
    const refusal = await refused(send(one('x', { type: 'audio', src: file.url })))
    expect(refusal.body.data?.extra).toEqual({ at: '[0].modules[1].src' })
  })

  it('by the check as by the sending, which says nothing to anybody', async () => {
    const before = await toldToAll()
    const check = (content: unknown) => callAs('member')(checkCard, { content })
    expect(await why(check('{'))).toBe('bad_json')
    expect(await why(check('{"type":"card"}'))).toBe('card.invalid')
    expect(await why(check([{ type: 'card', modules: [{ type: 'x' }] }]))).toBe('card.invalid')
    expect(await why(check(one(image('https://elsewhere.example/a.png'))))).toBe('asset.unknown')
    expect(await check(one('x'))).toEqual({})
    expect(await check(JSON.parse(one('x')))).toEqual({})
    expect(await why(callAs(null)(checkCard, { content: one('x') }))).toBe('not_logged_in')
    expect(await toldToAll()).toEqual(before)
  })
})

describe('cards of a bot', () => {
  it('are stored whole, with what the house knows of their files, and read back as they were told', async () => {
    const message = await send(
      one(
        { type: 'header', text: '集合' },
        image('https://elsewhere.example/a.png', { fallbackUrl: foreign.url }),
        { type: 'file', src: file.url, size: 5, external: true },
        button('join-1'),
      ),
    )
    expect(message.type).toBe(10)
    const [, shown, carried] = cardsIn(message)[0].modules
    expect(shown.elements).toEqual([{ type: 'image', alt: '', size: 'lg', circle: false, src: foreign.url }])
    expect(carried).toEqual({
      ...{ type: 'file', src: file.url, title: '攻略.pdf', size: file.size },
      ...{ external: false, canDownload: true },
    })
    expect(message.kmarkdown.raw_content).toBe('集合\nx')
    expect((await callAs('member')(history, { id: main(), page_size: 1 }))[0]).toMatchObject({
      id: message.id,
      content: message.content,
      author: { bot: true },
    })
    expect((await callAs('member')(viewMessage, { msg_id: message.id })).type).toBe(10)
  })

  it('take pictures by their path alone', async () => {
    const message = await send(one(image(new URL(picture.url).pathname)))
    expect(cardsIn(message)[0].modules[0].elements[0].src).toBe(picture.url)
    expect(message.kmarkdown.raw_content).toBe('[卡片消息]')
  })

  it('call on people by their KMarkdown alone', async () => {
    const [owner, member] = [house.person('owner'), house.person('member')]
    const message = await send(
      one(`(met)${owner.id}(met)`, {
        type: 'section',
        text: {
          type: 'paragraph',
          fields: [{ type: 'kmarkdown', content: `(met)${member.id}(met) (met)all(met)` }],
        },
      }),
    )
    expect(message.mention).toEqual([member.id])
    expect(message.kmarkdown.mention_part).toHaveLength(1)
  })

  it('are changed by it, through the same reader', async () => {
    const { id } = await send(one('old', button('a')))
    const edit = (content: string, who: Who = 'bot') => callAs(who)(updateMessage, { msg_id: id, content })
    expect(await why(edit('no json'))).toBe('bad_json')
    expect(await why(edit(one({ type: 'x' })))).toBe('card.invalid')
    expect(await why(edit(one('mine'), 'owner'))).toBe('message.not_author')
    expect(await edit(one('new'))).toEqual({ revision: 1 })
    expect(await edit(one('new'))).toEqual({ revision: 1 })
    const now = await callAs('member')(viewMessage, { msg_id: id })
    expect(cardsIn(now)[0].modules[0].text).toEqual({ type: 'plain-text', content: 'new', emoji: true })
    expect(now.kmarkdown.raw_content).toBe('new')
    expect((await toldToAll()).at(-1)).toMatchObject({
      kind: 'updated_message',
      body: { content: now.content },
    })
  })

  it('may hold what no database column takes', async () => {
    const message = await send(
      one({ type: 'section', text: { type: 'kmarkdown', content: 'a\u0000b\ud800' } }),
    )
    expect(message.kmarkdown.raw_content).toBe('ab\ufffd')
  })
})

describe('a button', () => {
  const press = (name: Who | null, msg_id: MessageId, value: string) =>
    callAs(name)(clickButton, { msg_id, value })

  it('is refused to guests, to who cannot see the card, and for what is no button of it', async () => {
    const hidden = await send(one(button('a')), 'bot', house.channel(places.demo.private))
    const open = await send(one(button('a'), button('https://h.example/', 'link'), button('c', '')))
    expect(await why(press(null, open.id, 'a'))).toBe('not_logged_in')
    expect(await why(press('member', hidden.id, 'a'))).toBe('message.unknown')
    expect(await why(press('outsider', open.id, 'a'))).toBe('message.unknown')
    for (const value of ['b', 'https://h.example/', 'c', ''])
      expect(await why(press('member', open.id, value))).toBe('card.no_button')
    const words = await callAs('member')(sendToChannel, { id: main(), content: 'a' })
    expect(await why(press('member', words.msgId, 'a'))).toBe('card.no_button')
    await callAs('bot')(updateMessage, { msg_id: open.id, content: one('gone') })
    expect(await why(press('member', open.id, 'a'))).toBe('card.no_button')
    expect(await clicksOf(botId)).toEqual([])
  })

  it('tells its author, and nobody else, who pressed it', async () => {
    const message = await send(one(button('join-1')))
    expect(await press('member', message.id, 'join-1')).toEqual({})
    const { id } = house.person('member')
    expect(await clicksOf(id)).toEqual([])
    expect(await clicksOf(botId)).toMatchObject([
      {
        kind: 'message_btn_click',
        body: {
          ...{ msg_id: message.id, user_id: id, value: 'join-1', target_id: main() },
          ...{ channel_type: 'GROUP', guild_id: house.guildId },
          user_info: { id, bot: false },
        },
      },
    ])
  })

  it('may be pressed so often in a minute, and then no more', async () => {
    const message = await send(one(button('again')))
    let pressed = 0
    let refusal = ''
    while (refusal === '' && pressed < 100)
      await press('owner', message.id, 'again').then(
        () => {
          pressed += 1
        },
        (error: unknown) => {
          refusal = error instanceof Refused ? String(error.failure) : String(error)
        },
      )
    expect({ pressed, refusal }).toEqual({ pressed: 60, refusal: 'too_many' })
  })
})
