/**
 * Reading guilds and channels by the public protocol: flat, in the order of the tree. protocol.md §4.1, §4.5.
 */
import { channelType } from '@guildhall/wire/channel/channel.ts'
import type { PublicChannel } from '@guildhall/wire/channel/publicChannel.ts'
import { fail } from '@guildhall/wire/failure.ts'
import { toPublicGuild, toPublicRole } from '@guildhall/wire/guild/publicGuild.ts'
import type { ChannelId, GuildId, UserId } from '@guildhall/wire/id.ts'
import { LIST_SIZE_MAX } from '@guildhall/wire/page.ts'
import type { AppContext } from '../kit/events/events.ts'
import { requireView, userRulesFor, type VisibleChannel, type VisibleGuild, visibleGuild } from './channel.ts'
import { publicOf } from './wireForm.ts'

const flatOf = ({ tree }: VisibleGuild): VisibleChannel[] =>
  tree.flatMap((entry) => [entry, ...entry.children])

async function publicChannelsOf(
  appContext: AppContext,
  userId: UserId,
  { roles, viewer }: Pick<VisibleGuild['inside'], 'roles' | 'viewer'>,
  entries: readonly VisibleChannel[],
): Promise<PublicChannel[]> {
  const users = await userRulesFor(appContext, userId, entries)
  return entries.map(({ channel, permissions }) =>
    publicOf(channel, {
      rules: channel.rules,
      roles,
      permissions,
      isMaster: viewer.is_master,
      users: users.get(channel.id) ?? [],
    }),
  )
}

/**
 * A guild with its roles and visible channels.
 * @throws Failure forbidden
 */
export async function viewPublicGuild(appContext: AppContext, userId: UserId, guildId: GuildId) {
  const seen = await visibleGuild(appContext.db, userId, guildId)
  const { summary, nickname, roles } = seen.inside
  return {
    ...toPublicGuild(summary, nickname),
    roles: roles.map(toPublicRole),
    channels: await publicChannelsOf(appContext, userId, seen.inside, flatOf(seen)),
  }
}

/**
 * A page of a guild's visible channels: all, or those of a type with the categories; or those in a category.
 * @throws Failure forbidden
 */
export async function listChannels(
  appContext: AppContext,
  userId: UserId,
  input: {
    readonly guildId: GuildId
    readonly type: number | undefined
    readonly parentId: ChannelId | undefined
    readonly page: number
    readonly size: number
  },
) {
  const seen = await visibleGuild(appContext.db, userId, input.guildId)
  const all = flatOf(seen).filter(({ channel: { type, parent_id } }) => {
    if (input.parentId !== undefined && parent_id !== input.parentId) return false
    return input.type === undefined || type === input.type || type === channelType.category
  })
  const limit = Math.min(input.size, LIST_SIZE_MAX)
  const first = (input.page - 1) * limit
  const { length: total } = all
  return {
    items: await publicChannelsOf(appContext, userId, seen.inside, all.slice(first, first + limit)),
    meta: { page: input.page, page_total: Math.ceil(total / limit), page_size: limit, total },
    sort: {},
  }
}

/**
 * One channel, with the ids of its visible children when asked.
 * @throws Failure forbidden
 */
export async function viewPublicChannel(
  appContext: AppContext,
  userId: UserId,
  input: { readonly channelId: ChannelId; readonly withChildren: boolean },
) {
  const access = await requireView(appContext.db, userId, input.channelId)
  const users = await userRulesFor(appContext, userId, [access])
  const channel = publicOf(access.channel, {
    ...access,
    users: users.get(input.channelId) ?? [],
    isMaster: access.viewer.is_master,
  })
  if (!input.withChildren) return channel
  const { tree } = await visibleGuild(appContext.db, userId, access.channel.guild_id)
  const entry = tree.find((each) => each.channel.id === input.channelId)
  return { ...channel, children: (entry?.children ?? []).map((child) => child.channel.id) }
}

/** A channel after its change. `is_category` is 0 or 1. */
export async function changedChannel(appContext: AppContext, userId: UserId, channelId: ChannelId) {
  const channel = await viewPublicChannel(appContext, userId, { channelId, withChildren: false }).catch(
    () => null,
  )
  // Who may no longer view it does not learn what became of it.
  if (!channel) throw fail('forbidden')
  return { ...channel, is_category: channel.is_category ? 1 : 0 }
}
