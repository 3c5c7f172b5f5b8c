import {
  addPrivateReaction,
  type Chat,
  createChat,
  createPrivate,
  deleteChat,
  deletePrivate,
  deletePrivateReaction,
  listChats,
  listPrivate,
  listPrivateReactions,
  sendToChat,
  UNANSWERED_MAX,
  updatePrivate,
  viewChat,
  viewPrivate,
} from '@guildhall/wire/chat/chat.ts'
import { chatHistory } from '@guildhall/wire/chat/page.ts'
import { REACTIONS_MAX } from '@guildhall/wire/message/limit.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { PersonName } from '../demo/world.ts'
import type { LiveEvent, PersonEvent } from '../kit/events/bus.ts'
import { consumeAttempt, resetAttempts } from '../kit/limits/rateLimitDatabase.ts'
import { refusalOf } from '../testing/calls.ts'
import { openWorld, type TestWorld } from '../testing/world.ts'
import { STRANGERS_PER_PERSON } from './limit.ts'

let world: TestWorld
let received: LiveEvent[] = []
beforeAll(async () => {
  world = await openWorld()
  world.app.appContext.bus.subscribe((event) => received.push(event))
})
beforeEach(async () => {
  await world.app.appContext.bus.settled()
  received = []
})
afterAll(() => world.close())

const sendText = (from: PersonName, to: PersonName, content: string, more = {}) =>
  world.as(from).call(createPrivate, { target_id: world.idOf(to), content, ...more })
const chatOf = (from: PersonName, to: PersonName) =>
  world.as(from).call(createChat, { target_id: world.idOf(to) })
const page = async (name: PersonName, code: string, more = {}) =>
  (await world.as(name).call(listPrivate, { chat_code: code, ...more })).items
const events = async () => {
  await world.app.appContext.bus.settled()
  return received.filter(
    (event): event is PersonEvent => event.to === 'person' && event.kind !== 'updated_chat_mark',
  )
}
const NOBODY = '00000000-0000-7000-8000-000000000000'
const NO_CHAT = '0'.repeat(32)

