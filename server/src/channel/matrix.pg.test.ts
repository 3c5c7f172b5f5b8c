/**
 * Every kind of member × every kind of rule × every call of a channel, over HTTP, against a second
 * implementation of the permission rules without bit masks. chat.md §6, protocol.md §8.2.
 */
import { type Channel, viewChannel, viewGuild } from '@guildhall/wire/channel/channel.ts'
import { viewChannelV3 } from '@guildhall/wire/channel/publicChannel.ts'
import { listRooms } from '@guildhall/wire/channel/rooms.ts'
import { forwardMessage } from '@guildhall/wire/chat/forward.ts'
import { createGuild } from '@guildhall/wire/guild/ownGuild.ts'
import type { ChannelId, GuildId, UserId } from '@guildhall/wire/id.ts'
import { createInvite, listInvites } from '@guildhall/wire/invite/manage.ts'
import { listMembers } from '@guildhall/wire/member/member.ts'
import { viewActivity } from '@guildhall/wire/message/activity.ts'
import { history, historyV2, sendToChannel } from '@guildhall/wire/message/message.ts'
import { clearUnread } from '@guildhall/wire/message/readMark.ts'
import { setNotifyType } from '@guildhall/wire/message/setNotify.ts'
import { DEFAULT_EVERYONE, permission } from '@guildhall/wire/permission/permission.ts'
import { searchFiles, searchMessages } from '@guildhall/wire/search/search.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addToTeam } from '../guild/guild.ts'
import { commit } from '../kit/events/events.ts'
import { createGuild as addGuild, join } from '../member/member.ts'
import { addRole } from '../role/role.ts'
import { type Call, Refused } from '../testing/calls.ts'
import { openWorld, type TestWorld } from '../testing/world.ts'
import { register } from '../user/user.ts'
import { createChannel, setRule } from './channel.ts'

const { view_channel: VIEW, send_message: SEND } = permission
type Bit = 'view' | 'send'
interface Verdict {
  readonly allow: readonly Bit[]
  readonly deny: readonly Bit[]
}
const none: Verdict = { allow: [], deny: [] }
const allow = (...bits: Bit[]): Verdict => ({ allow: bits, deny: [] })
const deny = (...bits: Bit[]): Verdict => ({ allow: [], deny: bits })

/** What everyone's role grants, by guild. */
const guilds = {
  usual: ['view', 'send'],
  'read only by default': ['view'],
  'closed by default': ['send'],
  'nothing by default': [],
} as const satisfies Record<string, readonly Bit[]>

const roleGrants = { plain: [], speaker: ['send'], seer: ['view', 'send'], boss: ['manage'] } as const
type RoleName = keyof typeof roleGrants

/** People by their roles. `own`: the rules for a single person are about this one. */
const folk = {
  owner: { roles: [], own: false },
  member: { roles: [], own: false },
  plain: { roles: ['plain'], own: false },
  speaker: { roles: ['speaker'], own: false },
  both: { roles: ['plain', 'seer'], own: false },
  boss: { roles: ['boss'], own: true },
  named: { roles: ['plain'], own: true },
  team: { roles: [], own: false },
  unverified: { roles: ['seer'], own: false },
  outsider: { roles: [], own: false },
} as const satisfies Record<string, { roles: readonly RoleName[]; own: boolean }>
type Person = keyof typeof folk

interface Rules {
  readonly everyone?: Verdict
  readonly roles?: Partial<Record<RoleName, Verdict>>
  readonly own?: Verdict
}
const rules = {
  none: {},
  'hidden from everyone': { everyone: deny('view') },
  'silent for everyone': { everyone: deny('send') },
  'shown to everyone': { everyone: allow('view', 'send') },
  'hidden, shown to a role': { everyone: deny('view'), roles: { plain: allow('view') } },
  'hidden from a role': { roles: { plain: deny('view') } },
  'one role takes, another gives': { roles: { plain: deny('view', 'send'), seer: allow('view', 'send') } },
  'a role may not speak': { roles: { plain: deny('send'), boss: deny('view', 'send') } },
  'a person is let in': { everyone: deny('view', 'send'), own: allow('view', 'send') },
  'a person is shut out': { everyone: allow('view'), roles: { plain: allow('view') }, own: deny('view') },
  'a person may not speak': { roles: { plain: allow('send') }, own: deny('send') },
} as const satisfies Record<string, Rules>
type RuleName = keyof typeof rules

