/** Members as lists of them answer. */
import type { UserId } from '@guildhall/wire/id.ts'
import type { userList } from '@guildhall/wire/member/userList.ts'
import type { AnswerOf } from '@guildhall/wire/route.ts'
import { sessionOf } from './fixtures.ts'

export type ListedMember = AnswerOf<typeof userList>['items'][number]

export const memberOf = (id: string, nickname: string, roles: number[] = []): ListedMember => ({
  ...sessionOf().user,
  id: id as UserId,
  username: nickname,
  nickname,
  roles,
  os: '',
  color: 0,
  is_master: false,
  is_admin: false,
  online: false,
  game: '',
  hoist_info: null,
  mobile_verified: true,
  joined_at: Date.now(),
  active_time: Date.now(),
  abbr: '',
})
export const listOf = (items: ListedMember[], more: object = {}): AnswerOf<typeof userList> => ({
  items,
  meta: { page: 1, page_total: 1, page_size: 50, total: items.length, ...more },
  sort: {},
  user_count: items.length,
  online_count: 0,
  offline_count: 0,
})
