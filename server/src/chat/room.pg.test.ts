/**
 * Private conversations as pages have them: messages in a channel's shape, read marks, counts, and who may
 * write.
 */
import {
  createChat,
  createPrivate,
  deleteChat,
  deletePrivate,
  listChats,
  listPrivate,
  sendToChat,
  viewChat,
} from '@guildhall/wire/chat/chat.ts'
import { chatHistory, readChat, unreadChats } from '@guildhall/wire/chat/page.ts'
import { blockPerson, unblockPerson } from '@guildhall/wire/friend/friend.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { PersonName } from '../demo/world.ts'
import type { LiveEvent } from '../kit/events/bus.ts'
import { refusalOf } from '../testing/calls.ts'
import { openWorld, type TestWorld } from '../testing/world.ts'

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

const codeOf = async (from: PersonName, to: PersonName) =>
  (await world.as(from).call(createChat, { target_id: world.idOf(to) })).code
const say = (from: PersonName, code: string, content: string, nonce = '') =>
  world.as(from).call(sendToChat, { code, content: JSON.stringify({ content }), nonce })
const marks = async (name: PersonName) => {
  await world.app.appContext.bus.settled()
  return received
    .filter((it) => it.to === 'person' && it.userId === world.idOf(name) && it.kind === 'updated_chat_mark')
    .map((it) => it.body)
}
const NO_CHAT = '0'.repeat(32)
const NOBODY = '00000000-0000-7000-8000-000000000000'

describe('the calls of a private room are refused', () => {
  it('to guests, to a third person, and for what is not there', async () => {
    const code = await codeOf('member', 'owner')
    const { msgId } = await say('member', code, '只给你看')
    expect(await world.as(null).refusal(chatHistory, { code })).toBe('not_logged_in')
    expect(await world.as(null).refusal(unreadChats)).toBe('not_logged_in')
    for (const wrong of [code, NO_CHAT]) {
      expect(await world.as('admin').refusal(chatHistory, { code: wrong })).toBe('chat.unknown')
      expect(await world.as('admin').refusal(readChat, { code: wrong, msgid: msgId })).toBe('chat.unknown')
    }
    expect(await world.as('owner').refusal(readChat, { code, msgid: NOBODY })).toBe('message.unknown')
    expect(await world.as('owner').refusal(chatHistory, { code, msgid: NOBODY })).toBe('message.unknown')
  })

  it('a blocked person writes no more, whoever blocks, and both still read', async () => {
    const code = await codeOf('member', 'admin')
    await say('member', code, '之前说的')
    await world.as('admin').call(blockPerson, { user_id: world.idOf('member') })
    for (const who of ['member', 'admin'] as const) {
      expect(await refusalOf(say(who, code, '还在吗'))).toBe('chat.not_allowed')
      expect(await world.as(who).call(viewChat, { chat_code: code })).toMatchObject({
        may_write: false,
        is_blocked: who === 'admin',
        is_target_blocked: who === 'member',
      })
      expect((await world.as(who).call(chatHistory, { code })).map((it) => it.content)).toEqual(['之前说的'])
    }
    await world.as('admin').call(unblockPerson, { user_id: world.idOf('member') })
    expect(await world.as('member').call(viewChat, { chat_code: code })).toMatchObject({ may_write: true })
  })
})

