/** Lists of people: friends, conversations, and the members of a guild. */
import type { Guild } from '@guildhall/wire/channel/channel.ts'
import { type Chat, listChats } from '@guildhall/wire/chat/chat.ts'
import { type FriendEntry, listFriends } from '@guildhall/wire/friend/friend.ts'
import { listMembers, type Member } from '@guildhall/wire/member/member.ts'
import type { AvatarFrame } from '@guildhall/wire/user/avatarFrame.ts'
import type { On } from '../../answers.ts'
import { friendsOf } from '../../fixtures.ts'
import { memberOf } from '../../members.ts'
import { messageLike } from '../../messages.ts'
import { longName } from '../kinds.tsx'
import { ofGuild } from './guild.ts'
import { faces } from './pictures.ts'
import type { Shown } from './screen.ts'

export interface Known {
  readonly id: string
  readonly username: string
  readonly avatar: string
  readonly online: boolean
  readonly is_vip: boolean
  readonly avatar_frame: AvatarFrame | ''
}
export const person = (id: string, username: string, more: Partial<Known> = {}): Known => ({
  id,
  username,
  avatar: '',
  online: false,
  is_vip: false,
  avatar_frame: '',
  ...more,
})
export const known = [
  person('31', '安然', { avatar: faces.friend, online: true, is_vip: true, avatar_frame: 'gold' }),
  person('32', '北岛', { avatar: faces.host, online: true }),
  person('33', '小橙', { online: true, is_vip: true, avatar_frame: 'jade' }),
  person('34', longName.username, { avatar: faces.guest, is_vip: true }),
  person('35', '夜航船'),
]

const entry = (of: Known, more: Partial<FriendEntry> = {}): FriendEntry => {
  const [made] = friendsOf([of]).friend
  return { ...made!, friend_info: { ...made!.friend_info, ...of } as never, ...more }
}
export const friends = (on: On) => {
  const asked = entry(person('36', '阿树', { avatar: faces.host }), { type: 'request' })
  const asks = entry(person('37', '小美', { avatar: faces.guest }), { type: 'request', own: true })
  const letters = entry(person('38', longName.username), { type: 'request' })
  on(listFriends, () => ({
    ...friendsOf([]),
    request: [asked, letters],
    all_request: [asked, letters, asks],
    friend: known.map((it) => entry(it)),
    blocked: [entry(person('39', '广告'), { type: 'blocked' })],
  }))
}

const chat = (of: Known, words: string, unread_count = 0): Chat => ({
  code: of.id.padStart(32, '0'),
  last_read_time: 0,
  latest_msg_time: Date.now() - Number(of.id) * 3_600_000,
  unread_count,
  is_friend: true,
  is_blocked: false,
  is_target_blocked: false,
  target_info: { ...messageLike(1).author, ...of } as never,
  read_seq: 0,
  last_message: {
    id: messageLike(1).id,
    author_id: of.id as never,
    type: 9,
    words,
  },
})
export const chats = (on: On) =>
  on(listChats, () => ({
    items: known.map((it, at) => chat(it, at === 3 ? longName.username : '周六见', at === 0 ? 12 : 0)),
    meta: {
      page: 1,
      page_total: 1,
      page_size: 50,
      total: known.length,
    },
    sort: {},
  }))

const member = (of: Known, more: Partial<Member> = {}): Member =>
  ({ ...memberOf(of.id, of.username), ...of, ...more }) as never
export const members = (on: On, guild: Guild) => {
  const online = known.filter((it) => it.online)
  const role = {
    role_id: 4,
    name: '策展人',
    color: 0xd9480f,
  }
  ofGuild(on, guild)
  on(listMembers, () => ({
    data: [
      ...online.map((it) =>
        member(it, { hoist_info: role as never, color: role.color, is_master: it.id === '31' }),
      ),
      ...known.filter((it) => !it.online).map((it) => member(it)),
    ],
    online_count: online.length,
    offline_count: known.length - online.length,
    groups: [
      { ...role, kind: 'role', count: online.length } as never,
      { kind: 'offline', role_id: 0, name: '', color: 0, count: known.length - online.length } as never,
    ],
  }))
}

export const peopleScreens: readonly Shown[] = [
  {
    name: 'friends',
    at: '/friends',
    answer: friends,
  },
  {
    name: 'no-friends',
    at: '/friends',
  },
  {
    name: 'chats',
    at: '/chats',
    answer: chats,
  },
]