/** The second implementation: one bit at a time, layer after layer. */
function expected(person: Person, everyone: readonly Bit[], rule: Rules): Record<Bit, boolean> {
  if (person === 'outsider') return { view: false, send: false }
  const roles: readonly RoleName[] = folk[person].roles
  if (person === 'owner' || roles.includes('boss')) return { view: true, send: true }
  const answer = (bit: Bit): boolean => {
    let yes =
      everyone.includes(bit) || roles.some((role) => (roleGrants[role] as readonly string[]).includes(bit))
    const layers: Verdict[][] = [
      [rule.everyone ?? none],
      roles.map((role) => rule.roles?.[role] ?? none),
      [folk[person].own ? (rule.own ?? none) : none],
    ]
    for (const layer of layers) {
      if (layer.some((verdict) => verdict.allow.includes(bit))) yes = true
      else if (layer.some((verdict) => verdict.deny.includes(bit))) yes = false
    }
    return yes
  }
  const view = answer('view')
  return { view, send: view && answer('send') }
}

interface TestChannel {
  readonly guild: keyof typeof guilds
  readonly guildId: GuildId
  readonly rule: RuleName
  readonly readonly: boolean
  readonly id: ChannelId
}

let world: TestWorld
const testChannels: TestChannel[] = []
const people = {} as Record<Person, { id: UserId; call: Call }>

const mask = (bits: readonly string[]): number =>
  bits.reduce(
    (sum, bit) => sum | { view: VIEW, send: SEND, manage: permission.manage }[bit as Bit | 'manage'],
    0,
  )
const masks = (verdict: Verdict) => ({ allow: mask(verdict.allow), deny: mask(verdict.deny) })

beforeAll(async () => {
  world = await openWorld()
  const { appContext } = world.app
  const names = Object.keys(folk) as Person[]
  for (const [index, name] of names.entries()) {
    const { user } = await commit(appContext, (tx) =>
      register(tx, {
        prefix: '86',
        mobile: String(13_500_000_000 + index),
        verified: name !== 'unverified',
        makeName: () => name,
      }),
    )
    const { mobile } = user
    people[name] = { id: user.id, call: world.as({ token: await enter(user.id, mobile) }).call }
  }
  for (const guild of Object.keys(guilds) as (keyof typeof guilds)[]) await build(guild)
})
afterAll(() => world.close())

/** A session of an account, as a login creates it. */
async function enter(userId: UserId, mobile: string): Promise<string> {
  const { createHash } = await import('node:crypto')
  const token = `token-of-${mobile}-for-the-matrix`
  const hash = createHash('sha256').update(token).digest()
  await sql`
    insert into session (id, token_hash, user_id, remember, created_at, seen_at)
    values (gen_random_uuid(), ${hash}, ${userId}, true, ${Date.now()}, ${Date.now()})`.execute(
    world.database.db,
  )
  return token
}

