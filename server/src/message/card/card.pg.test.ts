import type { Uploaded } from '@guildhall/wire/asset/asset.ts'
import { createPrivate } from '@guildhall/wire/chat/chat.ts'
import type { GuildId, MessageId, RoleId, UserId } from '@guildhall/wire/id.ts'
import { addReaction, deleteMessage, updateMessage, viewMessage } from '@guildhall/wire/message/action.ts'
import { checkCard, clickButton } from '@guildhall/wire/message/card.ts'
import { createMessage, history, type Message, sendToChannel } from '@guildhall/wire/message/message.ts'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { demoGuilds } from '../../demo/text.ts'
import type { PersonName } from '../../demo/world.ts'
import { clock, replaceClock } from '../../kit/clock.ts'
import { commit } from '../../kit/events/events.ts'
import { giveRole } from '../../role/role.ts'
import { type Person, refusalOf, refusedCall } from '../../testing/calls.ts'
import { pngOf } from '../../testing/picture.ts'
import { openTestServer, type TestServer } from '../../testing/server.ts'
import { fileOf, openTestWebServer, type TestWebServer } from '../../testing/web.ts'

/** Two bots beside the demo people: one with the rights of the admin, one with none. */
type Who = PersonName | 'bot' | 'plainBot'

let server: TestServer
let picture: Uploaded
let foreign: Uploaded
let file: Uploaded
const bots = new Map<Who, string>()
let botId: UserId
beforeAll(async () => {
  server = await openTestServer()
  const bot = async (who: Who, name: string) => {
    const made = await server.command<{ id: UserId; token: string }>(
      `bot create --name ${name} --guild ${server.guildId}`,
    )
    bots.set(who, made.token)
    return made.id
  }
  await bot('plainBot', '哑巴')
  botId = await bot('bot', '报时')
  const { rows } = await sql<{ role_id: number }>`
    select role_id from membership_role where user_id = ${server.person('admin').id}`.execute(
    server.database.db,
  )
  await commit(server.appContext, (tx, emit) =>
    giveRole(tx, emit, server.guildId as GuildId, botId as UserId, rows[0]!.role_id as RoleId),
  )
  const png = await pngOf(30, 20)
  picture = await as('bot').upload(png, 'a.png')
  foreign = await as('member').upload(png, 'b.png')
  file = await as('bot').upload(Buffer.from('%PDF-1.7 words'), '攻略.pdf')
})
afterAll(() => server?.close())

const as = (who: Who | null) => server.as(who === 'bot' || who === 'plainBot' ? { bot: bots.get(who)! } : who)
/** The click events that a person received, oldest first. */
const clicksOf = async (userId: UserId) =>
  (
    await sql<{ kind: string; body: unknown }>`
      select kind, body from person_event_log where user_id = ${userId} and kind = 'message_btn_click' order by seq`.execute(
      server.database.db,
    )
  ).rows
/** The events of the guild, the newest last. */
const toldToAll = async () =>
  (
    await sql<{ kind: string; body: unknown }>`
      select kind, body from event_log where guild_id = ${server.guildId} order by seq`.execute(
      server.database.db,
    )
  ).rows
const main = () => server.channel(demoGuilds.demo.main)

const one = (...modules: unknown[]) => JSON.stringify([{ type: 'card', modules }])
const image = (src: string, more = {}) => ({ type: 'container', elements: [{ type: 'image', src, ...more }] })
const button = (value: string, click = 'return-val') => ({
  type: 'action-group',
  elements: [{ type: 'button', text: 'x', value, click }],
})
/** Sends it by the public call, and reads it back. */
const send = async (content: string, who: Who = 'bot', id: string = main()): Promise<Message> => {
  const { msg_id } = await as(who).call(createMessage, { target_id: id, type: 10, content })
  const page = await as('owner').call(history, { id, page_size: 1 })
  expect(page[0]?.id).toBe(msg_id)
  return page[0]!
}
const cardsIn = (message: Message) => JSON.parse(message.content)

