import type { ChannelId, GuildId } from '@guildhall/wire/id.ts'
import {
  addReaction,
  deleteMessage,
  deleteReaction,
  listMessages,
  pinMessage,
  unpinMessage,
  updateMessage,
  viewMessage,
} from '@guildhall/wire/message/action.ts'
import { PINS_MAX, REACTIONS_MAX } from '@guildhall/wire/message/limit.ts'
import { history, type Message, sendToChannel } from '@guildhall/wire/message/message.ts'
import { listPins } from '@guildhall/wire/message/pin.ts'
import { listReactions } from '@guildhall/wire/message/reactors.ts'
import {
  clearUnread,
  firstUnread,
  listUnread,
  listWaiting,
  UNREAD_MAX,
  type Unread,
} from '@guildhall/wire/message/readMark.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createChannel, setRule } from '../channel/channel.ts'
import type { PersonName } from '../demo/world.ts'
import type { LiveEvent } from '../kit/events/bus.ts'
import { commit } from '../kit/events/events.ts'
import { refusalOf } from '../testing/calls.ts'
import { connectionsTaken } from '../testing/database/connectionsTaken.ts'
import { openWorld, type TestWorld } from '../testing/world.ts'
import { history as readHistory } from './history.ts'
import { waitingFor } from './readMark.ts'

let world: TestWorld
let demo: GuildId
let received: LiveEvent[] = []
beforeAll(async () => {
  world = await openWorld()
  demo = world.guilds[0]?.id as GuildId
  world.app.appContext.bus.subscribe((event) => received.push(event))
})
beforeEach(async () => {
  await world.app.appContext.bus.settled()
  received = []
})
afterAll(() => world.close())

const say = async (name: PersonName, content: string, id: string = world.main.id, more = {}) =>
  (await world.as(name).call(sendToChannel, { id, content: JSON.stringify({ content }), ...more })).message
const newest = async (name: PersonName = 'owner', id: string = world.main.id) =>
  (await world.as(name).call(history, { id, page_size: 1 }))[0] as Message
const ownEvents = async () => {
  await world.app.appContext.bus.settled()
  return received.filter((event) => event.kind !== 'message')
}
const location = (message: Message) => ({
  msg_id: message.id,
  channel_id: message.channel_id,
  channel_type: 1,
})
const newChannel = (name: string, more = {}) =>
  commit(world.app.appContext, (tx, emit) =>
    createChannel(tx, emit, { guildId: demo, name, type: 1, ...more }),
  )
const NOBODY = '00000000-0000-7000-8000-000000000000'

describe('editing a message is refused', () => {
  it('to a guest, and, as an unknown message, to a person who may not view it', async () => {
    const secret = await say('owner', 'x', world.backstage.id)
    const input = { msg_id: secret.id, content: 'y' }
    expect(await world.as(null).refusal(updateMessage, input)).toBe('not_logged_in')
    expect(await world.as('member').refusal(updateMessage, input)).toBe('message.unknown')
    expect(await world.as('outsider').refusal(updateMessage, input)).toBe('message.unknown')
    expect(await world.as('owner').refusal(updateMessage, { ...input, msg_id: NOBODY })).toBe(
      'message.unknown',
    )
  })

  it('to everybody but its author, the owner included', async () => {
    const { id } = await say('member', 'x')
    for (const name of ['owner', 'admin'] as const)
      expect(await world.as(name).refusal(updateMessage, { msg_id: id, content: 'y' })).toBe(
        'message.not_author',
      )
  })

  it('when its author may no longer send there', async () => {
    const id = await newChannel('now-quiet')
    const message = await say('member', 'x', id)
    await commit(world.app.appContext, (tx, emit) =>
      setRule(tx, emit, id, { role_id: 0, allow: 0, deny: permission.send_message }),
    )
    expect(await world.as('member').refusal(updateMessage, { msg_id: message.id, content: 'y' })).toBe(
      'message.not_allowed',
    )
  })

  it('when it is empty, too long, no KMarkdown, or quotes an unknown message', async () => {
    const { id } = await say('member', 'x')
    const to = (more: object) =>
      world.as('member').refusal(updateMessage, { msg_id: id, content: 'y', ...more })
    for (const content of [' \n', '\u200b', '\u2800\u00ad\ufe0f'])
      expect(await to({ content })).toBe('message.empty')
    expect(await to({ content: 'a'.repeat(8001) })).toBe('message.too_long')
    expect(await to({ quote: NOBODY })).toBe('message.unknown')
    const plain = await world.as('member').call(sendToChannel, {
      id: world.main.id,
      content: JSON.stringify({ content: 'x', type: 1 }),
    })
    expect(await world.as('member').refusal(updateMessage, { msg_id: plain.msgId, content: 'y' })).toBe(
      'message.kind_refused',
    )
    expect(await ownEvents()).toEqual([])
  })
})