async function build(guild: keyof typeof guilds): Promise<void> {
  await commit(world.app.appContext, async (tx, emit) => {
    const guildId = await addGuild(tx, emit, { name: guild, ownerId: people.owner.id })
    const everyone = (DEFAULT_EVERYONE & ~(VIEW | SEND)) | mask(guilds[guild])
    await sql`update role set permissions = ${everyone} where guild_id = ${guildId} and role_id = 0`.execute(
      tx,
    )
    const roleIds = new Map<RoleName, number>()
    for (const [name, grants] of Object.entries(roleGrants) as [RoleName, readonly string[]][]) {
      const role = await addRole(tx, guildId, {
        name,
        color: 0,
        hoist: 0,
        mentionable: 0,
        permissions: mask(grants),
      })
      roleIds.set(name, role.role_id)
    }
    for (const [name, { roles }] of Object.entries(folk) as [Person, (typeof folk)[Person]][]) {
      if (name === 'outsider') continue
      await join(tx, emit, guildId, people[name].id)
      for (const role of roles) {
        await sql`insert into membership_role values (${guildId}, ${people[name].id}, ${roleIds.get(role)})`.execute(
          tx,
        )
      }
    }
    await addToTeam(tx, guildId, people.team.id)
    // Half of the channels are in a category that few may view: the rules of the channels decide.
    const hidden = { role_id: 0, ...masks(deny('view')) }
    const category = await createChannel(tx, emit, { guildId, name: '分组', type: 0, rules: [hidden] })
    for (const rule of Object.keys(rules) as RuleName[]) {
      for (const isReadonly of [false, true]) {
        const it: Rules = rules[rule]
        const roleRules = Object.entries(it.roles ?? {}) as [RoleName, Verdict][]
        const id = await createChannel(tx, emit, {
          guildId,
          name: rule,
          type: 1,
          isReadonly,
          parentId: isReadonly ? category : null,
          rules: [
            { role_id: 0, ...masks(it.everyone ?? none) },
            ...roleRules.map(([role, verdict]) => ({ role_id: roleIds.get(role) ?? -1, ...masks(verdict) })),
          ],
        })
        for (const name of ['named', 'boss'] as const) {
          if (it.own) await setRule(tx, emit, id, { user_id: people[name].id, ...masks(it.own) })
        }
        testChannels.push({ guild, guildId, rule, readonly: isReadonly, id })
      }
    }
  })
}

/** Further calls that are answered exactly where the caller may view the channel. */
const reads: Readonly<Record<string, (call: Call, channel: TestChannel) => Promise<unknown>>> = {
  'channel/view': (call, { id }) => call(viewChannelV3, { target_id: id }),
  'the members of the channel': (call, { id, guildId }) => call(listMembers, { id: guildId, c: id }),
  'the invites of the channel': (call, { id }) => call(listInvites, { channel_id: id }),
  'an invite to the channel': (call, { id }) => call(createInvite, { channel_id: id }),
  'its notifications': (call, { id, guildId }) =>
    call(setNotifyType, { guild_id: guildId, channel_id: id, notify_type: 2 }),
  'its read mark': (call, { id }) => call(clearUnread, { channel_id: id }),
  'a search in it': (call, { id }) => call(searchMessages, { q: 'x', channel_id: id }),
  'its files': (call, { id }) => call(searchFiles, { channel_id: id }),
  'its history under the other name': (call, { id }) => call(historyV2, { channel_id: id }),
}

const outcome = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'granted',
    (error: unknown) => {
      if (!(error instanceof Refused)) throw error
      const why = error.body.data?.extra?.why
      return why ? `${error.failure} ${why}` : `${error.failure}`
    },
  )

