import { viewGuild } from '@guildhall/wire/channel/channel.ts'
import type { ChannelId, GuildId } from '@guildhall/wire/id.ts'
import { joinGuild } from '@guildhall/wire/invite/invite.ts'
import { addReaction, listMessages } from '@guildhall/wire/message/action.ts'
import { createMessage, history } from '@guildhall/wire/message/message.ts'
import { listUnread } from '@guildhall/wire/message/readMark.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { setWelcomeChannel } from '../../guild/guild.ts'
import type { LiveEvent } from '../../kit/events/bus.ts'
import { commit } from '../../kit/events/events.ts'
import { leave } from '../../member/member.ts'
import { openWorld, type TestWorld } from '../../testing/world.ts'

let world: TestWorld
let demo: GuildId
let received: LiveEvent[] = []
beforeAll(async () => {
  world = await openWorld()
  demo = world.guilds[0]?.id as GuildId
  world.app.appContext.bus.subscribe((event) => received.push(event))
})
beforeEach(async () => {
  await commit(world.app.appContext, (tx, emit) => leave(tx, emit, demo, world.people.outsider.id))
  await welcomeIn(world.main.id)
  await forgetJoins()
  // An earlier welcome message makes room for the next one only as the newest message.
  await speak()
  await world.app.appContext.bus.settled()
  received = []
})
afterAll(() => world?.close())

const welcomeIn = (channelId: ChannelId | null) =>
  commit(world.app.appContext, (tx, emit) => setWelcomeChannel(tx, emit, demo, channelId))
const forgetJoins = () =>
  sql`delete from attempt where name like 'joins %' or name like 'welcomes %'`.execute(world.database.db)
const speak = () => world.as('owner').call(createMessage, { target_id: world.main.id, content: '有人吗' })
const leaveDemo = () =>
  commit(world.app.appContext, (tx, emit) => leave(tx, emit, demo, world.people.outsider.id))
const join = () => world.as('outsider').call(joinGuild, { code: world.invite })
const inGuild = async () => {
  await world.app.appContext.bus.settled()
  return received.filter((event) => event.to === 'guild')
}
const welcomes = async () =>
  (await world.as('owner').call(history, { id: world.main.id })).filter(({ type }) => type === 7)

describe('no welcome message is sent', () => {
  it('for a person who is a member already', async () => {
    const before = await welcomes()
    await world.as('member').call(joinGuild, { code: world.invite })
    expect(await welcomes()).toEqual(before)
    expect(await inGuild()).toEqual([])
  })

  it('for somebody who joins and leaves in a loop, who is refused before long', async () => {
    const before = (await welcomes()).length
    const answers = []
    for (let n = 0; n < 7; n += 1) {
      answers.push(await world.as('outsider').refusal(joinGuild, { code: world.invite }))
      await leaveDemo()
    }
    expect(answers).toEqual([...Array.from({ length: 5 }, () => 'none'), 'too_many', 'too_many'])
    expect(await welcomes()).toHaveLength(before + 1)
    expect(await world.as('member').refusal(joinGuild, { code: world.invite })).toBe('none')
  })

  it('without a welcome channel, in a deleted channel, or in one that is no text channel', async () => {
    const { id, name } = world.guilds[1]!
    expect(await world.as('owner').call(viewGuild, { id })).toMatchObject({ name, welcome_channel_id: '0' })
    const silent = async (channelId: ChannelId | null) => {
      await welcomeIn(channelId)
      await inGuild()
      received = []
      expect(await join()).toMatchObject({ joined_now: true })
      expect((await inGuild()).map(({ kind }) => kind)).toEqual(['joined_guild'])
      await commit(world.app.appContext, (tx, emit) => leave(tx, emit, demo, world.people.outsider.id))
    }
    await silent(null)
    await silent(world.voice.id)
    const { rows } = await sql<{ id: ChannelId }>`
      insert into channel (guild_id, user_id, name, type, created_at, deleted_at)
      values (${demo}, ${world.people.owner.id}, '没了', 1, 1, 1) returning id`.execute(world.database.db)
    await silent(rows[0]!.id)
  })
})