describe('an edited message', () => {
  it('replaces the content for everybody, and its event carries all of it', async () => {
    const message = await say('member', '旧')
    const { revision } = await world.as('member').call(updateMessage, {
      msg_id: message.id,
      content: `新 (met)${world.people.owner.id}(met)`,
    })
    expect(revision).toBe(1)
    const now = await newest()
    expect(now).toMatchObject({ id: message.id, seq: message.seq, nonce: message.nonce, revision: 1 })
    expect(now.mention).toEqual([world.people.owner.id])
    expect(now.updated_at).toBeGreaterThanOrEqual(now.create_at)
    const [event] = await ownEvents()
    expect(event).toMatchObject({ kind: 'updated_message', channelId: world.main.id })
    const { content, mention, mention_all, mention_here, mention_roles, kmarkdown, updated_at } = now
    expect(event?.body).toEqual({
      ...location(message),
      revision: 1,
      content,
      mention,
      mention_all,
      mention_here,
      mention_roles,
      kmarkdown,
      updated_at,
      quote: null,
      attachments: null,
    })
  })

  it('with the same content changes nothing', async () => {
    const { id } = await say('member', 'x')
    const answer = await world.as('member').call(updateMessage, { msg_id: id, content: 'x' })
    expect(answer.revision).toBe(0)
    expect(await newest()).toMatchObject({ updated_at: 0, revision: 0 })
    expect(await ownEvents()).toEqual([])
  })

  it('keeps its quote, removes it, or quotes another message', async () => {
    const first = await say('owner', 'one')
    const second = await say('owner', 'two')
    const message = await world.as('member').call(sendToChannel, {
      id: world.main.id,
      content: JSON.stringify({ content: 'x', quote: first.id }),
    })
    const quoteOf = async (more: object) => {
      await world.as('member').call(updateMessage, { msg_id: message.msgId, content: 'x', ...more })
      return ((await newest()).quote as { id: string } | null)?.id ?? null
    }
    expect(await quoteOf({ content: 'y' })).toBe(first.id)
    expect(await quoteOf({ quote: second.id })).toBe(second.id)
    expect(await quoteOf({ quote: '' })).toBeNull()
  })
})

describe('deleting a message', () => {
  it('of another person requires the right to manage messages, in that channel', async () => {
    const { id } = await say('owner', 'x')
    expect(await world.as('member').refusal(deleteMessage, { msg_id: id })).toBe('message.no_right')
    const kept = await newChannel('kept-tidy')
    await commit(world.app.appContext, (tx, emit) =>
      setRule(tx, emit, kept, { user_id: world.people.member.id, allow: permission.manage_message, deny: 0 }),
    )
    const there = await say('owner', 'x', kept)
    await world.as('member').call(deleteMessage, { msg_id: there.id })
    expect(await newest('owner', kept)).toBeUndefined()
  })

  it('removes it from the history, and a second time emits no event', async () => {
    const before = await say('owner', 'before')
    const message = await say('member', 'x')
    const after = await say('owner', 'after')
    for (const name of ['member', 'member', 'owner'] as const)
      await world.as(name).call(deleteMessage, { msg_id: message.id })
    const page = await world.as('owner').call(history, { id: world.main.id, page_size: 2 })
    expect(page.map((it) => it.id)).toEqual([before.id, after.id])
    const events = await ownEvents()
    expect(events.map(({ kind, body }) => [kind, body])).toEqual([
      ['deleted_message', { ...location(message), revision: 1, seq: message.seq }],
    ])
    expect(await world.as('member').refusal(updateMessage, { msg_id: message.id, content: 'y' })).toBe(
      'message.unknown',
    )
    expect(await world.as('member').refusal(addReaction, { msg_id: message.id, emoji: '👍' })).toBe(
      'message.unknown',
    )
    expect(await world.as('owner').refusal(viewMessage, { msg_id: message.id })).toBe('message.unknown')
  })

  it('leaves nothing of its content in the database', async () => {
    const message = await say('member', 'words that must go')
    await world.as('member').call(deleteMessage, { msg_id: message.id })
    const { rows } = await sql<{ all: string }>`
      select message::text as all from message where id = ${message.id}`.execute(world.database.db)
    expect(rows[0]?.all).not.toContain('words that must go')
  })

  it('is final: a repeated send does not restore it', async () => {
    const message = await say('member', 'x', world.main.id, { nonce: 'once' })
    await world.as('member').call(deleteMessage, { msg_id: message.id })
    expect(await refusalOf(say('member', 'x', world.main.id, { nonce: 'once' }))).toBe('message.deleted')
    expect(await refusalOf(say('member', 'x', world.main.id, { nonce: 'once' }))).toBe('message.deleted')
    expect((await say('owner', 'x', world.main.id, { nonce: 'once' })).id).not.toBe(message.id)
  })
})

