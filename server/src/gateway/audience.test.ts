import type { ChannelId, GuildId, UserId } from '@guildhall/wire/id.ts'
import { DEFAULT_EVERYONE, permission } from '@guildhall/wire/permission/permission.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { GuildAudience, type GuildFacts } from './audience.ts'
import { Session } from './session.ts'

const owner = '1' as UserId
const member = '2' as UserId
const helper = '3' as UserId
const open = '20' as ChannelId
const secret = '21' as ChannelId
const personal = '22' as ChannelId

const facts: GuildFacts = {
  guild_id: '10' as GuildId,
  owner_id: owner,
  seq: 5,
  roles: [
    { role_id: 0, permissions: DEFAULT_EVERYONE },
    { role_id: 7, permissions: 0 },
  ],
  channels: [
    { id: open, rules: [], users: [] },
    {
      id: secret,
      rules: [
        { role_id: 0, allow: 0, deny: permission.view_channel },
        { role_id: 7, allow: permission.view_channel, deny: 0 },
      ],
      users: [],
    },
    {
      id: personal,
      rules: [{ role_id: 0, allow: 0, deny: permission.view_channel }],
      users: [{ user_id: member, allow: permission.view_channel, deny: 0 }],
    },
  ],
}

const line = (userId: UserId, id = `line of ${userId}`) =>
  new Session({ id, userId, loginId: '', compress: false, now: 0, deflate: (text) => Buffer.from(text) })

function audience() {
  const it = new GuildAudience(facts)
  it.add(owner, [], [line(owner)])
  it.add(member, [], [line(member)])
  it.add(helper, [7], [line(helper), line(helper, 'second phone')])
  return it
}

const who = (sessions: readonly Session[]) => sessions.map((session) => session.id)

describe('the audience of a channel', () => {
  it('is nobody when the channel is unknown', () => {
    expect(audience().channel('99' as ChannelId)).toEqual([])
  })

  it('leaves out those who may not view it', () => {
    expect(who(audience().channel(secret))).toEqual(['line of 1', 'line of 3', 'second phone'])
    expect(who(audience().channel(personal))).toEqual(['line of 1', 'line of 2'])
  })

  it('is every line of every member where all may view', () => {
    expect(audience().channel(open)).toHaveLength(4)
  })

  it('shrinks at once when a role is taken, a rule changes or a member goes', () => {
    const it = audience()
    expect(it.channel(secret)).toHaveLength(3)
    it.setRoles(helper, [])
    expect(who(it.channel(secret))).toEqual(['line of 1'])
    expect(it.channel(open)).toHaveLength(4)
    it.reload({
      ...facts,
      channels: [{ id: open, rules: [{ role_id: 0, allow: 0, deny: permission.view_channel }], users: [] }],
    })
    expect(who(it.channel(open))).toEqual(['line of 1'])
    it.removePerson(owner)
    expect(it.channel(open)).toEqual([])
  })
})

describe('an audience that has seen much', () => {
  const user = fc.constantFrom(owner, member, helper)
  const roles = fc.constantFrom<number[]>([], [7])
  const act = fc.oneof(
    fc.record({ act: fc.constant('add' as const), user, roles, phone: fc.nat(2) }),
    fc.record({ act: fc.constant('remove' as const), user, phone: fc.nat(2) }),
    fc.record({ act: fc.constant('roles' as const), user, roles }),
    fc.record({ act: fc.constant('gone' as const), user }),
    fc.record({ act: fc.constant('ask' as const), channel: fc.constantFrom(open, secret, personal) }),
  )

  it('keeps nobody who came without a line', () => {
    const it = new GuildAudience(facts)
    it.add(member, [], [])
    expect(it.isEmpty).toBe(true)
  })

  it('is the audience of one who looks afresh', () => {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 40 }), (acts) => {
        const seasoned = new GuildAudience(facts)
        const lines = new Map<string, Session>()
        const held = new Map<typeof owner, { roles: number[]; sessions: Set<Session> }>()
        const phoneOf = (userId: typeof owner, phone: number) => {
          const id = `${userId} phone ${phone}`
          const session = lines.get(id) ?? line(userId, id)
          lines.set(id, session)
          return session
        }
        for (const it of acts) {
          if (it.act === 'ask') {
            seasoned.channel(it.channel)
            seasoned.guild()
          } else if (it.act === 'add') {
            const person = held.get(it.user) ?? { roles: [], sessions: new Set() }
            held.set(it.user, { roles: it.roles, sessions: person.sessions.add(phoneOf(it.user, it.phone)) })
            seasoned.add(it.user, it.roles, person.sessions)
          } else if (it.act === 'remove') {
            const session = phoneOf(it.user, it.phone)
            held.get(it.user)?.sessions.delete(session)
            if (held.get(it.user)?.sessions.size === 0) held.delete(it.user)
            seasoned.remove(session)
          } else if (it.act === 'roles') {
            const person = held.get(it.user)
            if (person) person.roles = it.roles
            seasoned.setRoles(it.user, it.roles)
          } else {
            held.delete(it.user)
            seasoned.removePerson(it.user)
          }
        }
        const fresh = new GuildAudience(facts)
        for (const [userId, { roles, sessions }] of held) fresh.add(userId, roles, sessions)
        for (const channel of [open, secret, personal]) {
          expect(who(seasoned.channel(channel)).toSorted()).toEqual(who(fresh.channel(channel)).toSorted())
        }
        expect(who(seasoned.guild()).toSorted()).toEqual(who(fresh.guild()).toSorted())
      }),
      { numRuns: 1_000, seed: 6 },
    )
  })
})

describe('those online', () => {
  it('are people with a socket, each once', () => {
    const it = new GuildAudience(facts)
    const phone = line(helper)
    const desk = line(helper, 'desk')
    it.add(helper, [7], [phone, desk])
    it.add(member, [], [line(member)])
    const wire = { send: () => {}, close: () => {} }
    expect(it.onlineCount()).toBe(0)
    phone.open(wire, 0)
    desk.open(wire, 0)
    expect(it.onlineCount()).toBe(1)
    phone.detach(wire, 0)
    it.remove(phone)
    it.remove(desk)
    expect(it.isEmpty).toBe(false)
    expect(it.onlineCount()).toBe(0)
  })
})

it('a line on its way here is put in once, and knows after which event, whoever put it in', () => {
  const it = audience()
  const [first, second] = [line(member, 'first'), line(member, 'second')]
  for (const session of [first, second]) session.gather()
  const sessions = [first, second]
  it.add(member, [], sessions)
  it.seq = 9
  it.add(member, [], sessions)
  expect([first.gathersFrom?.get(facts.guild_id), second.gathersFrom?.get(facts.guild_id)]).toEqual([5, 5])
  second.takeUp(0, [], 0)
  expect(second.gathersFrom).toBeNull()
})
