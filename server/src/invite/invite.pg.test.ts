import { listGuilds } from '@guildhall/wire/guild/guild.ts'
import type { ChannelId, GuildId, UserId } from '@guildhall/wire/id.ts'
import { joinGuild, viewInvite } from '@guildhall/wire/invite/invite.ts'
import { viewInviteV2 } from '@guildhall/wire/invite/inviteCard.ts'
import { HOUR_MS } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { setPassword } from '../auth/auth.ts'
import { clock, replaceClock } from '../kit/clock.ts'
import { transaction } from '../kit/database/db.ts'
import type { LiveEvent } from '../kit/events/bus.ts'
import { commit } from '../kit/events/events.ts'
import { ban } from '../member/moderationSql.ts'
import { openWorld, type TestWorld } from '../testing/world.ts'
import { register } from '../user/user.ts'
import { createInvite, joinByInvite } from './invite.ts'

let world: TestWorld
let demo: GuildId
let received: LiveEvent[] = []
beforeAll(async () => {
  world = await openWorld()
  demo = world.guilds[0]?.id as GuildId
  world.app.appContext.bus.subscribe((event) => received.push(event))
})
beforeEach(async () => {
  // Events of the previous test may still be in flight.
  await world.app.appContext.bus.settled()
  received = []
})
afterAll(() => world.close())

const invite = (
  more: { channelId?: ChannelId; expiresInMs?: number; uses?: number; guildId?: GuildId } = {},
) =>
  transaction(world.database.db, (tx) =>
    createInvite(tx, {
      guildId: demo,
      channelId: null,
      userId: world.people.owner.id,
      expiresInMs: null,
      uses: null,
      ...more,
    }),
  ).then(({ code }) => code)

let people = 0
async function newcomer(): Promise<UserId> {
  people += 1
  const mobile = String(13_600_000_000 + people)
  const { user } = await transaction(world.database.db, (tx) =>
    register(tx, {
      prefix: '86',
      mobile,
      verified: true,
      makeName: () => '新人',
    }),
  )
  return user.id
}

const members = async (guildId = demo) =>
  (
    await sql<{ n: number }>`select count(*)::int as n from membership where guild_id = ${guildId}`.execute(
      world.database.db,
    )
  ).rows[0]?.n ?? 0
const uses = async (code: string) =>
  (await sql<{ uses: number }>`select uses from invite where code = ${code}`.execute(world.database.db))
    .rows[0]?.uses

describe('an invite cannot be used', () => {
  it('when it does not exist, whatever its code', async () => {
    for (const id of ['nosuch', 'ABCDEF', '0'.repeat(32)]) {
      expect(await world.as(null).refusal(viewInvite, { id })).toBe('invite.invalid')
      expect(await world.as('outsider').refusal(joinGuild, { id })).toBe('invite.invalid')
    }
    for (const id of ["x' or 1=1 --", '<script>', '', 'short']) {
      expect(await world.as(null).refusal(viewInvite, { id })).toBe('bad_input')
    }
    expect(await world.as('outsider').refusal(joinGuild, {})).toBe('invite.invalid')
  })

  it('when its letters are written in another case', async () => {
    const code = world.invite
    const other = [...code].map((c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase())).join('')
    if (other !== code) expect(await world.as(null).refusal(viewInvite, { id: other })).toBe('invite.invalid')
  })

  it('by a guest', async () => {
    expect(await world.as(null).refusal(joinGuild, { id: world.invite })).toBe('not_logged_in')
  })

  it('after it has expired', async () => {
    const code = await invite({ expiresInMs: HOUR_MS })
    const token = await world.tokenOf('outsider')
    const now = Date.now()
    const restore = replaceClock(() => now + HOUR_MS)
    try {
      expect(await world.as(null).refusal(viewInvite, { id: code })).toBe('invite.expired')
      expect(await world.as(null).refusal(viewInviteV2, { code })).toBe('invite.expired')
      expect(await world.as({ token }).refusal(joinGuild, { id: code })).toBe('invite.expired')
    } finally {
      restore()
    }
  })

  it('after its last use, and those who joined by it still see it', async () => {
    const code = await invite({ uses: 1 })
    const first = await newcomer()
    await joinByInvite(world.app.appContext, first, code)
    expect(await world.as(null).refusal(viewInvite, { id: code })).toBe('invite.full')
    expect(await world.as('outsider').refusal(joinGuild, { code })).toBe('invite.full')
    expect((await world.as('member').call(viewInvite, { id: code })).joined).toBe(true)
  })

  it('by someone who was banned', async () => {
    const banned = await newcomer()
    await transaction(world.database.db, (tx) =>
      ban(tx, {
        guildId: demo,
        userId: banned,
        operatorId: world.idOf('owner'),
        remark: '',
        now: clock.now(),
      }),
    )
    const before = await members()
    await expect(joinByInvite(world.app.appContext, banned, world.invite)).rejects.toThrow('guild.banned')
    expect(await members()).toBe(before)
  })

  it('after its guild is gone', async () => {
    const guildId = world.guilds[2]?.id as GuildId
    const code = await invite({ guildId })
    await sql`update guild set deleted_at = 1 where id = ${guildId}`.execute(world.database.db)
    expect(await world.as(null).refusal(viewInvite, { id: code })).toBe('invite.invalid')
    expect(await world.as('outsider').refusal(joinGuild, { id: code })).toBe('invite.invalid')
    await sql`update guild set deleted_at = null where id = ${guildId}`.execute(world.database.db)
  })
})

