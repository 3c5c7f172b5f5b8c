import { readFile } from 'node:fs/promises'
import type { ChannelId, GuildId } from '@guildhall/wire/id.ts'
import { memberUpdated } from '@guildhall/wire/member/event.ts'
import { deleteMessage, updateMessage, viewMessage } from '@guildhall/wire/message/action.ts'
import { CONTENT_MAX } from '@guildhall/wire/message/limit.ts'
import {
  createMessage,
  history,
  historyV2,
  type Message,
  sendToChannel,
} from '@guildhall/wire/message/message.ts'
import { quoteIn } from '@guildhall/wire/message/quote.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import type { Route } from '@guildhall/wire/route.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createChannel } from '../channel/channel.ts'
import type { PersonName } from '../demo/world.ts'
import { replaceClock } from '../kit/clock.ts'
import { type LiveEvent, noopBus } from '../kit/events/bus.ts'
import { commit, eventsAfter } from '../kit/events/events.ts'
import { emptyPresence } from '../kit/events/presence.ts'
import { refusalOf, refusedCall } from '../testing/calls.ts'
import { openWorld, type TestWorld } from '../testing/world.ts'

import { send } from './send.ts'

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

const sendText = (
  name: PersonName,
  content: string,
  more: { id?: string; type?: number; nonce?: string; quote?: string } = {},
) => {
  const { id = world.main.id, nonce, ...body } = more
  return world.as(name).call(sendToChannel, { id, nonce, content: JSON.stringify({ content, ...body }) })
}
const raw = (content: unknown, more: object = {}) =>
  world.as('member').call(sendToChannel, { id: world.main.id, content, ...more })
const newChannel = (name: string, guildId = demo) =>
  commit(world.app.appContext, (tx, emit) => createChannel(tx, emit, { guildId, name, type: 1 }))
const lastSeq = async () =>
  (
    await sql<{
      seq: number
    }>`select event_seq::float8 as seq from guild_counter where guild_id = ${demo}`.execute(world.database.db)
  ).rows[0]?.seq ?? 0
const newest = async (id: string = world.main.id) =>
  (await world.as('owner').call(history, { id, page_size: 1 }))[0] as Message