describe('reacting', () => {
  it('is refused to the unverified, to outsiders, without a valid emoji, and past the limit', async () => {
    const { id } = await say('owner', 'x')
    const react = (name: PersonName, emoji = '👍') =>
      world.as(name).refusal(addReaction, { msg_id: id, emoji })
    expect(await react('unverified')).toBe('message.not_allowed')
    expect(await react('outsider')).toBe('message.unknown')
    expect(await react('member', 'x')).toBe('message.emoji_unknown')
    for (let i = 0; i < REACTIONS_MAX; i += 1)
      await world.as('member').call(addReaction, { msg_id: id, emoji: String.fromCodePoint(0x1f600 + i) })
    expect(await react('member', '🍎')).toBe('message.reactions_full')
    await world.as('owner').call(addReaction, { msg_id: id, emoji: '😀' })
  })

  it('with a new emoji and with an existing one require a permission each', async () => {
    const id = await newChannel('hands-off')
    await commit(world.app.appContext, (tx, emit) =>
      setRule(tx, emit, id, { role_id: 0, allow: 0, deny: permission.add_reaction }),
    )
    const message = await say('owner', 'x', id)
    const input = { msg_id: message.id, emoji: '👍' }
    expect(await world.as('member').refusal(addReaction, input)).toBe('message.no_right')
    await world.as('owner').call(addReaction, input)
    await world.as('member').call(addReaction, input)
    await commit(world.app.appContext, (tx, emit) =>
      setRule(tx, emit, id, { role_id: 0, allow: 0, deny: permission.follow_reaction }),
    )
    expect(await world.as('muted').refusal(addReaction, input)).toBe('message.no_right')
    expect((await newest('member', id)).reactions).toEqual([
      { emoji: { id: '[#128077;]', name: '👍' }, count: 2, me: true },
    ])
  })

  it('and removing a reaction are idempotent', async () => {
    const message = await say('owner', 'x')
    const input = { msg_id: message.id, emoji: '❤' }
    const as = world.as('member').call
    expect((await as(addReaction, input)).revision).toBe(1)
    expect((await as(addReaction, { ...input, emoji: '[#10084;][#65039;]' })).revision).toBe(1)
    expect((await newest()).reactions).toMatchObject([{ count: 1, me: false }])
    expect((await as(deleteReaction, input)).revision).toBe(2)
    expect((await as(deleteReaction, input)).revision).toBe(2)
    expect((await newest()).reactions).toEqual([])
    const emoji = { id: '[#10084;][#65039;]', name: '❤️' }
    const body = { ...location(message), user_id: world.people.member.id, emoji }
    expect((await ownEvents()).map(({ kind, body }) => [kind, body])).toEqual([
      ['added_reaction', { ...body, revision: 1 }],
      ['deleted_reaction', { ...body, revision: 2 }],
    ])
  })

  it('by many at once counts each of them once', async () => {
    const { id } = await say('owner', 'x')
    const all = (['owner', 'admin', 'member', 'muted'] as const).flatMap((name) =>
      ['👍', '🎉', '👍'].map((emoji) => world.as(name).call(addReaction, { msg_id: id, emoji })),
    )
    await Promise.all(all)
    const { reactions, revision } = await newest()
    expect(reactions.map((it) => it.count)).toEqual([4, 4])
    expect(revision).toBe(8)
  })

  it('keeps the order of emoji, lists who reacted and when, and lets managers remove those of others', async () => {
    const { id } = await say('owner', 'x')
    const react = (name: PersonName, emoji: string) => world.as(name).call(addReaction, { msg_id: id, emoji })
    await react('member', '🎉')
    await react('admin', '👍')
    await react('owner', '🎉')
    await react('owner', '🍎')
    const shown = async () => (await newest('member')).reactions.map((it) => [it.emoji.id, it.count, it.me])
    expect(await shown()).toEqual([
      ['[#127881;]', 2, true],
      ['[#128077;]', 1, false],
      ['[#127822;]', 1, false],
    ])
    const who = await world.as('muted').call(listReactions, { msg_id: id, emoji: '🎉' })
    expect(who.map((it) => it.id)).toEqual([world.people.member.id, world.people.owner.id])
    expect(who[0]?.reaction_time).toBeGreaterThan(0)
    expect(who[0]?.nickname).toBe(who[0]?.username)
    const others = { msg_id: id, emoji: '🎉', user_id: world.people.member.id }
    expect(await world.as('muted').refusal(deleteReaction, others)).toBe('message.no_right')
    await world.as('admin').call(deleteReaction, others)
    await world.as('owner').call(deleteReaction, { msg_id: id, emoji: '🎉' })
    await react('member', '🎉')
    expect(await shown()).toEqual([
      ['[#128077;]', 1, false],
      ['[#127822;]', 1, false],
      ['[#127881;]', 1, true],
    ])
  })

  it('does not add queries to a page of history', async () => {
    const id = await newChannel('many')
    for (let i = 0; i < 3; i += 1) await say('owner', `${i}`, id)
    const page = { conversationId: id, anchor: undefined, flag: 'before', limit: 50 } as const
    const asked = () =>
      connectionsTaken(world, (appContext) => readHistory(appContext, world.idOf('owner'), page))
    const none = await asked()
    expect(none).toBeGreaterThan(0)
    for (const it of await world.as('owner').call(history, { id }))
      await world.as('owner').call(addReaction, { msg_id: it.id, emoji: '👍' })
    expect(await asked()).toBe(none)
  })
})