describe('an invite shows', () => {
  it('the same to a guest in both dialects: the inviter, the guild and the counts', async () => {
    const seen = await world.as(null).call(viewInvite, { id: world.invite })
    expect(seen).toEqual(await world.as(null).call(viewInviteV2, { code: world.invite }))
    expect(seen).toMatchObject({
      guild: { id: demo, name: world.guilds[0]?.name, online_count: 0, members_count: await members() },
      inviter: { username: world.people.owner.username },
      channel: { id: world.main.id, name: world.main.name, type: 1, joined: false },
      joined: false,
      type: 'guild',
    })
    expect(seen).not.toHaveProperty('user_id')
  })

  it('what the guild says of itself, and its banner', async () => {
    await sql`update guild set topic = '看星星', banner = '/banner.png' where id = ${demo}`.execute(
      world.database.db,
    )
    const { guild } = await world.as(null).call(viewInvite, { id: world.invite })
    expect(guild).toMatchObject({ desc: '看星星', banner: '/banner.png' })
  })

  it('its guild to a guest whose token is no longer valid', async () => {
    const seen = await world
      .as({ token: 'a-token-that-was-revoked-long-ago' })
      .call(viewInvite, { id: world.invite })
    expect(seen.joined).toBe(false)
  })

  it('its channel only to a viewer who can see it', async () => {
    const code = await invite({ channelId: world.backstage.id })
    for (const name of [null, 'outsider', 'member'] as const) {
      expect((await world.as(name).call(viewInvite, { id: code })).channel).toBeNull()
    }
    const seen = await world.as('admin').call(viewInvite, { id: code })
    expect(seen).toMatchObject({
      type: 'channel',
      channel: { id: world.backstage.id, joined: true },
      joined: true,
    })
    expect(seen.user_id).toBe(world.people.admin.id)
  })
})

describe('joining', () => {
  it('by twenty people at once with one use left succeeds for one', async () => {
    const code = await invite({ uses: 1 })
    const twenty = await Promise.all(Array.from({ length: 20 }, newcomer))
    const before = await members()
    const outcomes = await Promise.allSettled(
      twenty.map((id) => joinByInvite(world.app.appContext, id, code)),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ failure: 'invite.full' })
    }
    expect([await members(), await uses(code)]).toEqual([before + 1, 1])
  })

  it('ten times at once joins once, takes one use and emits one event', async () => {
    const code = await invite({ uses: 5 })
    const person = await newcomer()
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, () => joinByInvite(world.app.appContext, person, code)),
    )
    expect(outcomes.filter(({ joined_now }) => joined_now)).toHaveLength(1)
    expect(await uses(code)).toBe(1)
    await world.app.appContext.bus.settled()
    expect(received.filter(({ kind }) => kind === 'joined_guild')).toHaveLength(1)
  })

  it('by two invites at once uses one of them', async () => {
    const [a, b] = [await invite({ uses: 5 }), await invite({ uses: 5 })]
    const person = await newcomer()
    await Promise.all([a, b].map((code) => joinByInvite(world.app.appContext, person, code)))
    expect(((await uses(a)) ?? 0) + ((await uses(b)) ?? 0)).toBe(1)
  })

  it('emits to the guild and to the person, and returns the channel', async () => {
    const before = await members()
    const answer = await world.as('outsider').call(joinGuild, { id: world.invite })
    expect(answer).toEqual({ id: demo, guild_id: demo, channel_id: world.main.id, joined_now: true })
    await world.app.appContext.bus.settled()
    expect(received).toMatchObject([
      { to: 'guild', guildId: demo, kind: 'joined_guild', body: { user_id: world.people.outsider.id } },
      { to: 'guild', guildId: demo, kind: 'message', channelId: world.main.id },
      { to: 'person', userId: world.people.outsider.id, kind: 'self_joined_guild', body: { guild_id: demo } },
    ])
    const again = await world.as('outsider').call(joinGuild, { code: world.invite })
    expect(again).toEqual({ ...answer, joined_now: false })
    expect(await members()).toBe(before + 1)
    expect((await world.as('outsider').call(listGuilds)).map(({ id }) => id)).toEqual([demo])
  })

  it('by an invite to a channel one may not see leads to the default one', async () => {
    const code = await invite({ channelId: world.backstage.id })
    expect((await joinByInvite(world.app.appContext, await newcomer(), code)).channel_id).toBe(world.main.id)
  })

  it('that fails halfway leaves no member, no used invite and no event', async () => {
    const code = await invite({ uses: 2 })
    const person = await newcomer()
    const before = await members()
    // The last step of the transaction, taking the guild's next number, fails.
    await sql`alter table event_log add constraint cut check (kind <> 'joined_guild') not valid`.execute(
      world.database.db,
    )
    await expect(joinByInvite(world.app.appContext, person, code)).rejects.toThrow('cut')
    await sql`alter table event_log drop constraint cut`.execute(world.database.db)
    expect([await members(), await uses(code)]).toEqual([before, 0])
    await world.app.appContext.bus.settled()
    expect(received).toEqual([])
    expect((await joinByInvite(world.app.appContext, person, code)).joined_now).toBe(true)
  })
})

it('joining has no effect when the database cuts the connection in the middle', async () => {
  const person = await newcomer()
  const before = await members()
  const cut = commit(world.app.appContext, async (tx, emit) => {
    const { join } = await import('../member/member.ts')
    await join(tx, emit, demo, person)
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
    await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(world.database.db)
  })
  await expect(cut).rejects.toThrow()
  expect(await members()).toBe(before)
  await setPassword(world.database.db, person, 'still works 1')
})
