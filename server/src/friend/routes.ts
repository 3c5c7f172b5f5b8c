/** The calls of friends. */
import { fail } from '@guildhall/wire/failure.ts'
import {
  blockPerson as blockPersonRoute,
  createRelation,
  deleteFriend as deleteFriendRoute,
  handleRelation,
  handleRequest,
  listFriends,
  requestFriend as requestFriendRoute,
  unblockPerson as unblockPersonRoute,
  unravelRelation,
} from '@guildhall/wire/friend/friend.ts'
import { writePersonNote as writePersonNoteRoute } from '@guildhall/wire/friend/personNote.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import type { AppContext } from '../kit/events/events.ts'
import { type Binding, bindUser } from '../kit/http/binding.ts'
import {
  answerRequest,
  blockPerson,
  deleteFriend,
  entriesOf,
  requestFriend,
  unblockPerson,
  writePersonNote,
} from './friend.ts'

/**
 * `owners`: of some people, those who have a product, and are not given it. `spellingOf`: the pinyin of a
 * name.
 */
export interface FriendRouteDeps {
  readonly appContext: AppContext
  /** Of some people, those who have a product already. */
  readonly owners: (productId: number, userIds: readonly UserId[]) => Promise<ReadonlySet<UserId>>
  readonly spellingOf: (name: string) => string
}

export const friendRoutes = ({ appContext, owners, spellingOf }: FriendRouteDeps): Binding[] => [
  bindUser(listFriends, async ({ caller }, { type, product_id }) => {
    const all = await entriesOf(appContext, caller.userId)
    const wanted = type === 'block' ? 'blocked' : type
    const of = (kind: 'friend' | 'request' | 'blocked') =>
      wanted === undefined || wanted === kind ? all.filter((it) => it.type === kind) : []
    const requests = of('request')
    const friends = of('friend')
    const friendIds = friends.map((it) => it.friend_info.id)
    const have = product_id === undefined ? null : await owners(product_id, friendIds)
    const shown = friends.map((it) => ({
      ...it,
      ...(have && { own: have.has(it.friend_info.id) }),
      ...(type !== undefined && { spelling: spellingOf(it.friend_info.username) }),
    }))
    return {
      request: requests.filter((it) => !it.own),
      friend: shown,
      blocked: of('blocked'),
      block: of('blocked'),
      all_request: requests,
      relation: [],
    }
  }),
  bindUser(requestFriendRoute, async ({ caller }, { user_code }) => {
    await requestFriend(appContext, caller.userId, user_code)
    return {}
  }),
  bindUser(handleRequest, async ({ caller }, { id, accept }) => {
    await answerRequest(appContext, caller.userId, { id, accept: accept === 1 })
    return true
  }),
  ...(
    [
      [deleteFriendRoute, deleteFriend],
      [blockPersonRoute, blockPerson],
      [unblockPersonRoute, unblockPerson],
    ] as const
  ).map(([route, act]) =>
    bindUser(route, async ({ caller }, { user_id }) => {
      await act(appContext, caller.userId, user_id)
      return {}
    }),
  ),
  bindUser(writePersonNoteRoute, async ({ caller }, { user_id, note }) => {
    await writePersonNote(appContext, caller.userId, { targetId: user_id, note })
    return {}
  }),
  ...[createRelation, handleRelation, unravelRelation].map((route) =>
    bindUser(route, async () => {
      throw fail('friend.no_relations')
    }),
  ),
]