describe('pinning', () => {
  it('requires the right to manage messages, and a message of that channel', async () => {
    const { id } = await say('member', 'x')
    const input = { target_id: world.main.id, msg_id: id }
    expect(await world.as('member').refusal(pinMessage, input)).toBe('message.no_right')
    expect(await world.as('owner').refusal(pinMessage, { ...input, target_id: world.rules.id })).toBe(
      'message.unknown',
    )
  })

  it('adds the message to the list once; deleting or unpinning removes it', async () => {
    const id = await newChannel('pinboard')
    const [a, b, c] = [
      await say('member', 'a', id),
      await say('member', 'b', id),
      await say('member', 'c', id),
    ]
    const as = world.as('admin').call
    received = []
    for (const it of [c, a, b, b]) await as(pinMessage, { target_id: id, msg_id: it.id })
    const pins = async () =>
      (await world.as('member').call(listMessages, { target_id: id, pin: true })).items.map(
        (it) => it.content,
      )
    expect(await pins()).toEqual(['c', 'a', 'b'])
    expect(await newest('member', id)).toMatchObject({ is_pinned: true, revision: 1 })
    await as(unpinMessage, { target_id: id, msg_id: a.id })
    await as(unpinMessage, { target_id: id, msg_id: a.id })
    await world.as('member').call(deleteMessage, { msg_id: c.id })
    expect(await pins()).toEqual(['b'])
    expect((await ownEvents()).map((it) => it.kind)).toEqual([
      'pinned_message',
      'pinned_message',
      'pinned_message',
      'unpinned_message',
      'deleted_message',
    ])
    expect(received.find((it) => it.kind === 'unpinned_message')?.body).toEqual({
      ...location(a),
      revision: 2,
      operator_id: world.people.admin.id,
    })
  })

  it('is listed for viewers of the channel, the last one first, with the person and the time', async () => {
    expect(await world.as('outsider').refusal(listPins, { id: world.main.id })).toBe('forbidden')
    expect(await world.as('member').refusal(listPins, { id: world.backstage.id })).toBe('forbidden')
    const id = await newChannel('pin list')
    const list = () => world.as('member').call(listPins, { id })
    expect(await list()).toEqual([])
    const [a, b] = [await say('member', 'a', id), await say('member', 'b', id)]
    await world.as('admin').call(pinMessage, { target_id: id, msg_id: b.id })
    await world.as('owner').call(pinMessage, { target_id: id, msg_id: a.id })
    const pins = await list()
    expect(pins.map((it) => [it.message.content, it.pinned_by?.id])).toEqual([
      ['a', world.people.owner.id],
      ['b', world.people.admin.id],
    ])
    expect(pins[1]?.pinned_by?.name).not.toBe('')
    expect(pins[1]?.pinned_at).toBeGreaterThan(b.create_at - 1)
    await sql`update message set pinned_by = 0 where id = ${b.id}`.execute(world.database.db)
    await world.as('owner').call(unpinMessage, { target_id: id, msg_id: a.id })
    expect((await list()).map((it) => [it.message.content, it.pinned_by])).toEqual([['b', null]])
  })

  it('is refused past the limit', async () => {
    const id = await newChannel('full')
    const pin = (msg_id: string) => world.as('owner').call(pinMessage, { target_id: id, msg_id })
    for (let i = 0; i < PINS_MAX; i += 1) await pin((await say('owner', `${i}`, id)).id)
    expect(await refusalOf(pin((await say('owner', 'x', id)).id))).toBe('message.pins_full')
  })
})

