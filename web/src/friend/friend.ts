import { listChats, viewChat } from '@guildhall/wire/chat/chat.ts'
import { listFriends } from '@guildhall/wire/friend/friend.ts'
import { viewPerson } from '@guildhall/wire/member/person.ts'
import { invalidateRoute } from '../kit/routeQuery.ts'

/** What somebody is to the user, or what the user noted of them, changed: the cached answers are outdated. */
export function friendsChanged(): void {
  invalidateRoute(listFriends)
  invalidateRoute(listChats)
  invalidateRoute(viewChat)
  invalidateRoute(viewPerson)
}
