/** Friends, requests and blocks. protocol.md §4.15. */

import { event } from '../event.ts'
import { guildId, userId } from '../id.ts'
import { route } from '../route.ts'
import { int, nothing, type Out, text, z } from '../schema.ts'
import { foldCode } from '../typed.ts'
import { user } from '../user/shown.ts'
import { readName } from '../words.ts'

/** Friends of one person. */
export const FRIENDS_MAX = 1_000
/** Requests of one person that are not answered. */
export const REQUESTS_MAX = 100
/** People whom one person blocks. */
export const BLOCKS_MAX = 1_000

/** `name#1234` as somebody typed or pasted it. */
export function readUserCode(typed: string): string {
  const [, name = '', digits = ''] = /^(.*)[#＃](.*)$/s.exec(typed) ?? []
  return name === '' ? readName(typed) : `${readName(name)}#${foldCode(digits)}`
}

export const friendType = { friend: 'friend', request: 'request', blocked: 'blocked' } as const

/** A friend, a request or a blocked person. */
export const friendEntry = z.object({
  id: z.number(),
  type: z.enum(['friend', 'request', 'blocked']),
  friend_info: user,
  /** The caller asked, or blocks. */
  own: z.boolean(),
  /** Close relations are not offered: 0 and null. */
  relation_type: z.number(),
  relation_time: z.number(),
  relation_status: z.number(),
  /** 1: friends; 0: not. */
  friend_status: z.number(),
  /** When it began, ms. Ours. */
  created_at: z.number(),
  /** The pinyin of a friend's username, for searches, where the list was asked for by its `type`. Ours. */
  spelling: z.optional(z.string()),
})
export type FriendEntry = Out<typeof friendEntry>

const entries = z.array(friendEntry)

/**
 * Friends, requests that others sent, and blocked people; with a `type` that list alone. `all_request` has
 * the caller's own requests as well; `block` says the same as `blocked`. The newest first.
 */
export const listFriends = route({
  method: 'GET',
  path: '/api/v3/friend',
  dialect: 'v3',
  who: 'user',
  input: z.object({
    type: z.optional(z.enum(['friend', 'request', 'block', 'blocked'])),
    /** Friends are asked for to give them this product: `own` then says that they have it. commerce.md §7. */
    product_id: z.optional(int()),
    count: z.optional(int()),
  }),
  answer: z.object({
    request: entries,
    friend: entries,
    blocked: entries,
    block: entries,
    all_request: entries,
    relation: z.array(z.unknown()),
  }),
  fails: [],
})

/**
 * Asks a person, by `name#1234`, to become a friend. Who asks somebody that has asked them becomes their
 * friend at once; asking again changes nothing. Somebody who blocks the caller never learns of it, nor does
 * the caller.
 */
export const requestFriend = route({
  method: 'POST',
  path: '/api/v3/friend/request',
  dialect: 'v3',
  who: 'user',
  input: z.object({
    user_code: text(60, 1, readUserCode),
    /** 0: by search, 2: from a guild. */
    from: z._default(int(0, 2), 0),
    guild_id: z.optional(guildId),
  }),
  answer: nothing,
  fails: [
    'friend.unknown',
    'friend.self',
    'friend.blocked',
    'friend.already',
    'friend.too_fast',
    'friend.too_many',
    'friend.unverified',
  ],
})

/** Answers a request by its id: 1 accepts it, 0 refuses it. */
export const handleRequest = route({
  method: 'POST',
  path: '/api/v3/friend/handle-request',
  dialect: 'v3',
  who: 'user',
  input: z.object({ id: int(1, 2 ** 31 - 1), accept: int(0, 1) }),
  answer: z.boolean(),
  fails: ['friend.request_unknown', 'friend.too_many'],
})

const person = z.object({ user_id: userId })

/** Ends a friendship, or takes the own request back. Idempotent. */
export const deleteFriend = route({
  method: 'POST',
  path: '/api/v3/friend/delete',
  dialect: 'v3',
  who: 'user',
  input: person,
  answer: nothing,
  fails: [],
})

/** Blocks a person: a friendship ends, and neither writes to the other nor asks. Idempotent. */
export const blockPerson = route({
  method: 'POST',
  path: '/api/v3/friend/block',
  dialect: 'v3',
  who: 'user',
  input: person,
  answer: nothing,
  fails: ['friend.self', 'friend.too_many', 'user.unknown'],
})

export const unblockPerson = route({
  method: 'POST',
  path: '/api/v3/friend/unblock',
  dialect: 'v3',
  who: 'user',
  input: person,
  answer: nothing,
  fails: [],
})

const relation = {
  method: 'POST',
  dialect: 'v3',
  who: 'user',
  answer: nothing,
  fails: ['friend.no_relations'],
} as const

/** Close relations are not offered. */
export const createRelation = route({
  ...relation,
  path: '/api/v3/friend/create-relation',
  input: z.object({ user_code: text(60, 0, readUserCode), relation_type: int() }),
})
export const handleRelation = route({
  ...relation,
  path: '/api/v3/friend/handle-relation',
  input: z.object({ id: int(), accept: int(0, 1) }),
})
export const unravelRelation = route({ ...relation, path: '/api/v3/friend/unravel-relation', input: person })

/** What a person is to the user from now on, who learns it on all devices. Ours. */
export const friendUpdated = event(
  'updated_friend',
  'person',
  z.object({ user_id: userId, type: z.enum(['friend', 'request', 'blocked', 'none']), own: z.boolean() }),
  { access: 'none', dialects: 'pages' },
)
