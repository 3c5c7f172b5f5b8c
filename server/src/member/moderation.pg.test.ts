import { viewGuild } from '@guildhall/wire/channel/channel.ts'
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import { joinGuild } from '@guildhall/wire/invite/invite.ts'
import {
  createBan,
  createMute,
  deleteBan,
  deleteMute,
  isNickname,
  kickOut,
  listBans,
  listMutes,
  muteType,
  setNickname,
} from '@guildhall/wire/member/moderation.ts'
import { addReaction, deleteMessage, updateMessage } from '@guildhall/wire/message/action.ts'
import { history, sendToChannel } from '@guildhall/wire/message/message.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import type { Route } from '@guildhall/wire/route.ts'
import { DAY_MS, MINUTE_MS } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { PersonName } from '../demo/world.ts'
import { replaceClock } from '../kit/clock.ts'
import type { LiveEvent } from '../kit/events/bus.ts'
import { commit } from '../kit/events/events.ts'
import { addRole, giveRole } from '../role/role.ts'
import { type Call, Refused, refusalOf } from '../testing/calls.ts'
import { openWorld, type TestWorld } from '../testing/world.ts'
import { register } from '../user/user.ts'
import { createGuild, join, leave } from './member.ts'
import { endMutes } from './moderation.ts'

let world: TestWorld
const seen: LiveEvent[] = []
let restore = () => {}
beforeAll(async () => {
  world = await openWorld()
  world.app.appContext.bus.subscribe((event) => void seen.push(event))
})
afterEach(() => restore())
afterAll(() => world.close())

const demo = () => world.guilds[0]!.id as GuildId
async function eventsOf(act: () => Promise<unknown>): Promise<unknown[]> {
  await world.app.appContext.bus.settled()
  seen.length = 0
  await act()
  await world.app.appContext.bus.settled()
  return seen.filter(({ to }) => to === 'guild').map(({ kind, body }) => [kind, body])
}
const at = (ms: number) => {
  restore()
  restore = replaceClock(() => ms)
}