describe('a person who joins by an invite is welcomed', () => {
  it('once, after the event of the new member, also when they join twice at once', async () => {
    const joined = await Promise.all([join(), join(), join()])
    expect(joined.filter((it) => it.joined_now)).toHaveLength(1)
    const events = await inGuild()
    expect(events.map(({ kind }) => kind)).toEqual(['joined_guild', 'message'])
    expect(events[1]!.seq).toBe(events[0]!.seq + 1)
    const newest = (await welcomes()).at(-1)!
    expect(newest).toMatchObject({
      type: 7,
      seq: events[1]!.seq,
      content: `欢迎 ${world.people.outsider.username} 加入`,
      nonce: '',
      author: { id: world.people.outsider.id, nickname: world.people.outsider.username, roles: [] },
      mention: [],
      mention_all: false,
      channel_id: world.main.id,
    })
    expect((events[1]!.body as { message: unknown }).message).toEqual(newest)
  })

  it('by others, too: a wave is a reaction to it, and is counted', async () => {
    await join()
    const { id } = (await welcomes()).at(-1)!
    await world.as('member').call(addReaction, { msg_id: id, emoji: '👋' })
    await world.as('owner').call(addReaction, { msg_id: id, emoji: '👋' })
    expect((await welcomes()).at(-1)?.reactions).toEqual([
      { emoji: { id: '[#128075;]', name: '👋' }, count: 2, me: true },
    ])
  })

  it('once a day, however often they leave and join again', async () => {
    const before = (await welcomes()).length
    for (let n = 0; n < 3; n += 1) {
      await join()
      await leaveDemo()
    }
    expect(await welcomes()).toHaveLength(before + 1)
  })

  it('again on another day, and the earlier one goes when nobody has spoken since', async () => {
    const before = (await welcomes()).length
    await join()
    await leaveDemo()
    await forgetJoins()
    await join()
    expect(await welcomes()).toHaveLength(before + 1)
    await leaveDemo()
    await forgetJoins()
    await speak()
    await join()
    expect(await welcomes()).toHaveLength(before + 2)
  })

  it('and does not count as unread for themselves: others have one unread message more, without a mention', async () => {
    const unread = async (who: 'admin' | 'outsider') =>
      (await world.as(who).call(listUnread, { guild_id: demo })).find(
        ({ channel_id }) => channel_id === world.main.id,
      )!
    const before = await unread('admin')
    await join()
    expect(await unread('outsider')).toMatchObject({ unread_count: 0, mention_count: 0 })
    const after = await unread('admin')
    expect(after.mention_count).toBe(before.mention_count)
    expect(after.unread_count).toBe(before.unread_count + 1)
  })

  it('in the guild’s welcome channel, and bots receive it with its text', async () => {
    expect(await world.as('owner').call(viewGuild, { id: demo })).toMatchObject({
      welcome_channel_id: world.main.id,
    })
    await join()
    const { items } = await world.as('owner').call(listMessages, { target_id: world.main.id, page_size: 1 })
    expect(items[0]).toMatchObject({ type: 7, mention_info: { raw_content: items[0]!.content } })
  })
})

it('concurrent joins and sends are numbered in one order without holes', async () => {
  const { db } = world.database
  const before = await welcomes()
  await inGuild()
  received = []
  const talk = Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      world.as('owner').call(createMessage, { target_id: world.main.id, content: `${at}` }),
    ),
  )
  await Promise.all([join(), talk])
  const numbers = (await inGuild()).map(({ seq }) => seq)
  expect(numbers).toEqual(numbers.map((_, at) => numbers[0]! + at))
  expect(await welcomes()).toHaveLength(before.length + 1)
  const { rows } = await sql<{ seq: number; known: number }>`
    select message.seq::float8 as seq, event_log.seq::float8 as known from message
    left join event_log using (guild_id, seq) where message.guild_id = ${demo} and message.kind = 'welcome'`.execute(
    db,
  )
  expect(rows.every(({ seq, known }) => seq === known)).toBe(true)
})
