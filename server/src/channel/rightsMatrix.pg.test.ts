/**
 * Every call that manages a guild's roles, channels and overwrites × how a member has its right: in the
 * guild, in the channel, or not, against a second implementation without masks. protocol.md §8.4. Hierarchy
 * and bits have tests of their own.
 */
import { listAudit } from '@guildhall/wire/audit/audit.ts'
import {
  createOverwrite,
  deleteOverwrite,
  listOverwrites,
  syncOverwrites,
  updateOverwrite,
} from '@guildhall/wire/channel/overwrite.ts'
import {
  copyChannel,
  createChannel,
  deleteChannel,
  listVoiceUsers,
  moveChannel,
  moveVoiceUsers,
  restoreChannel,
  updateChannel,
  viewChannelV3,
} from '@guildhall/wire/channel/publicChannel.ts'
import type { ChannelId, GuildId, UserId } from '@guildhall/wire/id.ts'
import { createNote, deleteNote, listNotes, updateNote } from '@guildhall/wire/member/note.ts'
import { previewPrune, pruneMembers, viewPrune } from '@guildhall/wire/member/prune.ts'
import { sendToChannel } from '@guildhall/wire/message/message.ts'
import { createFilter, deleteFilter, listFilters, updateFilter } from '@guildhall/wire/moderation/filter.ts'
import {
  createRule,
  deleteRule,
  liftPause,
  listRules,
  tryRule,
  updateRule,
} from '@guildhall/wire/moderation/moderation.ts'
import { postRoles, updateOnboarding } from '@guildhall/wire/onboarding/onboarding.ts'
import { DEFAULT_EVERYONE, permission } from '@guildhall/wire/permission/permission.ts'
import {
  copyRole,
  countRoleMembers,
  createRole,
  deleteRole,
  grantRole,
  listRoles,
  moveRole,
  restoreRole,
  revokeRole,
  updateRole,
} from '@guildhall/wire/role/role.ts'
import type { Route } from '@guildhall/wire/route.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clock } from '../kit/clock.ts'
import { commit } from '../kit/events/events.ts'
import { addRole, giveRole } from '../role/role.ts'
import { openWorld, type TestWorld } from '../testing/world.ts'
import { createChannel as addChannel, setRule } from './channel.ts'

type Right =
  | 'manage_guild'
  | 'view_log'
  | 'mute_member'
  | 'remove_member'
  | 'manage_role'
  | 'manage_channel'
  | 'manage_audio'
  | 'view_channel'
interface Managed {
  readonly right: Right
  /** Where the right counts. */
  readonly in: 'guild' | 'channel'
  /** What a member without it is refused with, who sees the channel. */
  readonly without: string
  readonly route: Route
  readonly input: () => object
  /** What the call answers with the right, when it is refused for another reason. */
  readonly with?: string
}

let world: TestWorld
let guild_id: GuildId
let key: number
let low: number
let category: string
let channel_id: string
let inside: string
let spare: string
/** One that is deleted. */
let gone: ChannelId
const them = (): UserId => world.people.muted.id