describe('cards are refused', () => {
  it('from people, whatever they may do in the guild', async () => {
    for (const name of ['owner', 'member'] as const)
      expect(await refusalOf(send(one('x'), name))).toBe('message.kind_refused')
  })

  it('from a bot where it may not send', async () => {
    expect(await refusalOf(send(one('x'), 'plainBot', server.channel(demoGuilds.demo.rules)))).toBe(
      'message.not_allowed',
    )
    expect(await refusalOf(send(one('x'), 'plainBot', server.channel(demoGuilds.demo.private)))).toBe(
      'forbidden',
    )
  })

  it('when they are no JSON, and with the path of an invalid part', async () => {
    expect(await refusalOf(send('[{'))).toBe('bad_json')
    const refusal = await refusedCall(send(one('x', { type: 'header', text: 'a'.repeat(101) })))
    expect(refusal.body).toMatchObject({
      code: 40000,
      message: '卡片消息json没有通过验证：[0].modules[1].text (内容过长)',
      data: { extra: { at: '[0].modules[1].text', why: 'long' } },
    })
  })

  it('with pictures and files this server does not have, and with somebody else’s files', async () => {
    expect(await refusalOf(send(one(image('https://elsewhere.example/a.png'))))).toBe('asset.unknown')
    expect(await refusalOf(send(one(image(file.url))))).toBe('asset.unknown')
    expect(await refusalOf(send(one({ type: 'file', src: foreign.url })))).toBe('asset.unknown')
    expect(await refusalOf(send(one({ type: 'video', src: file.url })))).toBe('asset.unknown')
    const refusal = await refusedCall(send(one('x', { type: 'audio', src: file.url })))
    expect(refusal.body.data?.extra).toEqual({ at: '[0].modules[1].src' })
  })

  it('by the check as by sending; the check emits nothing', async () => {
    const before = await toldToAll()
    const check = (content: unknown) => as('member').call(checkCard, { content })
    expect(await refusalOf(check('{'))).toBe('bad_json')
    expect(await refusalOf(check('{"type":"card"}'))).toBe('card.invalid')
    expect(await refusalOf(check([{ type: 'card', modules: [{ type: 'x' }] }]))).toBe('card.invalid')
    expect(await refusalOf(check(one(image('https://elsewhere.example/a.png'))))).toBe('asset.unknown')
    expect(await check(one('x'))).toEqual({})
    expect(await check(JSON.parse(one('x')))).toEqual({})
    expect(await refusalOf(as(null).call(checkCard, { content: one('x') }))).toBe('not_logged_in')
    expect(await toldToAll()).toEqual(before)
  })
})

describe('cards of a bot', () => {
  it('are stored in full, with their files described by the server, and read back as in their event', async () => {
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
      type: 'file',
      src: file.url,
      title: '攻略.pdf',
      size: file.size,
      external: false,
      canDownload: true,
    })
    expect(message.kmarkdown.raw_content).toBe('集合\nx')
    expect((await as('member').call(history, { id: main(), page_size: 1 }))[0]).toMatchObject({
      id: message.id,
      content: message.content,
      author: { bot: true },
    })
    expect((await as('member').call(viewMessage, { msg_id: message.id })).type).toBe(10)
  })

  it('may name pictures by path only', async () => {
    const message = await send(one(image(new URL(picture.url).pathname)))
    expect(cardsIn(message)[0].modules[0].elements[0].src).toBe(picture.url)
    expect(message.kmarkdown.raw_content).toBe('[卡片消息]')
  })

  it('mention people only in their KMarkdown', async () => {
    const [owner, member] = [server.person('owner'), server.person('member')]
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

  it('are edited by it, with the same checks', async () => {
    const { id } = await send(one('old', button('a')))
    const edit = (content: string, who: Who = 'bot') => as(who).call(updateMessage, { msg_id: id, content })
    expect(await refusalOf(edit('no json'))).toBe('bad_json')
    expect(await refusalOf(edit(one({ type: 'x' })))).toBe('card.invalid')
    expect(await refusalOf(edit(one('mine'), 'owner'))).toBe('message.not_author')
    expect(await edit(one('new'))).toEqual({ revision: 1 })
    expect(await edit(one('new'))).toEqual({ revision: 1 })
    const now = await as('member').call(viewMessage, { msg_id: id })
    expect(cardsIn(now)[0].modules[0].text).toEqual({ type: 'plain-text', content: 'new', emoji: true })
    expect(now.kmarkdown.raw_content).toBe('new')
    expect((await toldToAll()).at(-1)).toMatchObject({
      kind: 'updated_message',
      body: { content: now.content },
    })
  })

  it('may contain text that PostgreSQL cannot store unescaped', async () => {
    const message = await send(
      one({ type: 'section', text: { type: 'kmarkdown', content: 'a\u0000b\ud800' } }),
    )
    expect(message.kmarkdown.raw_content).toBe('ab\ufffd')
  })
})

