/** Where a message may be forwarded to, and what of it fits a search or was used lately. Pure. */
import type { listRooms } from '@guildhall/wire/channel/rooms.ts'
import type { Chat } from '@guildhall/wire/chat/chat.ts'
import type { FriendEntry } from '@guildhall/wire/friend/friend.ts'
import type { listGuilds } from '@guildhall/wire/guild/guild.ts'
import type { ChannelId, UserId } from '@guildhall/wire/id.ts'
import type { AnswerOf } from '@guildhall/wire/route.ts'
import type { User } from '@guildhall/wire/user/shown.ts'
import { type Findable, findablePeople, findableRooms } from '../../kit/find/findable.ts'
import { findNamed } from '../../kit/find/findNamed.ts'
import { paths } from '../../kit/paths.ts'

export type Target = Findable &
  (
    | { readonly kind: 'person'; readonly id: UserId; readonly face: User }
    | { readonly kind: 'room'; readonly id: ChannelId }
  )

/** Those that are shown without a search. */
const RECENT_SHOWN = 6
const FOUND_SHOWN = 30

/** People whom one talks to, the last one first, then other friends, then the rooms of all guilds. */
export function targetsOf(of: {
  readonly chats: readonly Chat[]
  readonly friends: readonly FriendEntry[]
  readonly rooms: AnswerOf<typeof listRooms>
  readonly guilds: AnswerOf<typeof listGuilds>
}): Target[] {
  const personOf = findablePeople(of.friends)
  const known = new Map<UserId, Chat['target_info']>()
  for (const chat of of.chats)
    if (!chat.is_blocked && !chat.is_target_blocked) known.set(chat.target_info.id, chat.target_info)
  for (const { friend_info } of of.friends)
    if (!known.has(friend_info.id)) known.set(friend_info.id, friend_info)
  const people = [...known.values()].map((face) => ({ ...personOf(face, paths.chatWith(face.id)), face }))
  return [...people, ...findableRooms(of.rooms, of.guilds)]
}

/** Those that fit what was typed, the best first. */
export const foundTargets = (all: readonly Target[], typed: string): Target[] =>
  findNamed(all, typed, ({ name, spelling }) => [[name, spelling]]).slice(0, FOUND_SHOWN)

/** Those opened or forwarded to last (`recent`: their paths, the last one first), then the last people. */
export function recentTargets(all: readonly Target[], recent: readonly string[]): Target[] {
  const lately = recent.flatMap((path) => all.find((it) => it.path === path) ?? [])
  const people = all.filter((it) => it.kind === 'person')
  return [...new Set([...lately, ...people])].slice(0, RECENT_SHOWN)
}
