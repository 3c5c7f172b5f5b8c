/** The calls about the members of a guild. */
import { fail } from '@guildhall/wire/failure.ts'
import { type ChannelId, channelId } from '@guildhall/wire/id.ts'
import { listMembers as listMembersRoute, userList as userListRoute } from '@guildhall/wire/member/member.ts'
import { type Binding, bindUser } from '../kit/http/binding.ts'
import { listMembers, type MemberLists, userList } from './member.ts'

export const memberRoutes = (it: MemberLists): Binding[] => [
  bindUser(listMembersRoute, ({ caller }, { id, offset, perPage, c, search }) =>
    listMembers(it, caller.userId, {
      guildId: id,
      channelId: channelOf(c),
      offset,
      limit: perPage,
      search: search ?? '',
    }),
  ),
  bindUser(userListRoute, ({ caller }, asked) =>
    userList(it, caller.userId, {
      guildId: asked.guild_id,
      channelId: asked.channel_id ?? null,
      search: asked.search ?? '',
      roleId: asked.role_id ?? null,
      isVerified: asked.mobile_verified === undefined ? null : asked.mobile_verified === 1,
      onlyId: asked.filter_user_id ?? null,
      order: orderOf(asked),
      page: asked.page,
      size: asked.page_size,
    }),
  ),
]

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