const calls: Readonly<Record<string, Managed>> = {
  'list roles': {
    right: 'manage_role',
    in: 'guild',
    without: 'forbidden',
    route: listRoles,
    input: () => ({ guild_id }),
  },
  'count the members of roles': {
    right: 'manage_role',
    in: 'guild',
    without: 'forbidden',
    route: countRoleMembers,
    input: () => ({ guild_id }),
  },
  'create a role': {
    right: 'manage_role',
    in: 'guild',
    without: 'forbidden',
    route: createRole,
    input: () => ({ guild_id }),
  },
  'copy a role': {
    right: 'manage_role',
    in: 'guild',
    without: 'forbidden',
    route: copyRole,
    with: 'role.unknown',
    input: () => ({ guild_id, role_id: 4_000_000 }),
  },
  'update a role': {
    right: 'manage_role',
    in: 'guild',
    without: 'forbidden',
    route: updateRole,
    input: () => ({ guild_id, role_id: low, color: 7 }),
  },
  'move a role': {
    right: 'manage_role',
    in: 'guild',
    without: 'forbidden',
    route: moveRole,
    input: () => ({ guild_id, role_id: low, position: 99 }),
  },
  'delete a role': {
    right: 'manage_role',
    in: 'guild',
    without: 'forbidden',
    route: deleteRole,
    with: 'role.unknown',
    input: () => ({ guild_id, role_id: 4_000_000 }),
  },
  'grant a role': {
    right: 'manage_role',
    in: 'guild',
    without: 'forbidden',
    route: grantRole,
    input: () => ({ guild_id, role_id: low, user_id: them() }),
  },
  'revoke a role': {
    right: 'manage_role',
    in: 'guild',
    without: 'forbidden',
    route: revokeRole,
    input: () => ({ guild_id, role_id: low, user_id: them() }),
  },
  'restore a role': {
    right: 'manage_role',
    in: 'guild',
    without: 'forbidden',
    route: restoreRole,
    input: () => ({ guild_id, role_id: 4_000_000 }),
    with: 'role.not_restorable',
  },
  'read the audit log': {
    right: 'view_log',
    in: 'guild',
    without: 'member.no_right',
    route: listAudit,
    input: () => ({ guild_id }),
  },
  'list notes on a member': {
    right: 'mute_member',
    in: 'guild',
    without: 'member.no_right',
    route: listNotes,
    input: () => ({ guild_id, user_id: them() }),
  },
  'write a note on a member': {
    right: 'mute_member',
    in: 'guild',
    without: 'member.no_right',
    route: createNote,
    input: () => ({ guild_id, user_id: '999999', content: 'x' }),
    with: 'user.unknown',
  },
  'change a note': {
    right: 'mute_member',
    in: 'guild',
    without: 'member.no_right',
    route: updateNote,
    input: () => ({ guild_id, id: '999999', content: 'x' }),
    with: 'note.unknown',
  },
  'delete a note': {
    right: 'mute_member',
    in: 'guild',
    without: 'member.no_right',
    route: deleteNote,
    input: () => ({ guild_id, id: '999999' }),
    with: 'note.unknown',
  },
  'see which silent members would be removed': {
    right: 'remove_member',
    in: 'guild',
    without: 'member.no_right',
    route: previewPrune,
    input: () => ({ guild_id, silent_days: 3_000 }),
  },
  'remove silent members': {
    right: 'remove_member',
    in: 'guild',
    without: 'member.no_right',
    route: pruneMembers,
    input: () => ({ guild_id, silent_days: 3_000 }),
  },
  'see how far a removal is': {
    right: 'remove_member',
    in: 'guild',
    without: 'member.no_right',
    route: viewPrune,
    input: () => ({ guild_id }),
  },
  'post the roles that members choose': {
    right: 'manage_guild',
    in: 'guild',
    without: 'member.no_right',
    route: postRoles,
    // Where one may write is asked in its own tests.
    input: () => ({ guild_id, channel_id: '999999' }),
    with: 'forbidden',
  },
  'change what newcomers are shown': {
    right: 'manage_guild',
    in: 'guild',
    without: 'member.no_right',
    route: updateOnboarding,
    input: () => ({ guild_id, rules: [{ title: '友善' }] }),
  },
  'list rules': {
    right: 'manage_guild',
    in: 'guild',
    without: 'member.no_right',
    route: listRules,
    input: () => ({ guild_id }),
  },
  'make a rule': {
    right: 'manage_guild',
    in: 'guild',
    without: 'member.no_right',
    route: createRule,
    input: () => ({ guild_id, name: '规则', kind: 'word', acts: [{ type: 'delete' }], switch: 1 }),
    with: 'bad_input',
  },
  'make a restriction': {
    right: 'manage_guild',
    in: 'guild',
    without: 'member.no_right',
    route: createRule,
    input: () => ({ guild_id, name: '限制', action: 2, conditions: [{ type: 'overseas' }], switch: 1 }),
    with: 'bad_input',
  },
  'change a rule': {
    right: 'manage_guild',
    in: 'guild',
    without: 'member.no_right',
    route: updateRule,
    input: () => ({ guild_id, id: 1, conditions: [] }),
    with: 'moderation.unknown',
  },
  'delete a rule': {
    right: 'manage_guild',
    in: 'guild',
    without: 'member.no_right',
    route: deleteRule,
    input: () => ({ guild_id, id: 1 }),
    with: 'moderation.unknown',
  },
  'try a rule': {
    right: 'manage_guild',
    in: 'guild',
    without: 'member.no_right',
    route: tryRule,
    input: () => ({ guild_id, kind: 'link' }),
  },
  'let people join again': {
    right: 'manage_guild',
    in: 'guild',
    without: 'member.no_right',
    route: liftPause,
    input: () => ({ guild_id }),
  },
  'list word filters': {
    right: 'manage_guild',
    in: 'guild',
    without: 'member.no_right',
    route: listFilters,
    input: () => ({ guild_id }),
  },
  'make a word filter': {
    right: 'manage_guild',
    in: 'guild',
    without: 'member.no_right',
    route: createFilter,
    input: () => ({
      guild_id,
      type: 1,
      targets: { enabled: 'whitelist', whitelist: '好' },
      handlers: [],
      switch: 1,
    }),
    with: 'bad_input',
  },
  'change a word filter': {
    right: 'manage_guild',
    in: 'guild',
    without: 'member.no_right',
    route: updateFilter,
    input: () => ({ guild_id, id: 1 }),
    with: 'moderation.unknown',
  },
  'delete a word filter': {
    right: 'manage_guild',
    in: 'guild',
    without: 'member.no_right',
    route: deleteFilter,
    input: () => ({ guild_id, id: 1 }),
    with: 'moderation.unknown',
  },
  'create a channel': {
    right: 'manage_channel',
    in: 'guild',
    without: 'channel.no_right',
    route: createChannel,
    input: () => ({ guild_id, name: '' }),
    with: 'channel.name_wrong',
  },
  'create a channel in a category': {
    right: 'manage_channel',
    in: 'channel',
    without: 'channel.no_right',
    route: createChannel,
    input: () => ({ guild_id, name: '', parent_id: category }),
    with: 'channel.name_wrong',
  },
  'update a channel': {
    right: 'manage_channel',
    in: 'channel',
    without: 'channel.no_right',
    route: updateChannel,
    input: () => ({ channel_id, topic: 'x' }),
  },
  'move a channel among its own': {
    right: 'manage_channel',
    in: 'channel',
    without: 'channel.no_right',
    route: moveChannel,
    input: () => ({ channel_id }),
  },
  'copy a channel': {
    right: 'manage_channel',
    in: 'channel',
    without: 'channel.no_right',
    route: copyChannel,
    input: () => ({ channel_id: inside, name: '' }),
    with: 'channel.name_wrong',
  },
  'delete a channel': {
    right: 'manage_channel',
    in: 'channel',
    without: 'channel.no_right',
    route: deleteChannel,
    input: () => ({ channel_id: spare }),
  },
  'restore a channel': {
    right: 'manage_channel',
    in: 'channel',
    without: 'channel.no_right',
    route: restoreChannel,
    input: () => ({ channel_id: gone }),
  },
  'view a channel': {
    right: 'view_channel',
    in: 'channel',
    without: 'forbidden',
    route: viewChannelV3,
    input: () => ({ target_id: channel_id }),
  },
  'list people in voice': {
    right: 'view_channel',
    in: 'channel',
    without: 'forbidden',
    route: listVoiceUsers,
    input: () => ({ channel_id }),
  },
  'move people in voice': {
    right: 'manage_audio',
    in: 'channel',
    without: 'channel.no_right',
    route: moveVoiceUsers,
    input: () => ({ target_id: channel_id, user_ids: [them()] }),
    with: 'channel.nobody_there',
  },
  'list overwrites': {
    right: 'manage_role',
    in: 'channel',
    without: 'forbidden',
    route: listOverwrites,
    input: () => ({ channel_id }),
  },
  'create an overwrite': {
    right: 'manage_role',
    in: 'channel',
    without: 'forbidden',
    route: createOverwrite,
    input: () => ({ channel_id, type: 'role_id', value: low }),
  },
  'update an overwrite': {
    right: 'manage_role',
    in: 'channel',
    without: 'forbidden',
    route: updateOverwrite,
    input: () => ({ channel_id, type: 'role_id', value: low }),
  },
  'delete an overwrite': {
    right: 'manage_role',
    in: 'channel',
    without: 'forbidden',
    route: deleteOverwrite,
    input: () => ({ channel_id, type: 'role_id', value: low }),
  },
  'sync overwrites': {
    right: 'manage_role',
    in: 'channel',
    without: 'forbidden',
    route: syncOverwrites,
    input: () => ({ channel_id: category }),
    with: 'channel.no_category',
  },
}