describe('a conversation is refused', () => {
  it('to guests, with oneself, with nobody, and with a person without a common guild', async () => {
    expect(await world.as(null).refusal(createChat, { target_id: world.idOf('owner') })).toBe('not_logged_in')
    for (const target_id of [world.idOf('member'), '4294967295', world.idOf('outsider')])
      expect(await world.as('member').refusal(createChat, { target_id })).toBe('chat.not_allowed')
    expect(await refusalOf(sendText('member', 'outsider', 'hi'))).toBe('chat.not_allowed')
    expect(await world.as('member').refusal(createPrivate, { content: 'hi' })).toBe('bad_input')
  })

  it('to anybody but its two people', async () => {
    const { msg_id } = await sendText('member', 'owner', 'between us', { type: 9 })
    const { code } = await chatOf('member', 'owner')
    const admin = world.as('admin').call
    expect(await refusalOf(admin(viewChat, { chat_code: code }))).toBe('chat.unknown')
    expect(await refusalOf(admin(deleteChat, { chat_code: code }))).toBe('chat.unknown')
    expect(await refusalOf(admin(listPrivate, { chat_code: code }))).toBe('chat.unknown')
    expect(await refusalOf(admin(viewPrivate, { chat_code: code, msg_id }))).toBe('chat.unknown')
    expect(await refusalOf(admin(createPrivate, { chat_code: code, content: 'x' }))).toBe('chat.unknown')
    expect(await refusalOf(admin(updatePrivate, { msg_id, content: 'x' }))).toBe('message.unknown')
    expect(await refusalOf(admin(deletePrivate, { msg_id }))).toBe('message.unknown')
    expect(await refusalOf(admin(addPrivateReaction, { msg_id, emoji: '👍' }))).toBe('message.unknown')
    expect(await refusalOf(admin(deletePrivateReaction, { msg_id, emoji: '👍' }))).toBe('message.unknown')
    expect(await refusalOf(admin(listPrivateReactions, { msg_id, emoji: '👍' }))).toBe('message.unknown')
    expect(await refusalOf(admin(viewChat, { chat_code: NO_CHAT }))).toBe('chat.unknown')
    const own = await chatOf('admin', 'owner')
    expect(await refusalOf(admin(viewPrivate, { chat_code: own.code, msg_id }))).toBe('message.unknown')
    expect(await refusalOf(admin(listPrivate, { chat_code: own.code, msg_id }))).toBe('message.unknown')
    expect(await refusalOf(sendText('admin', 'owner', 'x', { quote: msg_id }))).toBe('message.unknown')
  })

  it('to a person without a verified number, who may still read', async () => {
    expect(await refusalOf(sendText('unverified', 'owner', 'hi'))).toBe('message.not_allowed')
    const { msg_id } = await sendText('owner', 'unverified', 'hi')
    const { code } = await chatOf('unverified', 'owner')
    expect((await page('unverified', code)).map(({ id }) => id)).toEqual([msg_id])
    expect(await world.as('unverified').refusal(addPrivateReaction, { msg_id, emoji: '👍' })).toBe(
      'message.not_allowed',
    )
  })

  it('for content that is empty, too long, of an unknown kind, or another person’s file', async () => {
    for (const content of [' \n', '\u200b', '\u2800', '\ufe0f\u00ad'])
      expect(await refusalOf(sendText('member', 'owner', content))).toBe('message.empty')
    expect(await refusalOf(sendText('member', 'owner', 'a'.repeat(8001)))).toBe('message.too_long')
    expect(await refusalOf(sendText('member', 'owner', 'x', { type: 12 }))).toBe('message.kind_refused')
    expect(await refusalOf(sendText('member', 'owner', 'https://x.example/a.png', { type: 2 }))).toBe(
      'asset.unknown',
    )
    expect(await refusalOf(sendText('member', 'owner', 'x', { quote: NOBODY }))).toBe('message.unknown')
    expect(await events()).toEqual([])
  })

  it('once they no longer share a guild: it may still be read', async () => {
    const { msg_id } = await sendText('member', 'muted', 'before', { type: 9 })
    const { code } = await chatOf('member', 'muted')
    await world.database.pool.query(`delete from membership where user_id = ${world.idOf('muted')}`)
    expect(await refusalOf(sendText('member', 'muted', 'after'))).toBe('chat.not_allowed')
    expect(await world.as('member').refusal(updatePrivate, { msg_id, content: 'x' })).toBe('chat.not_allowed')
    expect((await page('muted', code)).map(({ content }) => content)).toEqual(['before'])
    await world.as('member').call(deletePrivate, { msg_id })
    expect(await page('muted', code)).toEqual([])
  })

  it('to edit or delete the other’s message, and to remove the other’s reaction', async () => {
    const { msg_id } = await sendText('member', 'owner', 'mine', { type: 9 })
    const owner = world.as('owner').call
    expect(await refusalOf(owner(updatePrivate, { msg_id, content: 'x' }))).toBe('message.not_author')
    expect(await refusalOf(owner(deletePrivate, { msg_id }))).toBe('message.not_author')
    await world.as('member').call(addPrivateReaction, { msg_id, emoji: '👍' })
    expect(
      await refusalOf(owner(deletePrivateReaction, { msg_id, emoji: '👍', user_id: world.idOf('member') })),
    ).toBe('message.no_right')
    const plain = await sendText('member', 'owner', 'text')
    expect(await world.as('member').refusal(updatePrivate, { msg_id: plain.msg_id, content: 'x' })).toBe(
      'message.kind_refused',
    )
    expect(await world.as('member').refusal(addPrivateReaction, { msg_id, emoji: 'no' })).toBe(
      'message.emoji_unknown',
    )
  })
})