describe('a message is refused', () => {
  it('from a guest, and from a person who is not a member, as for an unknown channel', async () => {
    expect(await world.as(null).refusal(sendToChannel, { id: world.main.id, content: 'x' })).toBe(
      'not_logged_in',
    )
    const answers = []
    for (const id of [world.main.id, '4999999999999999', world.backstage.id]) {
      const { body, status } = await refusedCall(sendText('outsider', 'x', { id }))
      answers.push([status, body])
    }
    expect(answers[0]).toMatchObject([403, { code: 403, error: 'forbidden' }])
    expect(answers[1]).toEqual(answers[0])
    expect(answers[2]).toEqual(answers[0])
  })

  it.each([
    ['unverified', 'main', 'unverified'],
    ['muted', 'main', 'no_permission'],
    ['member', 'rules', 'readonly'],
    ['member', 'voice', 'no_permission'],
  ] as const)('from %s in %s: %s', async (name, location, why) => {
    const { failure, body } = await refusedCall(sendText(name, 'x', { id: world[location].id }))
    expect([failure, body.data?.extra]).toEqual(['message.not_allowed', { why }])
  })

  it.each([
    '',
    ' \n\t ',
    '\0',
    '\u202e\u200f',
    '　',
    '\u200b',
    '\u2800',
    '\u00ad',
    '\ufe0f',
    '\u3164 \u200d',
    '**\u200b**',
    '> \u2800',
    '`\u200b`',
    '[\u00ad](https://a.example)',
  ])('when nothing is left of %j', async (content) => {
    expect(await refusalOf(sendText('member', content))).toBe('message.empty')
  })

  it('when it is longer than the limit, in UTF-16 units', async () => {
    expect(await refusalOf(sendText('member', 'a'.repeat(CONTENT_MAX + 1)))).toBe('message.too_long')
    expect(await refusalOf(sendText('member', '👋'.repeat(CONTENT_MAX / 2 + 1)))).toBe('message.too_long')
    expect(await refusalOf(raw('a'.repeat(50_000)))).toBe('bad_input')
    expect((await refusedCall(raw('a'.repeat(70_000)))).status).toBe(413)
  })

  it.each([7, 10, 200, 99])('when it is of kind %i', async (type) => {
    expect(await refusalOf(sendText('member', 'x', { type }))).toBe('message.kind_refused')
  })

  it('when it names an unknown object, or a medium without a file of the sender’s', async () => {
    const url = 'https://example.com/a.png'
    expect(await refusalOf(raw('{"content":"x"}', { objectName: 'RC:LBSMsg' }))).toBe('message.kind_refused')
    expect(await refusalOf(raw('{"content":"x"}', { objectName: 'RC:ImgMsg' }))).toBe('bad_input')
    expect(await refusalOf(raw('{"content":', { objectName: 'RC:ImgMsg' }))).toBe('bad_json')
    for (const json of [url, `{"imageUri":"${url}"}`, `{"content":"aGk=","imageUri":"${url}"}`])
      expect(await refusalOf(raw(json, { objectName: 'RC:ImgMsg' }))).toBe('asset.unknown')
  })

  it('when its content is half a JSON object, or one without content', async () => {
    expect(await refusalOf(raw('{"content": '))).toBe('bad_json')
    const { failure, body } = await refusedCall(raw('{"content": 5}'))
    expect([failure, Object.keys(body.data?.errors ?? {})]).toEqual(['bad_input', ['content.content']])
    expect(await refusalOf(raw({ content: 'x' }))).toBe('bad_input')
    expect(await refusalOf(raw('x', { nonce: 'n'.repeat(65) }))).toBe('bad_input')
  })

  it('when it quotes a message of another channel', async () => {
    const elsewhere = await newest(world.rules.id)
    for (const quote of ['00000000-0000-7000-8000-000000000000', elsewhere.id]) {
      expect(await refusalOf(sendText('member', 'x', { quote }))).toBe('message.unknown')
    }
  })

  it('without taking a number or emitting an event', async () => {
    const before = await lastSeq()
    await refusedCall(sendText('member', ''))
    await refusedCall(sendText('muted', 'x'))
    expect(await lastSeq()).toBe(before)
    expect(received).toEqual([])
  })
})