describe.each(Object.keys(folk) as Person[])('%s', (person) => {
  const seesOf = (channel: TestChannel) => expected(person, guilds[channel.guild], rules[channel.rule])

  it('views a channel exactly where the rules allow it', async () => {
    for (const channel of testChannels) {
      const wanted = seesOf(channel).view ? 'granted' : 'forbidden'
      const found = await outcome(people[person].call(viewChannel, { id: channel.id }))
      expect([channel.guild, channel.rule, found]).toEqual([channel.guild, channel.rule, wanted])
    }
  })

  it('reads its history exactly where they may view it', async () => {
    for (const channel of testChannels) {
      const wanted = seesOf(channel).view ? 'granted' : 'forbidden'
      const found = await outcome(people[person].call(history, { id: channel.id }))
      expect([channel.guild, channel.rule, found]).toEqual([channel.guild, channel.rule, wanted])
    }
  })

  it.each(Object.keys(reads))('%s: exactly where they may view the channel', async (name) => {
    for (const channel of testChannels) {
      const found = await outcome(reads[name]!(people[person].call, channel))
      const wanted = seesOf(channel).view ? ['granted', 'invite.no_right'] : ['forbidden']
      expect({
        guild: channel.guild,
        rule: channel.rule,
        isRight: wanted.includes(found),
        found,
      }).toMatchObject({
        isRight: true,
      })
    }
  })

  it('forwards to a channel exactly where they may write', async () => {
    const { id: own } = await people[person].call(createGuild, { name: '自己的' }).catch(() => ({ id: null }))
    for (const channel of own === null ? [] : testChannels.slice(0, 12)) {
      const { default_channel_id: source } = await people[person].call(viewGuild, { id: own })
      const { msgId } = await people[person].call(sendToChannel, { id: source, content: 'x' })
      const input = { msg_id: msgId, to_channel_id: channel.id }
      const direct = await outcome(people[person].call(sendToChannel, { id: channel.id, content: 'x' }))
      expect(await outcome(people[person].call(forwardMessage, input))).toBe(direct)
    }
  })

  it('is among the members of exactly the channels they may view', async () => {
    for (const channel of person === 'outsider' ? [] : testChannels) {
      const { data } = await people.owner.call(listMembers, { id: channel.guildId, c: channel.id })
      expect([channel.guild, channel.rule, data.some(({ id }) => id === people[person].id)]).toEqual([
        channel.guild,
        channel.rule,
        seesOf(channel).view,
      ])
    }
  })

  it('sends exactly where the rules, a verified number and read-only channels allow it', async () => {
    for (const channel of testChannels) {
      const sees = seesOf(channel)
      const closed = channel.readonly && person !== 'owner' && person !== 'team'
      const wanted = !sees.view
        ? 'forbidden'
        : person === 'unverified'
          ? 'message.not_allowed unverified'
          : closed
            ? 'message.not_allowed readonly'
            : sees.send
              ? 'granted'
              : 'message.not_allowed no_permission'
      const found = await outcome(people[person].call(sendToChannel, { id: channel.id, content: 'x' }))
      expect([channel.guild, channel.rule, channel.readonly, found]).toEqual([
        channel.guild,
        channel.rule,
        channel.readonly,
        wanted,
      ])
    }
  })

  it('finds in the tree exactly the channels they may view', async () => {
    for (const guildId of new Set(testChannels.map((channel) => channel.guildId))) {
      const inGuild = testChannels.filter((channel) => channel.guildId === guildId)
      if (person === 'outsider') {
        expect(await outcome(people[person].call(viewGuild, { id: guildId }))).toBe('forbidden')
        continue
      }
      const { channels } = await people[person].call(viewGuild, { id: guildId })
      const flat = (list: readonly Channel[]): Channel[] =>
        list.flatMap((each) => [each, ...flat(each.channels)])
      const found = flat(channels).filter(({ is_category }) => !is_category)
      const wanted = inGuild.filter((channel) => seesOf(channel).view)
      expect(found.map(({ id }) => id).sort()).toEqual(wanted.map(({ id }) => id).sort())
    }
  })

  it('finds in the activity of a guild exactly the channels they may view', async () => {
    for (const guildId of new Set(testChannels.map((channel) => channel.guildId))) {
      const asked = people[person].call(viewActivity, { guild_id: guildId })
      if (person === 'outsider') {
        expect(await outcome(asked)).toBe('forbidden')
        continue
      }
      const wanted = testChannels.filter((channel) => channel.guildId === guildId && seesOf(channel).view)
      const found = (await asked).channels.map(({ channel_id }) => channel_id)
      expect(found.sort()).toEqual(wanted.map(({ id }) => id).sort())
    }
  })

  it('finds in the list of all rooms exactly the channels they may view', async () => {
    const guildIds = new Set(testChannels.map((channel) => channel.guildId))
    const found = (await people[person].call(listRooms, {})).filter((room) => guildIds.has(room.guild_id))
    const wanted = testChannels.filter((channel) => seesOf(channel).view)
    expect(found.map(({ id }) => id).sort()).toEqual(wanted.map(({ id }) => id).sort())
  })
})

it('a guild that does not exist and one of others are refused alike', async () => {
  const answers = []
  for (const id of [testChannels[0]?.guildId, '3999999999999999']) {
    const error = await people.outsider.call(viewGuild, { id }).catch((thrown: unknown) => thrown)
    answers.push(error instanceof Refused && [error.status, error.body])
  }
  expect(answers[0]).toMatchObject([403, { error: 'forbidden' }])
  expect(answers[1]).toEqual(answers[0])
})