describe('who may act on whom', () => {
  /** Ranks from high to low; those of one number stand beside each other. */
  const rank = { owner: 0, boss: 1, guard: 2, peer: 2, helper: 3, plain: 9, bystander: 9 }
  type Person = keyof typeof rank
  const people = Object.keys(rank) as Person[]
  const acts = {
    nickname: { route: setNickname, right: permission.manage_nickname, input: { nickname: '小名' } },
    kick: { route: kickOut, right: permission.remove_member, input: {} },
    mic: { route: createMute, right: permission.mute_member, input: { type: 1 } },
    headset: { route: createMute, right: permission.deafen_member, input: { type: 2 } },
    write: { route: createMute, right: permission.mute_member, input: { type: 3 } },
    speak: { route: deleteMute, right: permission.mute_member, input: { type: 3 } },
    ban: { route: createBan, right: permission.ban_member, input: {} },
  } as const satisfies Record<string, { route: Route; right: number; input: object }>
  const calls = new Map<Person | 'outsider', { readonly id: UserId; readonly call: Call }>()
  let guild: GuildId
  const roles = new Map<Person, number>()

  beforeAll(async () => {
    const { createHash } = await import('node:crypto')
    for (const [index, name] of [...people, 'outsider' as const].entries()) {
      const { user } = await commit(world.app.appContext, (tx) =>
        register(tx, {
          prefix: '86',
          mobile: String(13_400_000_000 + index),
          verified: true,
          makeName: () => name,
        }),
      )
      const token = `token-of-${name}-for-acts`
      const hash = createHash('sha256').update(token).digest()
      await sql`insert into session (id, token_hash, user_id, remember, created_at, seen_at)
        values (gen_random_uuid(), ${hash}, ${user.id}, true, ${Date.now()}, ${Date.now()})`.execute(
        world.database.db,
      )
      calls.set(name, { id: user.id, call: world.as({ token }).call })
    }
    await commit(world.app.appContext, async (tx, emit) => {
      guild = await createGuild(tx, emit, { name: '等级', ownerId: calls.get('owner')!.id })
      for (const name of ['boss', 'guard', 'helper'] as const) {
        const it = { name, color: 0, hoist: 0, mentionable: 0, permissions: 0 }
        roles.set(name, (await addRole(tx, guild, it)).role_id)
      }
      roles.set('peer', roles.get('guard')!)
      await sql`update role set permissions = 0 where guild_id = ${guild}`.execute(tx)
    })
    await everybodyIn()
  })

  /** Everybody is a member again, with their role, unmuted and not banned. */
  const everybodyIn = () =>
    commit(world.app.appContext, async (tx, emit) => {
      await sql`delete from ban where guild_id = ${guild}`.execute(tx)
      await sql`delete from guild_mute where guild_id = ${guild}`.execute(tx)
      for (const name of people) {
        const { id } = calls.get(name)!
        await join(tx, emit, guild, id)
        const role = roles.get(name)
        if (role !== undefined) await giveRole(tx, emit, guild, id, role)
      }
    })
  const allow = (name: Person, right: number) =>
    sql`update role set permissions = ${right} where guild_id = ${guild} and role_id = ${roles.get(name) ?? 0}`.execute(
      world.database.db,
    )

  it.each(Object.keys(acts) as (keyof typeof acts)[])(
    '%s: only with the right, and only on those below',
    async (name) => {
      const { route, right, input } = acts[name]
      const all = Object.values(acts).reduce((mask, each) => mask | each.right, 0)
      for (const actor of [...people, 'outsider'] as const) {
        for (const grant of ['none', 'others', 'right', 'manage'] as const) {
          if (actor !== 'outsider' && actor !== 'owner')
            await allow(actor, { none: 0, others: all & ~right, right, manage: permission.manage }[grant])
          for (const target of people) {
            const targetId = calls.get(target)!.id
            const found = await refusalOf(
              calls
                .get(actor)!
                .call(route, { guild_id: guild, user_id: targetId, target_id: targetId, ...input }),
            )
            const isOwnName = name === 'nickname' && actor === target
            // Everyone's role gives `plain` and `bystander` their rights, and one's own name needs another
            // one.
            const holds = actor === 'owner' || grant === 'manage' || (grant === 'right' && !isOwnName)
            const wanted =
              actor === 'outsider'
                ? 'forbidden'
                : !holds
                  ? 'member.no_right'
                  : isOwnName || rank[actor] < rank[target]
                    ? 'none'
                    : 'member.above'
            expect([name, actor, grant, target, found]).toEqual([name, actor, grant, target, wanted])
            if (found === 'none') await everybodyIn()
          }
          if (actor !== 'outsider' && actor !== 'owner') await allow(actor, 0)
        }
      }
    },
    60_000,
  )

  it('the lists of mutes and bans are for those who make them', async () => {
    for (const [route, right] of [
      [listMutes, permission.mute_member],
      [listMutes, permission.deafen_member],
      [listBans, permission.ban_member],
    ] as const) {
      await allow('helper', 0)
      expect(await refusalOf(calls.get('helper')!.call(route, { guild_id: guild }))).toBe('member.no_right')
      expect(await refusalOf(calls.get('outsider')!.call(route, { guild_id: guild }))).toBe('forbidden')
      await allow('helper', right)
      expect(await refusalOf(calls.get('helper')!.call(route, { guild_id: guild }))).toBe('none')
    }
  })

  it('a ban ends only with the right', async () => {
    await allow('helper', 0)
    const plain = calls.get('plain')!.id
    const input = { guild_id: guild, target_id: plain }
    expect(await refusalOf(calls.get('helper')!.call(deleteBan, input))).toBe('member.no_right')
  })
})

describe('nicknames', () => {
  it.each(['啊', 'x'.repeat(65), 'a\u202eb', 'a\nb'])('%j is none', (name) =>
    expect(isNickname(name)).toBe(false),
  )

  it('a wrong one is refused under its field, and one of somebody who is no member', async () => {
    const input = { guild_id: demo(), nickname: '啊' }
    const refused = await world
      .as('owner')
      .call(setNickname, input)
      .catch((input: Refused) => input)
    expect(refused instanceof Refused && refused.failure).toBe('member.nickname_wrong')
    const other = { ...input, nickname: '阿宁宁', user_id: world.idOf('outsider') }
    expect(await world.as('owner').refusal(setNickname, other)).toBe('guild.not_member')
  })

  it('is changed, shown, and cleared by an empty one', async () => {
    const rename = (nickname?: string) => world.as('member').call(setNickname, { guild_id: demo(), nickname })
    expect(await eventsOf(() => rename('枝枝'))).toEqual([
      ['updated_guild_member', expect.objectContaining({ user_id: world.idOf('member'), nickname: '枝枝' })],
    ])
    expect((await world.as('member').call(viewGuild, { id: demo() })).user_config.nickname).toBe('枝枝')
    await rename('')
    expect((await world.as('member').call(viewGuild, { id: demo() })).user_config.nickname).toBe('')
  })
})