describe('a message', () => {
  it('is answered, logged and delivered in full, with one number', async () => {
    const before = await lastSeq()
    const { msgId, msgTimestamp, message, nonce } = await sendText('member', '**你好**', { nonce: 'n-1' })
    expect(message).toMatchObject({
      id: msgId,
      rong_id: msgId,
      channel_id: world.main.id,
      guild_id: demo,
      seq: before + 1,
      type: 9,
      content: '**你好**',
      create_at: msgTimestamp,
      nonce: 'n-1',
      author: { id: world.people.member.id, nickname: world.people.member.username },
      kmarkdown: { raw_content: '你好' },
    })
    expect(nonce).toBe('n-1')
    await world.app.appContext.bus.settled()
    const body = { message, channel: { name: world.main.name, type: 1 } }
    expect(received).toEqual([
      {
        to: 'guild',
        guildId: demo,
        channelId: world.main.id,
        seq: before + 1,
        at: msgTimestamp,
        kind: 'message',
        body,
      },
    ])
    expect(await eventsAfter(world.database.db, demo, before, 10)).toEqual(received)
    expect(await newest()).toEqual(message)
  })

  it.each([
    "Robert'); DROP TABLE message;--",
    '<script>alert(1)</script><img src=x onerror=alert(1)>',
    '$1 :1 %s \\ \\u0000 \' " `',
    '{"content": "inner"}',
    '👨‍👩‍👧‍👦 é ﷽ \u0001\u0008',
  ])('%j comes back as it was sent', async (content) => {
    expect((await sendText('member', content)).message.content).toBe(content)
    expect((await newest()).content).toBe(content)
  })

  it('is stored without NUL, right-to-left overrides and lone surrogates, else unchanged', async () => {
    const { message } = await raw('{"content":"a\\u0000b\\u202ec\\u200fd\\ud83de"}')
    expect(message.content).toBe('abcd\ufffde')
  })

  it('that is no JSON object is plain text', async () => {
    for (const content of ['hello', '123', '"quoted"', '[1]', 'null']) {
      expect((await raw(content)).message).toMatchObject({ type: 1, content })
    }
  })

  it('of kind text mentions nobody', async () => {
    const content = `(met)${world.people.owner.id}(met) **x**`
    const { message } = await sendText('member', content, { type: 1 })
    expect(message).toMatchObject({ mention: [], kmarkdown: { raw_content: content } })
  })

  it('of the maximal length is sent', async () => {
    expect((await sendText('member', '界'.repeat(CONTENT_MAX))).message.content).toHaveLength(CONTENT_MAX)
  })

  it('of the owner and of the team is accepted in a read-only channel', async () => {
    expect((await sendText('owner', 'x', { id: world.rules.id })).message.channel_id).toBe(world.rules.id)
    await sql`insert into guild_team values (${demo}, ${world.people.member.id})`.execute(world.database.db)
    expect((await sendText('member', 'x', { id: world.rules.id })).message.channel_id).toBe(world.rules.id)
    await sql`delete from guild_team`.execute(world.database.db)
  })

  it('quotes an earlier message of the channel', async () => {
    const { message: first } = await sendText('owner', '原话')
    const { message } = await sendText('member', '回复', { quote: first.id })
    expect(message.quote).toMatchObject({
      id: first.id,
      rong_id: first.id,
      content: '原话',
      author: { id: first.author.id },
    })
  })

  it('quotes a message with the names of those it mentions', async () => {
    const { message: first } = await sendText(
      'owner',
      `(met)${world.people.admin.id}(met) (chn)${world.main.id}(chn)`,
    )
    const { message } = await sendText('member', '回复', { quote: first.id })
    const { mention_part, mention_role_part, channel_part } = first.kmarkdown
    expect(mention_part).toHaveLength(1)
    expect(quoteIn(message)?.kmarkdown).toEqual({ mention_part, mention_role_part, channel_part })
    expect(quoteIn(await newest())?.kmarkdown).toEqual({ mention_part, mention_role_part, channel_part })
    await world.as('owner').call(deleteMessage, { msg_id: first.id })
    expect(quoteIn(await newest())?.kmarkdown).toBeUndefined()
  })

  it('gets the names of the quoted message when it was stored before quotes had them', async () => {
    const { message: first } = await sendText('owner', `(met)${world.people.admin.id}(met)`)
    const { message } = await sendText('member', '旧的回复', { quote: first.id })
    const { message: plain } = await sendText('owner', '没有名字')
    const { message: other } = await sendText('member', '另一条', { quote: plain.id })
    await sql`update message set quote = quote - 'kmarkdown' where id = ${message.id}`.execute(
      world.database.db,
    )
    const migration = await readFile(
      new URL('../../migrations/0026-names-in-quotes.sql', import.meta.url),
      'utf8',
    )
    for (const statement of migration.split(';').slice(0, -1))
      await sql.raw(statement).execute(world.database.db)
    const quoteNow = async (id: string) => {
      const all = await world.as('admin').call(history, { id: world.main.id, page_size: 10 })
      return quoteIn(all.find((it) => it.id === id) ?? { quote: null })
    }
    expect((await quoteNow(message.id))?.kmarkdown?.mention_part).toEqual(first.kmarkdown.mention_part)
    expect(await quoteNow(other.id)).not.toHaveProperty('kmarkdown')
  })

  it('reads a link that begins with the host of the server as its words', async () => {
    const content = JSON.stringify({
      content: '看 [这里](guild.example/invite/abc123) [那里](other.example/a)',
    })
    const it = { channelId: world.main.id, content, nonce: '', origin: 'https://guild.example' }
    const { kmarkdown } = await send(
      { db: world.database.db, bus: noopBus, presence: emptyPresence, announces: true, publicUrl: '' },
      world.people.owner.id,
      it,
    )
    expect(kmarkdown.raw_content).toBe('看 这里 [那里](other.example/a)')
  })

  it('keeps the order of its guild when the clock goes back', async () => {
    const now = Date.now()
    const restore = replaceClock(() => now + 60_000)
    const first = await sendText('member', '一').finally(restore)
    const second = await sendText('member', '二')
    expect(second.msgTimestamp).toBe(first.msgTimestamp)
    expect(second.message.seq).toBeGreaterThan(first.message.seq)
  })
})