describe('a button', () => {
  const press = (name: Who | null, msg_id: MessageId, value: string) =>
    as(name).call(clickButton, { msg_id, value })

  it('is refused to guests, to people who cannot view the card, and for an unknown button', async () => {
    const hidden = await send(one(button('a')), 'bot', server.channel(demoGuilds.demo.private))
    const open = await send(one(button('a'), button('https://h.example/', 'link'), button('c', '')))
    expect(await refusalOf(press(null, open.id, 'a'))).toBe('not_logged_in')
    expect(await refusalOf(press('member', hidden.id, 'a'))).toBe('message.unknown')
    expect(await refusalOf(press('outsider', open.id, 'a'))).toBe('message.unknown')
    for (const value of ['b', 'https://h.example/', 'c', ''])
      expect(await refusalOf(press('member', open.id, value))).toBe('card.no_button')
    const sent = await as('member').call(sendToChannel, { id: main(), content: 'a' })
    expect(await refusalOf(press('member', sent.msgId, 'a'))).toBe('card.no_button')
    await as('bot').call(updateMessage, { msg_id: open.id, content: one('gone') })
    expect(await refusalOf(press('member', open.id, 'a'))).toBe('card.no_button')
    expect(await clicksOf(botId)).toEqual([])
  })

  it('notifies only the author of the card', async () => {
    const message = await send(one(button('join-1')))
    expect(await press('member', message.id, 'join-1')).toEqual({})
    const { id } = server.person('member')
    expect(await clicksOf(id)).toEqual([])
    expect(await clicksOf(botId)).toMatchObject([
      {
        kind: 'message_btn_click',
        body: {
          msg_id: message.id,
          user_id: id,
          value: 'join-1',
          target_id: main(),
          channel_type: 'GROUP',
          guild_id: server.guildId,
          user_info: { id, bot: false },
        },
      },
    ])
  })

  it('may be clicked up to the rate limit', async () => {
    const message = await send(one(button('again')))
    let pressed = 0
    let refusal = 'none'
    while (refusal === 'none' && pressed < 100) {
      refusal = await refusalOf(press('owner', message.id, 'again'))
      if (refusal === 'none') pressed += 1
    }
    expect({ pressed, refusal }).toEqual({ pressed: 60, refusal: 'too_many' })
  })
})

