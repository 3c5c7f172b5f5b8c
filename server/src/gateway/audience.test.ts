import type { ChannelId, GuildId, UserId } from '@guildhall/wire/id.ts'
import { DEFAULT_EVERYONE, permission } from '@guildhall/wire/permission/permission.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fakeConnection, MANUAL } from '../testing/gateway.ts'
import { GuildAudience } from './audience.ts'
import { GatewaySession } from './session.ts'
import { BatchedTransport } from './transport/batchedTransport.ts'
import type { EventStream } from './transport/transport.ts'
import type { GuildFacts } from './visibility.ts'

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

const transport = new BatchedTransport(MANUAL)
/** Whose stream it is. */
const owners = new Map<EventStream, string>()

function openSession(userId: UserId, id = `session of ${userId}`): GatewaySession {
  const session = new GatewaySession({ id, userId, loginId: '', compress: false, now: 0, transport })
  owners.set(session.stream, id)
  return session
}

function audience() {
  const it = new GuildAudience(facts)
  it.add(owner, [], [openSession(owner)])
  it.add(member, [], [openSession(member)])
  it.add(helper, [7], [openSession(helper), openSession(helper, 'second phone')])
  return it
}

const who = (streams: readonly EventStream[]) => streams.map((stream) => owners.get(stream))

describe('the audience of a channel', () => {
  it('is nobody when the channel is unknown', () => {
    expect(audience().channel('99' as ChannelId)).toEqual([])
  })

  it('leaves out those who may not view it', () => {
    expect(who(audience().channel(secret))).toEqual(['session of 1', 'session of 3', 'second phone'])
    expect(who(audience().channel(personal))).toEqual(['session of 1', 'session of 2'])
  })

  it('is every session of every member where all may view', () => {
    expect(audience().channel(open)).toHaveLength(4)
  })

  it('shrinks at once when a role is taken, a rule changes or a member goes', () => {
    const it = audience()
    expect(it.channel(secret)).toHaveLength(3)
    it.setRoles(helper, [])
    expect(who(it.channel(secret))).toEqual(['session of 1'])
    expect(it.channel(open)).toHaveLength(4)
    it.reload({
      ...facts,
      channels: [{ id: open, rules: [{ role_id: 0, allow: 0, deny: permission.view_channel }], users: [] }],
    })
    expect(who(it.channel(open))).toEqual(['session of 1'])
    it.removePerson(owner)
    expect(it.channel(open)).toEqual([])
  })
})

describe('an audience after many changes', () => {
  const user = fc.constantFrom(owner, member, helper)
  const roles = fc.constantFrom<number[]>([], [7])
  const act = fc.oneof(
    fc.record({ act: fc.constant('add' as const), user, roles, phone: fc.nat(2) }),
    fc.record({ act: fc.constant('remove' as const), user, phone: fc.nat(2) }),
    fc.record({ act: fc.constant('roles' as const), user, roles }),
    fc.record({ act: fc.constant('gone' as const), user }),
    fc.record({ act: fc.constant('ask' as const), channel: fc.constantFrom(open, secret, personal) }),
  )

  it('keeps nobody without a session', () => {
    const it = new GuildAudience(facts)
    it.add(member, [], [])
    expect(it.isEmpty).toBe(true)
  })

  it('equals an audience that is built anew', () => {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 40 }), (acts) => {
        const seasoned = new GuildAudience(facts)
        const sessionsById = new Map<string, GatewaySession>()
        const expected = new Map<typeof owner, { roles: number[]; sessions: Set<GatewaySession> }>()
        const phoneOf = (userId: typeof owner, phone: number) => {
          const id = `${userId} phone ${phone}`
          const session = sessionsById.get(id) ?? openSession(userId, id)
          sessionsById.set(id, session)
          return session
        }
        for (const it of acts) {
          if (it.act === 'ask') {
            seasoned.channel(it.channel)
            seasoned.guild()
          } else if (it.act === 'add') {
            const person = expected.get(it.user) ?? { roles: [], sessions: new Set() }
            expected.set(it.user, {
              roles: it.roles,
              sessions: person.sessions.add(phoneOf(it.user, it.phone)),
            })
            seasoned.add(it.user, it.roles, person.sessions)
          } else if (it.act === 'remove') {
            const session = phoneOf(it.user, it.phone)
            expected.get(it.user)?.sessions.delete(session)
            if (expected.get(it.user)?.sessions.size === 0) expected.delete(it.user)
            seasoned.remove(session)
          } else if (it.act === 'roles') {
            const person = expected.get(it.user)
            if (person) person.roles = it.roles
            seasoned.setRoles(it.user, it.roles)
          } else {
            expected.delete(it.user)
            seasoned.removePerson(it.user)
          }
        }
        const fresh = new GuildAudience(facts)
        for (const [userId, { roles, sessions }] of expected) fresh.add(userId, roles, sessions)
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
  it('are people with a connection, each once', () => {
    const it = new GuildAudience(facts)
    const phone = openSession(helper)
    const desktop = openSession(helper, 'desk')
    it.add(helper, [7], [phone, desktop])
    it.add(member, [], [openSession(member)])
    const connection = fakeConnection()
    expect(it.onlineCount()).toBe(0)
    phone.open(connection, 0)
    desktop.open(connection, 0)
    expect(it.onlineCount()).toBe(1)
    phone.detach(connection, 0)
    it.remove(phone)
    it.remove(desktop)
    expect(it.isEmpty).toBe(false)
    expect(it.onlineCount()).toBe(0)
  })
})

it('a session that is being taken over is added once, and records after which event, whatever adds it', () => {
  const it = audience()
  const [first, second] = [openSession(member, 'first'), openSession(member, 'second')]
  for (const session of [first, second]) session.startTakeover()
  const sessions = [first, second]
  it.add(member, [], sessions)
  it.seq = 9
  it.add(member, [], sessions)
  expect([first.subscribedAfter(facts.guild_id), second.subscribedAfter(facts.guild_id)]).toEqual([5, 5])
  second.finishTakeover(0, [], 0)
  expect(second.subscribedAfter(facts.guild_id)).toBeUndefined()
})
