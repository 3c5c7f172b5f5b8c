/** Where the switcher leads, and what fits what was typed. Pure. */
import type { listRooms } from '@guildhall/wire/channel/rooms.ts'
import type { Chat } from '@guildhall/wire/chat/chat.ts'
import type { FriendEntry } from '@guildhall/wire/friend/friend.ts'
import type { listGuilds } from '@guildhall/wire/guild/guild.ts'
import type { AnswerOf } from '@guildhall/wire/route.ts'
import { type Findable, findablePeople, findableRooms } from '../../../kit/find/findable.ts'
import { findNamed } from '../../../kit/find/findNamed.ts'
import { paths } from '../../../kit/paths.ts'

export interface Destination extends Findable {
  readonly kind: 'room' | 'guild' | 'person' | 'page' | 'search'
}

export interface NamedPage {
  readonly path: string
  readonly name: string
  /** What it is a page of. */
  readonly detail?: string
}

/** What destinations are made of; null: not loaded yet. */
export interface Sources {
  readonly rooms: AnswerOf<typeof listRooms> | null
  readonly guilds: AnswerOf<typeof listGuilds> | null
  readonly chats: readonly Chat[] | null
  readonly friends: readonly FriendEntry[] | null
  readonly pages: readonly NamedPage[]
}

export const MOST_SHOWN = 20

/** All destinations: rooms, guilds, people whom one talks to or knows, and pages. */
export function destinationsOf({ rooms, guilds, chats, friends, pages }: Sources): Destination[] {
  const talkedTo = new Set((chats ?? []).map((it) => it.target_info.id))
  const personOf = findablePeople(friends ?? [])
  return [
    ...findableRooms(rooms ?? [], guilds ?? []),
    ...(chats ?? []).map(({ code, target_info }) => personOf(target_info, paths.chat(code))),
    ...(friends ?? [])
      .filter(({ friend_info }) => !talkedTo.has(friend_info.id))
      .map(({ friend_info }) => personOf(friend_info, paths.chatWith(friend_info.id))),
    ...(guilds ?? []).map(
      ({ id, name, spelling = '' }): Destination => ({
        kind: 'guild',
        path: paths.guild(id),
        name,
        spelling,
        detail: '',
      }),
    ),
    ...pages.map(
      ({ path, name, detail = '' }): Destination => ({
        kind: 'page',
        path,
        name,
        spelling: '',
        detail,
      }),
    ),
  ]
}

/**
 * Those that fit what was typed, the best first: among equals what is unread, then what was opened lately
 * (`recent`: paths, the last one first). With nothing typed the unread and recent ones alone.
 */
export function found(
  all: readonly Destination[],
  typed: string,
  { unread, recent }: { readonly unread: ReadonlySet<string>; readonly recent: readonly string[] },
): Destination[] {
  const lately = ({ path }: Destination): number => {
    const at = recent.indexOf(path)
    return at < 0 ? recent.length : at
  }
  const isUnread = ({ path }: Destination): number => (unread.has(path) ? 0 : 1)
  const ordered = all.toSorted((a, b) => isUnread(a) - isUnread(b) || lately(a) - lately(b))
  const known = ordered.filter((it) => isUnread(it) === 0 || lately(it) < recent.length)
  const fit = typed.trim() === '' ? known : findNamed(ordered, typed, (it) => [[it.name, it.spelling]])
  return fit.slice(0, MOST_SHOWN)
}