describe('a conversation', () => {
  it('is created once for two people, whichever of them creates it, also concurrently', async () => {
    const both = await Promise.all([
      chatOf('admin', 'member'),
      chatOf('member', 'admin'),
      chatOf('admin', 'member'),
    ])
    expect(new Set(both.map(({ code }) => code)).size).toBe(1)
    expect(both[0].code).toMatch(/^[0-9a-f]{32}$/)
    expect(both.map(({ target_info }) => target_info.id)).toEqual([
      world.idOf('member'),
      world.idOf('admin'),
      world.idOf('member'),
    ])
    expect(both[0]).toMatchObject({
      latest_msg_time: 0,
      unread_count: 0,
      is_friend: false,
      is_blocked: false,
    })
  })

  it('numbers concurrent messages without holes, and delivers each once to both, each in their own order', async () => {
    const { code } = await chatOf('owner', 'admin')
    const sent = await Promise.all(
      Array.from({ length: 12 }, (_, each) =>
        sendText(each % 2 ? 'owner' : 'admin', each % 2 ? 'admin' : 'owner', `${each}`),
      ),
    )
    const items = await page('owner', code)
    expect(items.map(({ seq }) => seq)).toEqual(sent.map((_, each) => each + 1))
    expect(new Set(items.map(({ id }) => id))).toEqual(new Set(sent.map(({ msg_id }) => msg_id)))
    const emitted = await events()
    for (const name of ['owner', 'admin'] as const) {
      const mine = emitted.filter((event) => event.userId === world.idOf(name))
      expect(mine.map(({ body }) => (body as { id: string }).id).toSorted()).toEqual(
        sent.map(({ msg_id }) => msg_id).toSorted(),
      )
      expect(mine.map(({ seq }) => seq - mine[0]!.seq)).toEqual(mine.map((_, each) => each))
    }
  })

  it('sends a nonce once, also concurrently, and never again after the message was deleted', async () => {
    const twice = await Promise.all([1, 2, 3].map(() => sendText('member', 'owner', 'once', { nonce: 'n' })))
    expect(new Set(twice.map(({ msg_id }) => msg_id)).size).toBe(1)
    expect(twice.map(({ nonce }) => nonce)).toEqual(['n', 'n', 'n'])
    expect(await refusalOf(sendText('member', 'owner', 'other', { nonce: 'n' }))).toBe('message.nonce_used')
    expect(await events()).toHaveLength(2)
    await world.as('member').call(deletePrivate, { msg_id: twice[0]!.msg_id })
    expect(await refusalOf(sendText('member', 'owner', 'once', { nonce: 'n' }))).toBe('message.deleted')
    expect((await sendText('owner', 'member', 'mine', { nonce: 'n' })).msg_id).not.toBe(twice[0]!.msg_id)
  })

  it('shows its history around any message', async () => {
    const { code } = await chatOf('owner', 'member')
    const sent: string[] = []
    for (const content of ['1', '2', '3', '4', '5'])
      sent.push((await sendText('owner', 'member', content)).msg_id)
    const at = async (flag: string, page_size: number) =>
      (await page('member', code, { msg_id: sent[2], flag, page_size })).map(({ content }) => content)
    expect((await page('member', code, { page_size: 2 })).map(({ content }) => content)).toEqual(['4', '5'])
    expect(await at('before', 2)).toEqual(['1', '2'])
    expect(await at('after', 2)).toEqual(['4', '5'])
    expect(await at('around', 3)).toEqual(['2', '3', '4'])
    const one = await world.as('member').call(viewPrivate, { chat_code: code, msg_id: sent[0] })
    expect(one).toMatchObject({
      id: sent[0],
      rong_id: sent[0],
      content: '1',
      type: 1,
      author_id: world.idOf('owner'),
      attachments: null,
      author: { id: world.idOf('owner'), nickname: world.people.owner.username, roles: [] },
    })
  })

  it('edits, reacts and deletes for both, and each action emits one event', async () => {
    const { code } = await chatOf('owner', 'member')
    const first = await sendText('member', 'owner', 'quoted', { type: 9 })
    const { msg_id } = await sendText('owner', 'member', `hi (met)${world.idOf('member')}(met) (met)1(met)`, {
      type: 9,
      quote: first.msg_id,
    })
    await events()
    received = []
    const owner = world.as('owner').call
    const member = world.as('member').call
    const view = () => member(viewPrivate, { chat_code: code, msg_id })
    expect(await view()).toMatchObject({
      mention: [world.idOf('member')],
      quote: { id: first.msg_id, content: 'quoted', type: 9 },
      mention_info: {
        raw_content: expect.stringContaining(`hi @${world.people.member.username} `),
        mention_part: [{ id: world.idOf('member'), avatar: expect.stringMatching(/^https?:.*\/avatars\//) }],
      },
      editable: false,
    })
    // As it was stored before everybody had a picture.
    await sql`update private_message set kmarkdown = jsonb_set(kmarkdown, '{mention_part,0,avatar}', '""'),
      quote = jsonb_set(quote, '{author,avatar}', '""') where id = ${msg_id}`.execute(world.database.db)
    const drawn = { avatar: expect.stringMatching(/^https?:.*\/avatars\//) }
    expect(await view()).toMatchObject({ mention_info: { mention_part: [drawn] }, quote: { author: drawn } })
    const [inRoom] = await member(chatHistory, { code, page_size: 1 })
    expect(inRoom).toMatchObject({ kmarkdown: { mention_part: [drawn] }, quote: { author: drawn } })
    await owner(updatePrivate, { msg_id, content: 'other', quote: '' })
    await owner(updatePrivate, { msg_id, content: 'other' })
    await member(addPrivateReaction, { msg_id, emoji: '👍' })
    await member(addPrivateReaction, { msg_id, emoji: '[#128077;]' })
    await owner(addPrivateReaction, { msg_id, emoji: '👍' })
    expect(await view()).toMatchObject({
      content: 'other',
      quote: null,
      mention: [],
      reactions: [{ emoji: { id: '[#128077;]', name: '👍' }, count: 2, me: true }],
    })
    const who = await owner(listPrivateReactions, { msg_id, emoji: '👍' })
    expect(who.map(({ id }) => id)).toEqual([world.idOf('member'), world.idOf('owner')])
    expect(await owner(listPrivateReactions, { msg_id })).toEqual(who)
    await member(deletePrivateReaction, { msg_id, emoji: '👍' })
    await member(deletePrivateReaction, { msg_id, emoji: '👍' })
    expect((await view()).reactions).toMatchObject([{ count: 1, me: false }])
    await owner(deletePrivate, { msg_id })
    await owner(deletePrivate, { msg_id })
    expect(await refusalOf(view())).toBe('message.unknown')
    const emitted = await events()
    for (const name of ['owner', 'member'] as const)
      expect(emitted.filter(({ userId }) => userId === world.idOf(name)).map(({ kind }) => kind)).toEqual([
        'updated_private_message',
        'private_added_reaction',
        'private_added_reaction',
        'private_deleted_reaction',
        'deleted_private_message',
      ])
    expect(emitted.every(({ body }) => (body as { chat_code: string }).chat_code === code)).toBe(true)
  })

  it('holds as many different reactions to a message as a channel does', async () => {
    const { msg_id } = await sendText('member', 'owner', 'many')
    const react = (each: number) =>
      world.as('owner').call(addPrivateReaction, { msg_id, emoji: String.fromCodePoint(0x1f34e + each) })
    for (let each = 0; each < REACTIONS_MAX; each += 1) await react(each)
    expect(await refusalOf(react(REACTIONS_MAX))).toBe('message.reactions_full')
    await react(0)
  })

  it('is listed by its last message, with an unread count until it is read or answered, and can be hidden', async () => {
    const lists = async (name: PersonName, input = {}): Promise<Chat[]> =>
      (await world.as(name).call(listChats, input)).items
    const { code } = await chatOf('admin', 'member')
    await sendText('member', 'admin', 'one')
    const last = await sendText('member', 'admin', 'two')
    expect((await lists('admin'))[0]).toMatchObject({
      code,
      unread_count: 2,
      latest_msg_time: last.msg_timestamp,
      target_info: { id: world.idOf('member'), username: world.people.member.username },
    })
    expect((await lists('member'))[0]).toMatchObject({ code, unread_count: 0 })
    expect((await page('admin', code)).map(({ read_status }) => read_status)).toEqual([false, false])
    expect((await lists('admin'))[0]).toMatchObject({ unread_count: 0 })
    expect((await page('admin', code)).map(({ read_status }) => read_status)).toEqual([true, true])
    await sendText('member', 'admin', 'three')
    await sendText('admin', 'member', 'answered')
    expect((await lists('admin'))[0]).toMatchObject({ code, unread_count: 0 })

    await world.as('admin').call(deleteChat, { chat_code: code })
    expect((await lists('admin')).map((each) => each.code)).not.toContain(code)
    expect((await lists('member')).map((each) => each.code)).toContain(code)
    expect((await page('admin', code)).length).toBe(4)
    await sendText('member', 'admin', 'again')
    expect((await lists('admin'))[0]).toMatchObject({ code, unread_count: 1 })

    const whole = await world.as('member').call(listChats, { page_size: 100 })
    expect(whole.meta).toEqual({ page: 1, page_total: 1, page_size: 50, total: whole.items.length })
    expect(whole.sort).toEqual({})
    const second = await world.as('member').call(listChats, { page: 2, page_size: 1 })
    expect(second.items).toEqual([whole.items[1]])
    expect(second.meta).toMatchObject({ page: 2, page_total: whole.items.length, page_size: 1 })
  })

  it('accepts the calls of the page, in the specification’s format', async () => {
    const { code } = await chatOf('member', 'owner')
    const member = world.as('member').call
    const content = JSON.stringify({ content: '**hi**', type: 9 })
    const sent = await member(sendToChat, { code, content, nonce: 'page' })
    expect(await member(sendToChat, { code, content, nonce: 'page' })).toEqual(sent)
    expect((await page('owner', code)).at(-1)).toMatchObject({ id: sent.msgId, type: 9, content: '**hi**' })
    expect(await refusalOf(member(sendToChat, { code, content: '{' }))).toBe('bad_json')
  })
})

describe('a stranger is refused', () => {
  beforeEach(async () => void (await world.database.db.deleteFrom('private_message').execute()))
  it('with one more person than somebody may begin to write to in a day', async () => {
    const { db } = world.database
    while (await consumeAttempt(db, STRANGERS_PER_PERSON, world.idOf('owner')));
    expect(await refusalOf(sendText('owner', 'unverified', 'hello'))).toBe('too_many')
    await resetAttempts(db, STRANGERS_PER_PERSON, world.idOf('owner'))
    await sendText('owner', 'unverified', 'hello')
  })

  it('after ten messages to a person who has never answered, until they do', async () => {
    for (let n = 0; n < UNANSWERED_MAX; n += 1) await sendText('admin', 'unverified', `hello ${n}`)
    expect(await refusalOf(sendText('admin', 'unverified', 'hello again'))).toBe('chat.unanswered')
    const { code } = await chatOf('admin', 'unverified')
    await world.database.db
      .updateTable('user')
      .set({ mobile_verified: true })
      .where('id', '=', world.idOf('unverified'))
      .execute()
    await world.as('unverified').call(createPrivate, { chat_code: code, content: 'yes?' })
    await world.database.db
      .updateTable('user')
      .set({ mobile_verified: false })
      .where('id', '=', world.idOf('unverified'))
      .execute()
    await sendText('admin', 'unverified', 'hello again')
  })
})