describe('a private room', () => {
  it('has the messages of both in the shape that channels have, a page at a time', async () => {
    const code = await codeOf('owner', 'admin')
    for (let n = 1; n <= 5; n++) await say(n % 2 ? 'owner' : 'admin', code, `第 ${n} 条`)
    const newest = await world.as('admin').call(chatHistory, { code, page_size: 2 })
    expect(newest).toMatchObject([
      { content: '第 4 条', channel_id: code, guild_id: '', conversationType: 1, type: 9, revision: 0 },
      { content: '第 5 条', author: { id: world.idOf('owner') }, seq: 5 },
    ])
    const before = await world.as('admin').call(chatHistory, { code, msgid: newest[0]?.id, page_size: 2 })
    expect(before.map((it) => it.seq)).toEqual([2, 3])
  })

  it('answers a send with the whole message, and a repeated one with the same', async () => {
    const code = await codeOf('member', 'owner')
    const first = await say('member', code, '**好**', 'nonce-1')
    expect(first.message).toMatchObject({
      id: first.msgId,
      content: '**好**',
      nonce: 'nonce-1',
      channel_id: code,
    })
    expect((await say('member', code, '**好**', 'nonce-1')).message).toEqual(first.message)
  })

  it('shows nothing of a deleted message in the reply to it', async () => {
    const code = await codeOf('owner', 'admin')
    const { msgId } = await say('owner', code, '一个秘密')
    const content = JSON.stringify({ content: '回复', quote: msgId })
    await world.as('admin').call(sendToChat, { code, content })
    await world.as('owner').call(deletePrivate, { msg_id: msgId })
    const seen = await world.as('admin').call(chatHistory, { code })
    expect(seen.at(-1)?.quote).toMatchObject({ id: msgId, content: '', can_jump: false })
    const { items } = await world.as('admin').call(listPrivate, { chat_code: code })
    expect(JSON.stringify([seen, items])).not.toContain('一个秘密')
  })

  it('shows its newest message and what is unread, until it is read on any device', async () => {
    const code = await codeOf('muted', 'admin')
    await say('muted', code, '一')
    const { msgId } = await say('muted', code, '**二**')
    await say('muted', code, '三')
    const mine = async () =>
      (await world.as('admin').call(listChats)).items.find((chat) => chat.code === code)
    expect(await mine()).toMatchObject({
      unread_count: 3,
      read_seq: 0,
      last_message: { author_id: world.idOf('muted'), type: 9, words: '三' },
    })
    const before = (await world.as('admin').call(unreadChats)).count
    expect(before).toBeGreaterThanOrEqual(3)
    // Reading a page moves no mark.
    await world.as('admin').call(chatHistory, { code })
    expect(await world.as('admin').call(readChat, { code, msgid: msgId })).toEqual({
      chat_code: code,
      read_seq: 2,
    })
    expect(await mine()).toMatchObject({ unread_count: 1, read_seq: 2 })
    await world.as('admin').call(readChat, { code })
    // It never moves back, and a mark that is there is told once.
    await world.as('admin').call(readChat, { code, msgid: msgId })
    await world.as('admin').call(readChat, { code })
    expect(await mine()).toMatchObject({ unread_count: 0, read_seq: 3 })
    expect((await world.as('admin').call(unreadChats)).count).toBe(before - 3)
    expect(await marks('admin')).toEqual([
      { chat_code: code, read_seq: 2 },
      { chat_code: code, read_seq: 3 },
    ])
  })

  it('is out of the list and of the count once it is hidden, until the next message', async () => {
    const code = await codeOf('muted', 'member')
    await say('muted', code, '看一下')
    const count = async () => (await world.as('member').call(unreadChats)).count
    const before = await count()
    await world.as('member').call(deleteChat, { chat_code: code })
    expect(await count()).toBe(before - 1)
    expect((await marks('member')).length).toBe(1)
    await world.as('muted').call(createPrivate, { chat_code: code, content: '看到了吗' })
    expect(await count()).toBe(before + 1)
  })

  it('has an event with a higher revision for each change', async () => {
    const { addPrivateReaction, deletePrivate, deletePrivateReaction, updatePrivate } = await import(
      '@guildhall/wire/chat/chat.ts'
    )
    const code = await codeOf('member', 'owner')
    const { msgId: msg_id } = await say('member', code, '改一改')
    const call = world.as('member').call
    expect(await call(addPrivateReaction, { msg_id, emoji: '👍' })).toEqual({ revision: 1 })
    expect(await call(addPrivateReaction, { msg_id, emoji: '👍' })).toEqual({ revision: 1 })
    expect(await call(updatePrivate, { msg_id, content: '改过了' })).toEqual({ revision: 2 })
    expect(await call(deletePrivateReaction, { msg_id, emoji: '👍' })).toEqual({ revision: 3 })
    await call(deletePrivate, { msg_id })
    await world.app.appContext.bus.settled()
    const changes = received.filter(
      (it) => it.to === 'person' && it.userId === world.idOf('owner') && it.kind !== 'message',
    )
    expect(changes.map((it) => [it.kind, (it.body as { revision: number }).revision])).toEqual([
      ['private_added_reaction', 1],
      ['updated_private_message', 2],
      ['private_deleted_reaction', 3],
      ['deleted_private_message', 4],
    ])
  })
})