describe('who may not write', () => {
  const say = (name: PersonName = 'member') =>
    world.as(name).call(sendToChannel, { id: world.main.id, content: '说点什么' })
  const silence = (more: object = {}) =>
    world.as('owner').call(createMute, {
      guild_id: demo(),
      user_id: world.idOf('member'),
      type: muteType.write,
      ...more,
    })

  it('is refused with when it ends, and may write again the moment it ends', async () => {
    const now = Date.now()
    at(now)
    const sent = await say()
    await eventsOf(() => silence({ duration: 600 })).then((events) =>
      expect(events).toEqual([
        [
          'add_guild_mute',
          { user_id: world.idOf('member'), guild_id: demo(), type: 3, ends_at: now + 10 * MINUTE_MS },
        ],
      ]),
    )
    const refused = await say().catch((input: Refused) => input)
    if (!(refused instanceof Refused)) throw new Error('it was sent')
    expect([refused.failure, refused.body.data?.extra]).toMatchObject([
      'message.muted',
      { ends_at: now + 10 * MINUTE_MS, minutes: 10 },
    ])
    expect((await world.as('member').call(viewGuild, { id: demo() })).user_config.muted_until).toBe(
      now + 10 * MINUTE_MS,
    )
    const msg_id = sent.message?.id ?? sent.msgId
    expect(await world.as('member').refusal(updateMessage, { msg_id, content: '改' } as never)).toBe(
      'message.muted',
    )
    expect(await world.as('member').refusal(addReaction, { msg_id, emoji: '👍' } as never)).toBe(
      'message.muted',
    )
    expect(await world.as('member').refusal(deleteMessage, { msg_id } as never)).toBe('none')
    at(now + 10 * MINUTE_MS)
    expect(await refusalOf(say())).toBe('none')
    expect((await world.as('member').call(viewGuild, { id: demo() })).user_config.muted_until).toBeUndefined()
  })

  it('is told once when it has ended, and a longer mute is not ended by the job of a shorter one', async () => {
    const now = Date.now() + DAY_MS
    at(now)
    await silence({ duration: 60 })
    await silence({ duration: 120 })
    at(now + 61_000)
    const end = () => endMutes(world.app.appContext, demo(), world.idOf('member'))
    expect(await eventsOf(end)).toEqual([])
    at(now + 120_000)
    expect(await eventsOf(end)).toEqual([
      ['delete_guild_mute', { user_id: world.idOf('member'), guild_id: demo(), type: 3 }],
    ])
    expect(await eventsOf(end)).toEqual([])
  })

  it('is told of the end by a job of that moment', async () => {
    at(Date.now())
    await silence({ duration: 600 })
    const { rows } = await sql<{ wait: number }>`
      select extract(epoch from start_after - created_on)::float8 as wait from jobs.job
      where name = 'end-mutes' and data->>'user_id' = ${world.idOf('member')}
      order by created_on desc limit 1`.execute(world.database.db)
    expect(Math.round(rows[0]!.wait)).toBe(600)
  })

  it('stays so without an end, after leaving and coming back, until it is taken back', async () => {
    await silence()
    await commit(world.app.appContext, async (tx, emit) => {
      await leave(tx, emit, demo(), world.idOf('member'))
      await join(tx, emit, demo(), world.idOf('member'))
    })
    expect(await refusalOf(say())).toBe('message.muted_endlessly')
    expect(await world.as('owner').call(listMutes, { guild_id: demo(), return_type: 'detail' })).toEqual({
      users: [expect.objectContaining({ id: world.idOf('member'), username: '南枝' })],
      mic: { type: 1, user_ids: [] },
      headset: { type: 2, user_ids: [] },
      write: {
        type: 3,
        user_ids: [world.idOf('member')],
        ends_at: [{ user_id: world.idOf('member'), ends_at: 0 }],
      },
    })
    expect(await world.as('owner').call(listMutes, { guild_id: demo() })).toEqual({
      1: [],
      2: [],
      3: [world.idOf('member')],
    })
    const back = { guild_id: demo(), target_id: world.idOf('member'), type: '3' }
    expect(await eventsOf(() => world.as('owner').call(deleteMute, back))).toHaveLength(1)
    expect(await refusalOf(say())).toBe('none')
  })

  it('a mute of the microphone lets them write', async () => {
    await world.as('owner').call(createMute, { guild_id: demo(), user_id: world.idOf('member'), type: 1 })
    expect(await refusalOf(say())).toBe('none')
    await world.as('owner').call(deleteMute, { guild_id: demo(), user_id: world.idOf('member'), type: 1 })
  })

  it('names nobody: bad input', async () => {
    expect(await world.as('owner').refusal(createMute, { guild_id: demo(), type: 3 })).toBe('bad_input')
  })
})