describe('the list of messages', () => {
  it('returns pages before, after and around a message, oldest first, with the public kinds', async () => {
    const id = await newChannel('list')
    const all: Message[] = []
    for (let i = 0; i < 7; i += 1) all.push(await say('member', `${i}`, id))
    const read = async (more: object) =>
      (await world.as('member').call(listMessages, { target_id: id, ...more })).items.map((it) => it.content)
    const msg_id = all[3]?.id
    expect(await read({})).toEqual(['0', '1', '2', '3', '4', '5', '6'])
    expect(await read({ page_size: 2 })).toEqual(['5', '6'])
    expect(await read({ msg_id, page_size: 2 })).toEqual(['1', '2'])
    expect(await read({ msg_id, flag: 'after', page_size: 2 })).toEqual(['4', '5'])
    expect(await read({ msg_id, flag: 'around', page_size: 3 })).toEqual(['2', '3', '4'])
    expect(await refusalOf(read({ msg_id: NOBODY }))).toBe('message.unknown')
    expect(await world.as('outsider').refusal(listMessages, { target_id: id })).toBe('forbidden')
    const one = await world.as('member').call(viewMessage, { msg_id })
    expect(one).toMatchObject({ id: msg_id, channel_id: id, editable: true, type: 9 })
  })
})

it('the list says of each message whether the caller has read it; their own they have', async () => {
  const id = await newChannel('status')
  const one = await say('owner', '1', id)
  await say('owner', '2', id)
  await say('member', '3', id)
  const read = async () =>
    (await world.as('member').call(listMessages, { target_id: id })).items.map((it) => it.read_status)
  expect(await read()).toEqual([false, false, true])
  await world.as('member').call(clearUnread, { channel_id: id, msgid: one.id })
  expect(await read()).toEqual([true, false, true])
  expect((await world.as('member').call(viewMessage, { msg_id: one.id })).read_status).toBe(true)
  expect((await world.as('admin').call(viewMessage, { msg_id: one.id })).read_status).toBe(false)
})