describe('a repeated nonce', () => {
  it('of other content is refused, and takes no number', async () => {
    await sendText('member', '第一次', { nonce: 'other' })
    const seq = await lastSeq()
    expect(await refusalOf(sendText('member', '第二次', { nonce: 'other' }))).toBe('message.nonce_used')
    expect(await refusalOf(sendText('member', '第一次', { nonce: 'other', type: 1 }))).toBe(
      'message.nonce_used',
    )
    expect(await lastSeq()).toBe(seq)
  })

  it('of the same content answers with the first message, also once that was edited, and takes no number', async () => {
    const first = await sendText('member', '第一次', { nonce: 'again' })
    const seq = await lastSeq()
    expect(await sendText('member', '第一次', { nonce: 'again' })).toEqual(first)
    expect(await lastSeq()).toBe(seq)
    await world.as('member').call(updateMessage, { msg_id: first.msgId, content: '改过' })
    expect((await sendText('member', '第一次', { nonce: 'again' })).msgId).toBe(first.msgId)
  })

  it('sent ten times at once is one message and one number', async () => {
    const seq = await lastSeq()
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => sendText('member', '同时', { nonce: 'race' })),
    )
    expect(new Set(answers.map(({ msgId }) => msgId)).size).toBe(1)
    expect(await lastSeq()).toBe(seq + 1)
    await world.app.appContext.bus.settled()
    expect(received).toHaveLength(1)
  })

  it('of another person, or in another channel, is another message; an empty one is never a repetition', async () => {
    const other = await newChannel('别处')
    const ids = [
      await sendText('member', 'x', { nonce: 'mine' }),
      await sendText('owner', 'x', { nonce: 'mine' }),
      await sendText('member', 'x', { nonce: 'mine', id: other }),
      await sendText('member', 'x', { nonce: '' }),
      await sendText('member', 'x', { nonce: '' }),
    ].map(({ msgId }) => msgId)
    expect(new Set(ids).size).toBe(5)
  })
})

describe('a shortcode', () => {
  it('is stored as its emoji, but not in code, in plain text, or when it is unknown', async () => {
    const content = ':smile: :tada: :nobody: `:smile:` \\:smile:'
    expect((await sendText('member', content)).message.content).toBe('😄 🎉 :nobody: `:smile:` \\:smile:')
    expect((await sendText('member', content, { type: 1 })).message.content).toBe(content)
  })
})