describe('bans', () => {
  const ban = (name: PersonName, more: object = {}) =>
    world.as('owner').call(createBan, { guild_id: demo(), target_id: world.idOf(name), ...more })

  it('refuse people who do not exist, and the owner', async () => {
    expect(await world.as('owner').refusal(createBan, { guild_id: demo(), target_id: '99999999' })).toBe(
      'user.unknown',
    )
    expect(
      await world.as('admin').refusal(createBan, { guild_id: demo(), target_id: world.idOf('owner') }),
    ).toBe('member.above')
  })

  it('end the membership, keep them out of invites and are listed, until they end', async () => {
    const received = await eventsOf(() => ban('member', { remark: '刷屏' }))
    expect(received).toEqual([
      ['exited_guild', expect.objectContaining({ user_id: world.idOf('member') })],
      [
        'added_block_list',
        { operator_id: world.idOf('owner'), remark: '刷屏', user_id: [world.idOf('member')] },
      ],
    ])
    expect(await world.as('member').refusal(joinGuild, { id: world.invite } as never)).toBe('guild.banned')
    expect(await world.as('member').refusal(history, { id: world.main.id })).toBe('forbidden')
    const { items, meta } = await world.as('owner').call(listBans, { guild_id: demo() })
    expect([items, meta.total]).toMatchObject([
      [
        {
          user_id: world.idOf('member'),
          remark: '刷屏',
          user: { username: '南枝' },
          operator: { id: world.idOf('owner') },
        },
      ],
      1,
    ])
    const back = { guild_id: demo(), target_id: world.idOf('member') }
    expect(await eventsOf(() => world.as('owner').call(deleteBan, back))).toEqual([
      [
        'deleted_block_list',
        { operator_id: world.idOf('owner'), remark: '', user_id: [world.idOf('member')] },
      ],
    ])
    expect(await eventsOf(() => world.as('owner').call(deleteBan, back))).toEqual([])
    expect(await world.as('member').refusal(joinGuild, { id: world.invite } as never)).toBe('none')
  })

  it('keep out somebody who was never a member', async () => {
    await ban('outsider')
    expect(await world.as('outsider').refusal(joinGuild, { id: world.invite } as never)).toBe('guild.banned')
    await world.as('owner').call(deleteBan, { guild_id: demo(), target_id: world.idOf('outsider') })
  })

  it('delete the messages of the last days, and no older ones', async () => {
    const mine = async () =>
      (await world.as('owner').call(history, { id: world.main.id })).filter(
        ({ author }) => author.id === world.idOf('muted'),
      ).length
    expect(await mine()).toBeGreaterThan(0)
    const old = await sql<{
      id: string
    }>`select id from message where author_id = ${world.idOf('muted')} limit 1`.execute(world.database.db)
    await sql`update message set create_at = ${Date.now() - 3 * DAY_MS} where id = ${old.rows[0]!.id}`.execute(
      world.database.db,
    )
    await ban('muted', { del_msg_days: 2 })
    await expect.poll(mine).toBe(1)
  })
})