/** How a member may have a right. */
const ways = {
  'without it': { guild: false, rule: null, hidden: false },
  'by a role': { guild: true, rule: null, hidden: false },
  'by a role, denied in the channel': { guild: true, rule: 'deny', hidden: false },
  'by the channel': { guild: false, rule: 'allow', hidden: false },
  'by a role, in a channel that is hidden': { guild: true, rule: null, hidden: true },
} as const
type Way = (typeof ways)[keyof typeof ways]

function expected(input: Managed, way: Way): string {
  const sees = input.right === 'view_channel' ? has(input, way) : !way.hidden
  if (input.in === 'channel' && !sees) return input.route === createChannel ? 'channel.unknown' : 'forbidden'
  return has(input, way) ? (input.with ?? 'none') : input.without
}
function has(input: Managed, way: Way): boolean {
  if (input.in === 'guild') return way.guild
  if (input.right === 'view_channel' && way.hidden) return false
  return way.rule === null ? way.guild : way.rule === 'allow'
}

beforeAll(async () => {
  world = await openWorld()
  guild_id = world.guilds[0]?.id as GuildId
  await commit(world.app.appContext, async (tx, emit) => {
    const plain = { color: 0, hoist: 0, mentionable: 0, permissions: 0 }
    key = (await addRole(tx, guild_id, { ...plain, name: '钥匙' }, emit)).role_id
    low = (await addRole(tx, guild_id, { ...plain, name: '低' }, emit)).role_id
    await sql`update membership_role set role_id = ${key}
      where guild_id = ${guild_id} and user_id = ${world.people.member.id}`.execute(tx)
    await sql`delete from membership_role where guild_id = ${guild_id} and user_id = ${them()}`.execute(tx)
    await giveRole(tx, emit, guild_id, world.people.member.id, key)
    category = await addChannel(tx, emit, { guildId: guild_id, name: '分组', type: 0 })
    channel_id = await addChannel(tx, emit, { guildId: guild_id, name: '频道', type: 1 })
    const parentId = category as ChannelId
    inside = await addChannel(tx, emit, { guildId: guild_id, name: '组里', type: 1, parentId })
  })
})
afterAll(() => world.close())

