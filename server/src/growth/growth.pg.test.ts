import { beijingDay, dayNumber, dayStart } from '@guildhall/wire/beijing.ts'
import { deleteChannel } from '@guildhall/wire/channel/publicChannel.ts'
import { emojiToken, listGuildEmoji } from '@guildhall/wire/emoji/emoji.ts'
import { viewGrowth } from '@guildhall/wire/growth/growth.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import { joinGuild } from '@guildhall/wire/invite/invite.ts'
import { kickOut } from '@guildhall/wire/member/moderation.ts'
import { addReaction } from '@guildhall/wire/message/action.ts'
import { createMessage } from '@guildhall/wire/message/message.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Who } from '../testing/calls.ts'
import { clockAt } from '../testing/movedClock.ts'
import { openWorld, type TestWorld } from '../testing/world.ts'
import { countGrowth, trimGrowth } from './growth.ts'

let world: TestWorld
let demo: GuildId
/** Noon of Beijing, of tomorrow: the demo world is of today. */
const NOON = dayStart(dayNumber(Date.now()) + 1) + 12 * HOUR_MS
beforeAll(async () => {
  clockAt(NOON)
  world = await openWorld({}, undefined, { scheduledWork: false })
  demo = world.guilds[0]?.id as GuildId
})
afterAll(async () => {
  clockAt(null)
  await world.close()
})

const count = () => countGrowth(world.database.db)
const growth = (days = 7) => world.as('owner').call(viewGrowth, { guild_id: demo, days })
const today = async () => (await growth()).days.at(-1)!
const say = (who: Who, channelId = world.main.id) =>
  world.as(who).call(createMessage, { target_id: channelId, content: 'hello', type: 9 })

describe('the growth of a guild', () => {
  it('is not told to who does not manage it', async () => {
    expect(await world.as(null).refusal(viewGrowth, { guild_id: demo })).toBe('not_logged_in')
    expect(await world.as('outsider').refusal(viewGrowth, { guild_id: demo })).toBe('forbidden')
    expect(await world.as('member').refusal(viewGrowth, { guild_id: demo })).toBe('member.no_right')
    expect(await world.as('owner').refusal(viewGrowth, { guild_id: demo, days: 91 })).toBe('bad_input')
  })

  it('has the last days with today, and as many before', async () => {
    const answer = await growth(30)
    expect(answer.days.map(({ day }) => day).slice(-2)).toEqual([beijingDay(NOON - DAY_MS), beijingDay(NOON)])
    expect(answer.before.at(-1)?.day).toBe(beijingDay(NOON - 30 * DAY_MS))
    expect([answer.days.length, answer.before.length]).toEqual([30, 30])
  })

  it('counts who comes by which invite, and who goes', async () => {
    const before = await growth()
    await world.as('outsider').call(joinGuild, { code: world.invite })
    // Who is a member already does not come once more.
    await world.as('outsider').call(joinGuild, { code: world.invite })
    const after = await growth()
    expect(after.members).toBe(before.members + 1)
    expect(after.days.at(-1)).toMatchObject({ joins: 1, leaves: 0 })
    expect(after.invites).toMatchObject([{ code: world.invite, joins: 1 }])
    await world.as('owner').call(kickOut, { guild_id: demo, target_id: world.idOf('outsider') })
    expect(await today()).toMatchObject({ joins: 1, leaves: 1 })
  })

  it('counts messages and the people who wrote, once however often they are counted', async () => {
    await count()
    const before = await today()
    await say('member')
    await say('member')
    await say('owner', world.backstage.id)
    clockAt(NOON + MINUTE_MS)
    await Promise.all([count(), count(), count()])
    expect(await today()).toMatchObject({ messages: before.messages + 3, active: 2 })
    await say('member')
    clockAt(NOON + 2 * MINUTE_MS)
    await count()
    expect(await today()).toMatchObject({ messages: before.messages + 4, active: 2 })
  })

  it('counts how often the emoji of a guild are used, in words and as reactions', async () => {
    const emoji = async () => (await world.as('member').call(listGuildEmoji, { guild_id: demo })).items[0]!
    const { uses, id, name } = await emoji()
    const token = emojiToken({ id, name })
    const { msg_id } = await world
      .as('member')
      .call(createMessage, { target_id: world.main.id, content: `${token} and ${token}`, type: 9 })
    await world.as('owner').call(addReaction, { msg_id, emoji: id })
    // What looks like one and is none, is not counted.
    await world.as('member').call(createMessage, {
      target_id: world.main.id,
      content: '(emj)x(emj)[1/none]',
      type: 9,
    })
    clockAt(NOON + 3 * MINUTE_MS)
    await count()
    await count()
    expect((await emoji()).uses).toBe(uses + 3)
  })

  it('shows channels that one may view alone; one that was deleted stays in the sum', async () => {
    await count()
    const { channels, days } = await growth()
    const main = channels.find(({ id }) => id === world.main.id)
    expect(main?.messages.at(-1)).toBe(5)
    await world.as('owner').call(deleteChannel, { channel_id: world.backstage.id })
    const after = await growth()
    expect(after.channels.map(({ id }) => id)).not.toContain(world.backstage.id)
    expect(after.days.at(-1)?.messages).toBe(days.at(-1)?.messages)
  })
})

describe('a day that is over', () => {
  it('is counted to its end, also by a server that was away', async () => {
    await say('member')
    const sent = (await today()).messages
    clockAt(NOON + 3 * DAY_MS)
    await count()
    const { days } = await growth()
    expect(days.find(({ day }) => day === beijingDay(NOON))).toMatchObject({
      messages: sent + 1,
      active: 2,
    })
    expect(days.at(-1)).toMatchObject({ messages: 0, active: 0, joins: 0 })
  })

  it('is not counted twice after the clock went back', async () => {
    clockAt(NOON + 2 * DAY_MS)
    await say('member')
    await count()
    clockAt(NOON + 3 * DAY_MS + MINUTE_MS)
    await say('member')
    clockAt(NOON + 3 * DAY_MS + 2 * MINUTE_MS)
    await count()
    expect((await today()).messages).toBe(1)
  })

  it('is forgotten when it is longer ago than is shown, and its people before', async () => {
    await trimGrowth(world.database.db)
    const { db } = world.database
    const { rows: people } = await sql`select from author_day where day = ${beijingDay(NOON)}`.execute(db)
    expect(people).toEqual([])
    clockAt(NOON + 200 * DAY_MS)
    while ((await trimGrowth(db)) > 0);
    for (const table of ['member_day', 'invite_day', 'channel_day', 'author_count', 'emoji_day']) {
      const { rows } = await sql`select from ${sql.table(table)}`.execute(db)
      expect(rows, table).toEqual([])
    }
  })
})