describe('mentions', () => {
  const met = (id: string) => `(met)${id}(met)`

  it('of someone who is no member, of a hidden channel and of what is no id stay as typed', async () => {
    const content = `${met(world.people.outsider.id)} ${met('99999999999999999999')} (chn)${world.backstage.id}(chn)`
    const { message } = await sendText('member', content)
    expect(message).toMatchObject({ mention: [], content })
    expect(message.kmarkdown).toMatchObject({
      raw_content: '用户不存在 用户不存在 #频道已删除',
      mention_part: [],
      channel_part: [],
    })
  })

  it('of everyone and of those online count only with the right to', async () => {
    const content = `${met('all')} ${met('here')}`
    expect((await sendText('member', content)).message).toMatchObject({
      mention_all: true,
      mention_here: true,
    })
    const user_id = world.people.member.id
    await commit(world.app.appContext, async (tx, emit) => {
      await sql`delete from membership_role where user_id = ${user_id}`.execute(tx)
      emit.guild(demo, memberUpdated, { user_id, nickname: '', roles: [] })
    })
    const { message } = await sendText('member', content)
    expect(message).toMatchObject({ mention_all: false, mention_here: false, content })
    expect(message.kmarkdown.raw_content).toBe('@全体成员 @在线成员')
  })

  it('of a role count when it may be mentioned, or with the right to mention all', async () => {
    const { rows } = await sql<{ role_id: number; mentionable: number; permissions: number }>`
      select role_id, mentionable, permissions from role where guild_id = ${demo} and role_id > 0`.execute(
      world.database.db,
    )
    const open = rows.find(({ mentionable }) => mentionable === 1)?.role_id ?? 0
    const closed = rows.find(({ permissions }) => permissions === permission.manage)?.role_id ?? 0
    const content = `(rol)${open}(rol) (rol)${closed}(rol) (rol)4294967295(rol)`
    expect((await sendText('member', content)).message.mention_roles).toEqual([open])
    expect((await sendText('owner', content)).message.mention_roles.toSorted()).toEqual(
      [open, closed].toSorted(),
    )
  })

  it.each([
    ['code', (text: string) => `\`${text}\``],
    ['a code block', (text: string) => `\`\`\`\n${text}\n\`\`\``],
  ])('inside %s are no mentions', async (_, wrap) => {
    const { message } = await sendText('owner', wrap(`${met(world.people.member.id)} ${met('all')}`))
    expect(message).toMatchObject({ mention: [], mention_all: false })
    expect(message.kmarkdown.mention_part).toEqual([])
  })

  it('in quotes, links and spoilers are mentions', async () => {
    const { member, muted } = world.people
    const content = `> ${met(member.id)}\n\n(spl)${met(muted.id)}(spl)\n---\n**加油** :smile:`
    const { message } = await sendText('owner', content)
    expect(message.mention).toEqual([member.id, muted.id])
    expect(message.kmarkdown.raw_content).toBe(`@${member.username}\n@${muted.username}\n加油 😄`)
  })

  it('of a plain text are those in the request, as old clients send them', async () => {
    const { member, owner } = world.people
    const content = `@${member.username}#${member.identify_num} @xx#${owner.id} @nobody#0000 #channel:${world.main.id}; @全体成员 ${met(member.id)}`
    const { message } = await sendText('owner', content, { type: 1 })
    expect(message).toMatchObject({ type: 1, content, mention_all: true })
    expect(message.mention.toSorted()).toEqual([member.id, owner.id].toSorted())
    expect(message.kmarkdown.raw_content).toBe(
      `@${member.username} @${owner.username} 用户不存在 #${world.main.name} @全体成员 ${met(member.id)}`,
    )
  })

  it('of members and channels keep the names they had', async () => {
    const { message } = await sendText(
      'owner',
      `${met(world.people.member.id)} 在 (chn)${world.main.id}(chn)`,
    )
    const { id, username, identify_num } = world.people.member
    expect(message).toMatchObject({
      mention: [id],
      kmarkdown: {
        raw_content: `@${username} 在 #${world.main.name}`,
        mention_part: [{ id, username, full_name: `${username}#${identify_num}` }],
        channel_part: [{ id: world.main.id, guild_id: demo, name: world.main.name }],
      },
    })
    await sql`update "user" set username = '改名了' where id = ${id}`.execute(world.database.db)
    expect((await newest()).kmarkdown.raw_content).toContain(username)
    await sql`update "user" set username = ${username} where id = ${id}`.execute(world.database.db)
    // Without a picture of their own they have the one that the server draws, as an author has it.
    const { author } = (await sendText('member', 'x')).message
    expect(author.avatar).toMatch(/^https?:.*\/avatars\//)
    expect(message.kmarkdown.mention_part[0]?.avatar).toBe(author.avatar)
  })

  it('have the pictures of people that were stored before everybody had one, in the message and in its quote', async () => {
    const { message: first } = await sendText('owner', met(world.people.member.id))
    const { message } = await sendText('owner', `${met(world.people.admin.id)} 旧`, { quote: first.id })
    const emptied = (part: string) => sql`jsonb_set(${sql.raw(part)}, '{mention_part,0,avatar}', '""')`
    await sql`update message set kmarkdown = ${emptied('kmarkdown')},
      quote = quote || jsonb_build_object('kmarkdown', ${emptied("quote->'kmarkdown'")},
        'author', quote->'author' || '{"avatar": "", "vip_avatar": ""}') where id = ${message.id}`.execute(
      world.database.db,
    )
    expect(await newest()).toEqual(message)
    // An edit tells everybody of the quote as it is stored.
    await world.as('owner').call(updateMessage, { msg_id: message.id, content: '新' })
    await world.app.appContext.bus.settled()
    expect(received.at(-1)?.body).toMatchObject({ content: '新', quote: message.quote })
  })

  it('of a member with a nickname have the nickname beside the username', async () => {
    const { id, username, identify_num } = world.people.member
    const call = (nickname: string) =>
      sql`update membership set nickname = ${nickname} where user_id = ${id} and guild_id = ${demo}`.execute(
        world.database.db,
      )
    await call('夜航船')
    const { message } = await sendText('owner', met(id))
    expect(message.kmarkdown).toMatchObject({
      raw_content: '@夜航船',
      mention_part: [{ id, username, full_name: `${username}#${identify_num}`, nickname: '夜航船' }],
    })
    await call('')
    const later = await sendText('owner', met(id))
    expect(later.message.kmarkdown.mention_part[0]).not.toHaveProperty('nickname')
  })
})

describe('history', () => {
  it('begins at the newest message when the anchor is null, empty or absent', async () => {
    const newest = async (route: Route, input: object) => {
      const page = (await world.as('admin').call(route, { page_size: 5, ...input })) as Message[]
      return page.map((it) => it.id)
    }
    const id = world.main.id
    const usual = await newest(history, { id })
    expect(usual).toHaveLength(5)
    for (const msgid of ['', 'null']) expect(await newest(history, { id, msgid })).toEqual(usual)
    expect(await newest(historyV2, { channel_id: id, msgid: 'null' })).toEqual(usual)
    expect(await world.as('outsider').refusal(historyV2, { channel_id: id })).toBe('forbidden')
    expect(await world.as('admin').refusal(history, { id, msgid: 'x' })).toBe('bad_input')
  })

  let room: ChannelId
  const COUNT = 1_000
  beforeAll(async () => {
    room = await newChannel('长谈')
    // Ten messages share each millisecond, with another channel's messages in between.
    await sql`
      with numbers as (select generate_series(1, ${COUNT}) as n), counter as (
        update guild_counter set event_seq = event_seq + ${COUNT * 2} where guild_id = ${demo} returning event_seq
      ), events as (
        insert into event_log (guild_id, seq, kind, body, at)
        select ${demo}, event_seq - ${COUNT * 2} + n, 'joined_guild', '{}', 0
        from generate_series(1, ${COUNT * 2}) as n, counter
      )
      insert into message (id, guild_id, channel_id, author_id, seq, kind, content, kmarkdown, create_at)
      select gen_random_uuid(), ${demo}, ${room}, ${world.people.owner.id}, event_seq - ${COUNT * 2} + n * 2, 'kmarkdown',
        'number ' || n, '{"raw_content":"","mention_part":[],"mention_role_part":[],"channel_part":[],"item_part":[]}',
        1700000000000 + n / 10
      from numbers, counter`.execute(world.database.db)
  })

  it('is refused to people who may not view the channel, and for an anchor of another channel', async () => {
    expect(await world.as(null).refusal(history, { id: room })).toBe('not_logged_in')
    expect(await world.as('outsider').refusal(history, { id: room })).toBe('forbidden')
    expect(await world.as('member').refusal(history, { id: world.backstage.id })).toBe('forbidden')
    const { id } = await newest()
    expect(await world.as('member').refusal(history, { id: room, msgid: id })).toBe('message.unknown')
    for (const wrong of [{ msgid: 'x' }, { page_size: 0 }, { page_size: 51 }, { page_size: 'all' }]) {
      expect(await world.as('member').refusal(history, { id: room, ...wrong })).toBe('bad_input')
    }
  })

  it.each([50, 33, 7])(
    'in pages of %i returns each of a thousand messages once, in order',
    async (page_size) => {
      const quoted: string[] = []
      for (let msgid: string | undefined; ; ) {
        const page: Message[] = await world.as('member').call(history, { id: room, page_size, msgid })
        quoted.unshift(...page.map(({ content }) => content))
        msgid = page[0]?.id
        if (page.length < page_size) break
      }
      expect(quoted).toEqual(Array.from({ length: COUNT }, (_, index) => `number ${index + 1}`))
    },
  )

  it('is read around a message, which is in the middle, and from there to the end', async () => {
    const ask = (more: object) => world.as('member').call(history, { id: room, ...more })
    const numbers = (page: Message[]) => page.map(({ content }) => Number(content.slice(7)))
    expect(await refusalOf(ask({ flag: 'sideways' }))).toBe('bad_input')
    expect(await refusalOf(ask({ flag: 'around', msgid: (await newest()).id }))).toBe('message.unknown')
    const anchor = (await ask({ page_size: 50 }))[0] as Message
    const around = await ask({ flag: 'around', msgid: anchor.id })
    expect(numbers(around)).toEqual(Array.from({ length: 50 }, (_, index) => 951 - 24 + index))
    const after = await ask({ flag: 'after', msgid: around.at(-1)!.id, page_size: 20 })
    expect(numbers(after)).toEqual(Array.from({ length: 20 }, (_, index) => 977 + index))
    const rest = await ask({ flag: 'after', msgid: after.at(-1)!.id })
    expect(numbers(rest)).toEqual([997, 998, 999, 1000])
    expect(await ask({ flag: 'after', msgid: rest.at(-1)!.id })).toEqual([])
  })

  it('shows no content of a deleted message in quotes of it', async () => {
    const quoted = await sendText('owner', '说漏嘴了')
    const content = JSON.stringify({ content: '我看到了', quote: quoted.msgId })
    const { message } = await world.as('member').call(sendToChannel, { id: world.main.id, content })
    expect(message.quote).toMatchObject({ content: '说漏嘴了', can_jump: true })
    await world.as('owner').call(deleteMessage, { msg_id: quoted.msgId })
    const latest = (await world.as('admin').call(history, { id: world.main.id, page_size: 1 }))[0]
    expect(latest?.quote).toMatchObject({ id: quoted.msgId, content: '', can_jump: false })
    const viewed = await world.as('admin').call(viewMessage, { msg_id: message.id })
    expect(JSON.stringify(viewed)).not.toContain('说漏嘴了')
    // Nor in the event of a later edit.
    await world.as('member').call(updateMessage, { msg_id: message.id, content: '我没看到' })
    expect((await newest()).quote).toMatchObject({ content: '', can_jump: false })
  })

  it('of an empty channel is empty', async () => {
    expect(await world.as('member').call(history, { id: await newChannel('空') })).toEqual([])
  })

  it('leaves out deleted messages, which can still be an anchor', async () => {
    const [before, deleted, after] = [
      await sendText('owner', '前'),
      await sendText('owner', '删'),
      await sendText('owner', '后'),
    ]
    await sql`update message set deleted_at = 1 where id = ${deleted.msgId}`.execute(world.database.db)
    const page = await world.as('member').call(history, { id: world.main.id, page_size: 2 })
    expect(page.map(({ id }) => id)).toEqual([before.msgId, after.msgId])
    const older = await world.as('member').call(history, {
      id: world.main.id,
      page_size: 1,
      msgid: deleted.msgId,
    })
    expect(older.map(({ id }) => id)).toEqual([before.msgId])
  })

  it('has the present names of authors, also of former members', async () => {
    const { msgId } = await sendText('admin', '走了')
    await sql`update membership set nickname = '老澈' where user_id = ${world.people.admin.id}`.execute(
      world.database.db,
    )
    expect((await newest()).author.nickname).toBe('老澈')
    await sql`delete from membership where user_id = ${world.people.admin.id}`.execute(world.database.db)
    const last = await newest()
    expect([last.id, last.author.nickname, last.author.roles]).toEqual([
      msgId,
      world.people.admin.username,
      [],
    ])
  })
})

it('a message whose event cannot be logged is not stored', async () => {
  const seq = await lastSeq()
  await sql`alter table event_log add constraint cut check (kind <> 'message') not valid`.execute(
    world.database.db,
  )
  const { status, body } = await refusedCall(sendText('owner', '半条', { nonce: 'half' }))
  await sql`alter table event_log drop constraint cut`.execute(world.database.db)
  expect([status, body.error, JSON.stringify(body)]).toEqual([
    500,
    'internal',
    expect.not.stringContaining('cut'),
  ])
  expect(await lastSeq()).toBe(seq)
  expect((await sendText('owner', '整条', { nonce: 'half' })).message).toMatchObject({
    content: '整条',
    seq: seq + 1,
  })
})

describe('mentions that the author may not make', () => {
  it('stay as typed, mention nobody, and are named in the answer of the public protocol', async () => {
    const all = '(met)all(met) (met)here(met) hello'
    const create = (name: PersonName) =>
      world.as(name).call(createMessage, { target_id: world.main.id, type: 9, content: all })
    expect((await create('member')).not_permissions_mention).toEqual(['all', 'here'])
    expect(await newest()).toMatchObject({ content: all, mention_all: false, mention_here: false })
    expect((await create('owner')).not_permissions_mention).toEqual([])
    expect(await newest()).toMatchObject({ mention_all: true, mention_here: true })
  })
})
