/** Rooms and people as they are found by name: to go there, or to forward something there. */
import type { listRooms } from '@guildhall/wire/channel/rooms.ts'
import type { FriendEntry } from '@guildhall/wire/friend/friend.ts'
import type { listGuilds } from '@guildhall/wire/guild/guild.ts'
import type { AnswerOf } from '@guildhall/wire/route.ts'
import type { User } from '@guildhall/wire/user/shown.ts'
import { paths } from '../paths.ts'

export interface Findable {
  /** Its page, by which it is remembered. */
  readonly path: string
  readonly name: string
  /** The pinyin of the name; empty without. */
  readonly spelling: string
  /** What stands behind the name: the guild of a room, the number of a person. */
  readonly detail: string
}

export function findableRooms(rooms: AnswerOf<typeof listRooms>, guilds: AnswerOf<typeof listGuilds>) {
  const guildNames = new Map(guilds.map(({ id, name }) => [id, name]))
  return rooms.map(({ id, guild_id, name, spelling }) => ({
    kind: 'room' as const,
    id,
    path: paths.room(guild_id, id),
    name,
    spelling,
    detail: guildNames.get(guild_id) ?? '',
  }))
}

/** Makes people findable; the spellings of their names come from `friends`. */
export function findablePeople(friends: readonly FriendEntry[]) {
  const spellings = new Map(friends.map((it) => [it.friend_info.id, it.spelling ?? '']))
  return ({ id, username, identify_num }: User, path: string) => ({
    kind: 'person' as const,
    id,
    path,
    name: username,
    spelling: spellings.get(id) ?? '',
    detail: `#${identify_num}`,
  })
}