describe.each(Object.entries(ways))('%s', (_way, way) => {
  it.each(Object.entries(calls))('%s', async (_name, it) => {
    await commit(world.app.appContext, async (tx, emit) => {
      spare = await addChannel(tx, emit, { guildId: guild_id, name: '备用', type: 1 })
      gone = await addChannel(tx, emit, { guildId: guild_id, name: '旧的', type: 1 })
      const bit = permission[it.right]
      const everyone = it.right === 'view_channel' ? DEFAULT_EVERYONE & ~bit : DEFAULT_EVERYONE
      await sql`update role set permissions = ${everyone} where guild_id = ${guild_id} and role_id = 0`.execute(
        tx,
      )
      await sql`update role set permissions = ${way.guild ? bit : 0}
        where guild_id = ${guild_id} and role_id = ${key}`.execute(tx)
      for (const id of [category, channel_id, inside, spare, gone] as Parameters<typeof setRule>[2][]) {
        const hidden = way.hidden ? permission.view_channel : 0
        await setRule(tx, emit, id, { role_id: 0, allow: 0, deny: hidden })
        const rule = { allow: way.rule === 'allow' ? bit : 0, deny: way.rule === 'deny' ? bit : 0 }
        await setRule(tx, emit, id, { role_id: key, ...rule })
      }
      await sql`update channel set deleted_at = ${clock.now()} where id = ${gone}`.execute(tx)
    })
    const wanted = way.hidden && it.right === 'view_channel' ? 'forbidden' : expected(it, way)
    expect(await world.as('member').refusal(it.route, it.input())).toBe(wanted)
    expect(await world.as('outsider').refusal(it.route, it.input())).toBe('forbidden')
  })
})

it('a member who manages channels nowhere still sends where they may', async () => {
  const sent = { id: channel_id, content: 'x' }
  await sql`delete from channel_role_rule where channel_id = ${channel_id}`.execute(world.database.db)
  await sql`update role set permissions = ${DEFAULT_EVERYONE} where guild_id = ${guild_id} and role_id = 0`.execute(
    world.database.db,
  )
  expect(await world.as('muted').refusal(sendToChannel, sent)).toBe('none')
})
