/** The calls about the members of a guild. */
import { fail } from '@guildhall/wire/failure.ts'
import { listTeam as listTeamRoute, viewUser as viewUserRoute } from '@guildhall/wire/guild/guild.ts'
import { createGuild, leaveGuild as leaveGuildRoute } from '@guildhall/wire/guild/ownGuild.ts'
import { type ChannelId, channelId, type GuildId, type UserId } from '@guildhall/wire/id.ts'
import { listMembers as listMembersRoute } from '@guildhall/wire/member/member.ts'
import {
  createBan,
  createMute,
  deleteBan,
  deleteMute,
  kickOut as kickOutRoute,
  listBans as listBansRoute,
  listMutes as listMutesRoute,
  type MuteType,
  muteType,
  setNickname,
} from '@guildhall/wire/member/moderation.ts'
import {
  createNote,
  deleteNote,
  listNotes as listNotesRoute,
  updateNote,
} from '@guildhall/wire/member/note.ts'
import { viewPerson as viewPersonRoute } from '@guildhall/wire/member/person.ts'
import {
  previewPrune as previewRoute,
  pruneMembers,
  viewPrune as viewPruneRoute,
} from '@guildhall/wire/member/prune.ts'
import { userList as userListRoute } from '@guildhall/wire/member/userList.ts'
import type { InputOf } from '@guildhall/wire/route.ts'
import type { AppContext } from '../kit/events/events.ts'
import { type Binding, bindUser } from '../kit/http/binding.ts'
import { listMembers, type MemberLists, userList } from './member.ts'
import { leaveGuild } from './membership.ts'
import { type ActDeps, ban, kickOut, listBans, listMutes, mute, rename, unban, unmute } from './moderation.ts'
import { openGuild } from './newGuild.ts'
import { changeNote, listNotes, removeNote, writeNote } from './notes/notes.ts'
import { viewPerson } from './person/person.ts'
import { type PruneDeps, previewPrune, startPrune, viewPrune } from './prune/prune.ts'
import { listTeam, type ViewDeps, viewUser } from './view.ts'

export const memberRoutes = (lists: MemberLists): Binding[] => [
  bindUser(listMembersRoute, ({ caller }, { id, offset, perPage, c, search }) =>
    listMembers(lists, caller.userId, {
      guildId: id,
      channelId: channelOf(c),
      offset,
      limit: perPage,
      search: search ?? '',
    }),
  ),
  bindUser(userListRoute, ({ caller }, asked) =>
    userList(lists, caller.userId, {
      guildId: asked.guild_id,
      channelId: asked.channel_id ?? null,
      search: asked.search ?? '',
      roleId: asked.role_id ?? null,
      isVerified: asked.mobile_verified === undefined ? null : asked.mobile_verified === 1,
      onlyId: asked.filter_user_id ?? null,
      joinedDays: asked.joined_days ?? null,
      silentDays: asked.silent_days ?? null,
      isMuted: asked.muted === undefined ? null : asked.muted === 1,
      order: orderOf(asked),
      page: asked.page,
      size: asked.page_size,
    }),
  ),
]

/** How memberships begin with a new guild and end, and single members. */
export const membershipRoutes = ({
  appContext,
  buffSince,
}: Pick<ViewDeps, 'buffSince'> & { readonly appContext: AppContext }): Binding[] => [
  bindUser(createGuild, ({ caller, locale }, asked) =>
    openGuild(appContext, caller.userId, { ...asked, locale }),
  ),
  bindUser(leaveGuildRoute, async ({ caller }, { guild_id }) => {
    await leaveGuild(appContext, caller.userId, guild_id)
    return {}
  }),
  bindUser(listTeamRoute, ({ caller }, { guild_id }) => listTeam(appContext, caller.userId, guild_id)),
  bindUser(viewUserRoute, ({ caller }, { user_id, guild_id }) =>
    viewUser({ appContext, buffSince }, caller.userId, { userId: user_id, guildId: guild_id }),
  ),
  bindUser(viewPersonRoute, ({ caller }, { user_id }) => viewPerson(appContext, caller.userId, user_id)),
]