describe('the unread counts of a person', () => {
  const waiting = async (name: PersonName, id: string): Promise<Unread> => {
    const all = await world.as(name).call(listUnread, { guild_id: demo })
    return all.find((it) => it.channel_id === id) as Unread
  }
  const counts = async (name: PersonName, id: string) => {
    const { unread_count, mention_count } = await waiting(name, id)
    return [unread_count, mention_count]
  }

  it('are answered to members, for the text channels they may view', async () => {
    expect(await world.as('outsider').refusal(listUnread, { guild_id: demo })).toBe('forbidden')
    const all = (await world.as('member').call(listUnread, { guild_id: demo })).map((it) => it.channel_id)
    expect(all).toContain(world.main.id)
    expect(all).not.toContain(world.backstage.id)
    expect(all).not.toContain(world.voice.id)
    expect(await world.as('member').refusal(clearUnread, { channel_id: world.backstage.id })).toBe(
      'forbidden',
    )
  })

  it('cover messages of others after the read mark and mentions among them, without deleted ones', async () => {
    const id = await newChannel('waiting')
    expect(await counts('member', id)).toEqual([0, 0])
    const one = await say('owner', 'one', id)
    const two = await say('owner', `(met)${world.people.member.id}(met)`, id)
    await say('owner', '(met)all(met)', id)
    const role = await say(
      'owner',
      `(rol)${await roleOf('member')}(rol) (met)${world.people.member.id}(met)`,
      id,
    )
    await say('member', 'my own (met)all(met)', id)
    expect(await counts('member', id)).toEqual([4, 3])
    expect(await counts('admin', id)).toEqual([5, 2])
    await world.as('owner').call(deleteMessage, { msg_id: role.id })
    expect(await counts('member', id)).toEqual([3, 2])
    await world.as('owner').call(updateMessage, { msg_id: two.id, content: 'nobody' })
    expect(await counts('member', id)).toEqual([3, 1])
    await world.as('owner').call(updateMessage, {
      msg_id: one.id,
      content: `(met)${world.people.member.id}(met)`,
    })
    expect(await counts('member', id)).toEqual([3, 2])
    const answer = await world.as('member').call(clearUnread, { channel_id: id, msgid: one.id })
    expect(answer).toMatchObject({ read_seq: one.seq, unread_count: 2, mention_count: 1 })
    await world.as('member').call(clearUnread, { channel_id: id })
    expect(await counts('member', id)).toEqual([0, 0])
  })

  it('name the first message of others that is unread, since the person joined', async () => {
    const id = await newChannel('first')
    const first = async (name: PersonName, after = 0) =>
      (await world.as(name).call(firstUnread, { channel_id: id, after })).first
    const backstage = { channel_id: world.backstage.id, after: 0 }
    expect(await world.as('member').refusal(firstUnread, backstage)).toBe('forbidden')
    expect(await first('member')).toBeNull()
    const said: { id: string; seq: number }[] = []
    for (const text of ['one', 'two', 'three', 'four', 'five']) said.push(await say('owner', text, id))
    const [one, two, three, four] = said
    expect(await first('owner')).toBeNull()
    expect(await first('member')).toEqual({ msg_id: one?.id, seq: one?.seq })
    expect((await first('member', one?.seq))?.msg_id).toBe(two?.id)
    await world.as('owner').call(deleteMessage, { msg_id: said[0]!.id as Message['id'] })
    expect((await first('member'))?.msg_id).toBe(two?.id)
    const joinedAt = async (at: number) =>
      sql`update membership set joined_at = ${at} where user_id = ${world.people.member.id} and guild_id = ${demo}`.execute(
        world.database.db,
      )
    const now = Date.now()
    for (const [at, it] of said.entries())
      await sql`update message set create_at = ${now + at} where id = ${it.id}`.execute(world.database.db)
    try {
      for (const [at, expected] of [two, two, three, four].entries()) {
        await joinedAt(now + at)
        expect((await first('member'))?.msg_id).toBe(expected?.id)
      }
      await joinedAt(now + 9)
      expect(await first('member')).toBeNull()
    } finally {
      await joinedAt(0)
    }
  })

  it('are answered for all guilds at once: whether anything is unread, and how many mentions', async () => {
    const waits = async (name: PersonName) => {
      const it = (await world.as(name).call(listWaiting, {})).find((each) => each.guild_id === demo)
      return it ? [it.is_unread, it.mention_count] : null
    }
    const readAll = async (name: PersonName) => {
      for (const it of await world.as(name).call(listUnread, { guild_id: demo }))
        await world.as(name).call(clearUnread, { channel_id: it.channel_id })
    }
    expect(await world.as(null).refusal(listWaiting, {})).toBe('not_logged_in')
    expect(await waits('outsider')).toBeNull()
    await readAll('member')
    expect(await waits('member')).toEqual([false, 0])
    // Hidden channels are not counted.
    await say('owner', '(met)all(met)', world.backstage.id)
    await say('member', 'my own')
    expect(await waits('member')).toEqual([false, 0])
    const [a, b] = [await newChannel('waits a'), await newChannel('waits b')]
    for (let i = 0; i < 30; i += 1) await say('owner', `(met)${world.people.member.id}(met)`, a)
    await say('owner', 'x', b)
    expect(await waits('member')).toEqual([true, 30])
    const asked = () => connectionsTaken(world, ({ db }) => waitingFor(db, world.idOf('member')))
    const few = await asked()
    for (let i = 0; i < 5; i += 1) await newChannel(`more ${i}`)
    expect(few).toBeGreaterThan(0)
    expect(await asked()).toBe(few)
    await world.as('member').call(clearUnread, { channel_id: a })
    expect(await waits('member')).toEqual([true, 0])
    await world.as('member').call(clearUnread, { channel_id: b })
    expect(await waits('member')).toEqual([false, 0])
  })

  it('store a mention of everyone as one row', async () => {
    const rows = async () =>
      Number(
        (await sql<{ n: number }>`select count(*) as n from mention`.execute(world.database.db)).rows[0]?.n,
      )
    const before = await rows()
    await say('owner', '(met)all(met) (met)here(met) (met)all(met)')
    expect(await rows()).toBe(before + 1)
  })

  it('follow a read mark that only advances; its event reaches that person alone, once', async () => {
    const id = await newChannel('marks')
    const [one, two] = [await say('owner', 'one', id), await say('owner', 'two', id)]
    await ownEvents()
    received = []
    const as = world.as('member').call
    await as(clearUnread, { channel_id: id, msgid: two.id })
    await as(clearUnread, { channel_id: id, msgid: one.id })
    await as(clearUnread, { channel_id: id })
    expect(await waiting('member', id)).toMatchObject({ read_seq: two.seq, unread_count: 0 })
    expect((await ownEvents()).map(({ to, kind, body }) => [to, kind, body])).toEqual([
      ['person', 'updated_read_mark', { guild_id: demo, channel_id: id, read_seq: two.seq }],
    ])
    expect(await refusalOf(as(clearUnread, { channel_id: world.main.id, msgid: one.id }))).toBe(
      'message.unknown',
    )
  })

  it('end at their limit, include old mentions beyond it, and are zero for newcomers', async () => {
    const id = await newChannel('busy')
    await say('owner', `(met)${world.people.member.id}(met)`, id)
    await sql`
      insert into message (id, guild_id, channel_id, author_id, seq, kind, content, kmarkdown, create_at)
      select gen_random_uuid(), guild_id, channel_id, author_id, seq + n, kind, '', kmarkdown, create_at
      from message, generate_series(1, 1000) n where channel_id = ${id}`.execute(world.database.db)
    expect(await counts('member', id)).toEqual([UNREAD_MAX, 1])
    await sql`update membership set joined_at = 9e15 where guild_id = ${demo} and user_id = ${
      world.people.admin.id
    }`.execute(world.database.db)
    expect(await counts('admin', id)).toEqual([0, 0])
  })
})

async function roleOf(name: PersonName): Promise<number> {
  const { rows } = await sql<{ role_id: number }>`
    select role_id from membership_role where guild_id = ${demo} and user_id = ${world.people[name].id}`.execute(
    world.database.db,
  )
  return rows[0]?.role_id as number
}

it('events about a message are delivered to those who may view its channel', async () => {
  const message = await say('owner', 'x', world.backstage.id)
  received = []
  await world.as('owner').call(addReaction, { msg_id: message.id, emoji: '👍' })
  await world.app.appContext.bus.settled()
  expect(received).toMatchObject([{ to: 'guild', channelId: world.backstage.id as ChannelId }])
})