describe('pictures of the web', () => {
  let web: TestWebServer
  /** A server that may fetch from the web, and a bot in it. */
  let open: TestServer
  let bot: Person
  let own: string
  let giveUp = () => undefined as unknown
  const png = (background: string) => pngOf(30, 20, background)
  beforeAll(async () => {
    web = await openTestWebServer({ 'inside.example': '192.168.0.1' })
    open = await openTestServer({}, web.safeFetch)
    const { token } = await open.command<{ token: string }>(`bot create --name 画 --guild ${open.guildId}`)
    bot = open.as({ bot: token })
    own = (await bot.upload(await png('red'), 'a.png')).url
    web.serve('/a.png', fileOf(await png('blue'), 'image/png'))
    web.serve(
      '/b.jpg',
      fileOf(
        await sharp(await png('green'))
          .jpeg()
          .toBuffer(),
        'image/jpeg',
      ),
    )
    web.serve('/svg', fileOf(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/svg+xml'))
    web.serve('/page', fileOf(await png('blue'), 'text/html'))
    web.serve('/silent', (response) => {
      giveUp = () => response.writeHead(500).end()
    })
  })
  afterAll(async () => {
    await open?.close()
    await web?.close()
  })

  const create = (content: string, nonce = '') =>
    bot.call(createMessage, { target_id: open.channel(demoGuilds.demo.main), type: 10, content, nonce })
  const read = async (msg_id: string) => {
    const message = await bot.call(viewMessage, { msg_id })
    return { ...message, cards: JSON.parse(message.content) }
  }
  const assetCount = async () =>
    (await sql<{ n: number }>`select count(*)::int as n from asset`.execute(open.database.db)).rows[0]!.n

  it('that cannot be fetched refuse the message, with their path, and nothing is sent', async () => {
    for (const address of [
      ...['/nothing', '/svg', '/page'].map((path) => web.at(path)),
      'http://inside.example/a.png',
      'http://127.0.0.1:1/a.png',
      'http://169.254.169.254/a.png',
      `${open.url}/assets/2026-11/abcdefghij05k03c.png`,
    ]) {
      const { failure, body } = await refusedCall(create(one(image(web.at('/a.png')), image(address))))
      expect([address, failure, body.data?.extra]).toEqual([
        address,
        'asset.unknown',
        { at: '[0].modules[1].elements[0].src' },
      ])
    }
    expect(await refusalOf(create(one({ type: 'file', src: web.at('/a.png') })))).toBe('asset.unknown')
  })

  it('are replaced by a fallback of this server', async () => {
    const it = image(web.at('/nothing'), { fallbackUrl: own })
    const { cards } = await read((await create(one(it))).msg_id)
    expect(cards[0].modules[0].elements[0].src).toBe(own)
    const far = image(web.at('/nothing'), { fallbackUrl: web.at('/a.png') })
    expect(await refusalOf(create(one(far)))).toBe('asset.unknown')
  })

  it('are fetched wherever they are used, each once, and re-encoded', async () => {
    const [before, count] = [web.requestCount('/a.png'), await assetCount()]
    const [a, b] = [web.at('/a.png'), web.at('/b.jpg')]
    const at = (src: string) => ({ type: 'image', src })
    const { cards } = await read(
      (
        await create(
          one(
            { type: 'section', text: 'x', accessory: at(a) },
            { type: 'context', elements: [at(b), 'x', at(a)] },
            { type: 'image-group', elements: [at(a), at(own)] },
            { type: 'container', elements: [at(b)] },
          ),
        )
      ).msg_id,
    )
    const [section, context, group, container] = cards[0].modules
    const [here, there] = [section.accessory.src, container.elements[0].src]
    expect(context.elements[2].src).toBe(here)
    expect(group.elements.map(({ src }: { src: string }) => src)).toEqual([here, own])
    expect(context.elements[0].src).toBe(there)
    for (const src of [here, there]) {
      expect(src.startsWith(`${open.url}/assets/`)).toBe(true)
      expect((await sharp(Buffer.from(await (await fetch(src)).arrayBuffer())).metadata()).width).toBe(30)
    }
    expect([web.requestCount('/a.png'), await assetCount()]).toEqual([before + 1, count + 2])
  })

  it('are fetched for an edit, without holding a lock, and in private messages', async () => {
    const { msg_id } = await create(one('old'))
    const edit = (path: string) => bot.refusal(updateMessage, { msg_id, content: one(image(web.at(path))) })
    const editing = edit('/silent')
    await expect.poll(() => web.requestCount('/silent')).toBe(1)
    await bot.call(addReaction, { msg_id, emoji: '👍' })
    expect(await edit('/a.png')).toBe('none')
    giveUp()
    expect(await editing).toBe('asset.unknown')
    expect((await read(msg_id)).cards[0].modules[0].elements[0].src).toContain(`${open.url}/assets/`)

    await bot.call(createPrivate, {
      target_id: open.idOf('owner'),
      type: 10,
      content: one(image(web.at('/b.jpg'))),
      nonce: 'x',
    })
  })

  it('are not fetched by the check, which stores nothing', async () => {
    const count = await assetCount()
    const check = (address: string) => bot.refusal(checkCard, { content: one(image(address)) })
    expect(await check(web.at('/nothing'))).toBe('none')
    expect(await check('/assets/x.png')).toBe('asset.unknown')
    expect(await assetCount()).toBe(count)
  })

  it('are not fetched again for a repeated send, nor is its countdown checked', async () => {
    const soon = clock.now() + 5_000
    const content = one(image(`${web.at('/a.png')}?again`), { type: 'countdown', mode: 'day', endTime: soon })
    const first = await create(content, 'again')
    const asked = web.requestCount('/a.png')
    const body = { target_id: open.idOf('owner'), type: 10, content, nonce: 'again' }
    const letter = await bot.call(createPrivate, body)
    const restore = replaceClock(() => soon + 60_000)
    try {
      expect(await refusalOf(create(content))).toBe('card.invalid')
      expect(await create(content, 'again')).toEqual(first)
      expect(await bot.call(createPrivate, body)).toEqual(letter)
    } finally {
      restore()
    }
    expect(web.requestCount('/a.png')).toBe(asked + 1)
    await bot.call(deleteMessage, { msg_id: first.msg_id })
    expect(await refusalOf(create(content, 'again'))).toBe('message.deleted')
  })
})