/** Acts on members. */
export const moderationRoutes = (deps: ActDeps): Binding[] => [
  bindUser(setNickname, async ({ caller }, { guild_id, user_id, nickname }) => {
    await rename(deps.appContext, caller.userId, {
      guildId: guild_id,
      targetId: user_id,
      nickname: nickname ?? '',
    })
    return {}
  }),
  bindUser(kickOutRoute, async ({ caller }, { guild_id, target_id }) => {
    await kickOut(deps.appContext, caller.userId, { guildId: guild_id, targetId: target_id })
    return {}
  }),
  bindUser(listMutesRoute, ({ caller }, { guild_id, return_type }) =>
    listMutes(deps.appContext, caller.userId, guild_id, return_type === 'detail'),
  ),
  bindUser(createMute, async ({ caller }, it) => {
    const seconds = it.type === muteType.write ? (it.duration ?? null) : null
    await mute(deps, caller.userId, { ...mutedOf(it), seconds })
    return {}
  }),
  bindUser(deleteMute, async ({ caller }, it) => {
    await unmute(deps.appContext, caller.userId, mutedOf(it))
    return {}
  }),
  bindUser(listBansRoute, ({ caller }, { guild_id, page, page_size }) =>
    listBans(deps.appContext, caller.userId, { guildId: guild_id, page, size: page_size }),
  ),
  bindUser(createBan, async ({ caller }, { guild_id, target_id, remark, del_msg_days }) => {
    const it = { guildId: guild_id, targetId: target_id, remark, deletedDays: del_msg_days }
    await ban(deps, caller.userId, it)
    return {}
  }),
  bindUser(deleteBan, async ({ caller }, { guild_id, target_id }) => {
    await unban(deps.appContext, caller.userId, { guildId: guild_id, targetId: target_id })
    return {}
  }),
]

/** Notes of moderators. */
export const noteRoutes = ({ appContext }: { readonly appContext: AppContext }): Binding[] => [
  bindUser(listNotesRoute, async ({ caller }, { guild_id, user_id }) => ({
    items: await listNotes(appContext, caller.userId, { guildId: guild_id, userId: user_id }),
  })),
  bindUser(createNote, ({ caller }, { guild_id, user_id, content }) =>
    writeNote(appContext, caller.userId, { guildId: guild_id, userId: user_id, content }),
  ),
  bindUser(updateNote, ({ caller }, { guild_id, id, content }) =>
    changeNote(appContext, caller.userId, { guildId: guild_id, id, content }),
  ),
  bindUser(deleteNote, async ({ caller }, { guild_id, id }) => {
    await removeNote(appContext, caller.userId, { guildId: guild_id, id })
    return {}
  }),
]

/** Removal of silent members. */
export const pruneRoutes = (deps: PruneDeps): Binding[] => [
  bindUser(previewRoute, ({ caller }, asked) => previewPrune(deps, caller.userId, prunedOf(asked))),
  bindUser(pruneMembers, ({ caller }, asked) => startPrune(deps, caller.userId, prunedOf(asked))),
  bindUser(viewPruneRoute, ({ caller }, { guild_id }) => viewPrune(deps, caller.userId, guild_id)),
]

const prunedOf = ({ guild_id, silent_days, role_ids }: InputOf<typeof pruneMembers>) => ({
  guildId: guild_id,
  silentDays: silent_days,
  roleIds: role_ids ?? [],
})

/** @throws Failure bad_input when nobody is named */
function mutedOf(input: {
  readonly guild_id: GuildId
  readonly user_id?: UserId | undefined
  readonly target_id?: UserId | undefined
  readonly type: number
}): { readonly guildId: GuildId; readonly targetId: UserId; readonly type: MuteType } {
  const targetId = input.user_id ?? input.target_id
  if (!targetId) throw fail('bad_input')
  return { guildId: input.guild_id, targetId, type: input.type as MuteType }
}

/** Pages leave `c` out in many ways. @throws Failure bad_input */
function channelOf(c: string | undefined): ChannelId | null {
  if (c === undefined || ['', 'null', 'undefined', '0'].includes(c)) return null
  const read = channelId.safeParse(c)
  if (!read.success) throw fail('bad_input')
  return read.data
}

function orderOf({
  active_time,
  joined_at,
}: {
  readonly active_time?: number | undefined
  readonly joined_at?: number | undefined
}): { readonly by: 'active_time' | 'joined_at'; readonly isDescending: boolean } | null {
  if (active_time !== undefined) return { by: 'active_time', isDescending: active_time === 1 }
  if (joined_at !== undefined) return { by: 'joined_at', isDescending: joined_at === 1 }
  return null
}
