import { viewUser } from '@guildhall/wire/guild/guild.ts'
import { type PersonView, viewPerson } from '@guildhall/wire/member/person.ts'
import { listReactions } from '@guildhall/wire/message/reactors.ts'
import { AVATAR_FRAMES } from '@guildhall/wire/user/avatarFrame.ts'
import { cache, queryKeyOf } from '../../kit/routeQuery.ts'
import { PersonCard } from '../../message/menu/PersonSheet.tsx'
import { Reactors } from '../../message/menu/ReactorsSheet.tsx'
import { UnreadBar } from '../../room/list/UnreadBar.tsx'
import { Avatar } from '../../ui/picture/Avatar.tsx'
import { messageLike } from '../messages.ts'
import styles from './Gallery.module.css'
import { longName } from './kinds.tsx'
import { context } from './kmarkdown.tsx'
import { faces, icons } from './screens/pictures.ts'
import type { Section, State } from './section.ts'

const author = messageLike(1).author
const role = (role_id: number, name: string, color: number) => ({
  role_id,
  name,
  color,
  position: role_id,
  hoist: 0,
  mentionable: 1,
  permissions: 0,
})
const guild = {
  ...context.guild!,
  roles: [
    { ...role(0, '策展人', 0xd9480f), color_map: { color_list: [0xd9480f, 0xc2255c, 0x5f3dc4] }, role_id: 4 },
    role(1, '管理员', 0x0b7a53),
    role(2, '主播', 0x1f66d0),
    role(3, longName.username, 0),
  ] as never[],
}
const known = { ...author, nickname: '夜航船', roles: [1, 2, 3] }
const put = (user_id: string, more: object) =>
  cache.setQueryData(queryKeyOf(viewUser, { user_id: user_id as never, guild_id: '10' as never }), {
    ...known,
    id: user_id,
    joined_at: 1_790_000_000_000,
    is_master: false,
    ...more,
  })
put('801', { is_master: true, avatar: faces.friend })
put('802', { nickname: longName.username, username: longName.username, bot: true, online: false })
put('803', { nickname: `🌅 ${longName.username}`, roles: [4, 1] })
put('804', { username: '公会厅', nickname: '公会厅', roles: [], bot: true, is_sys: true })
put('805', {
  avatar: faces.friend,
  vip_avatar: faces.friend,
  is_vip: true,
  avatar_frame: 'gold',
  buff_since: 1_772_400_000_000,
})
const note = '老同学，周三一起录节目'
const common = (user_id: string, person: PersonView) =>
  cache.setQueryData(queryKeyOf(viewPerson, { user_id: user_id as never }), person)
common('801', {
  note,
  guilds: {
    total: 2,
    items: [icons.night, ''].map((icon, n) => ({ id: `${n}` as never, name: `公会 ${n + 1}`, icon })),
  },
  friends: {
    total: 14,
    items: [faces.host, '', faces.guest].map((avatar, n) => ({
      ...author,
      id: `${n}` as never,
      username: `${n} 号`,
      avatar,
    })),
  },
})
for (const user_id of ['802', '804', '805'])
  common(user_id, { note: '', guilds: { total: 0, items: [] }, friends: { total: 0, items: [] } })
common('803', {
  note: longName.username,
  guilds: { total: 0, items: [] },
  friends: { total: 0, items: [] },
})
const card = (name: string, userId: string, isKnown = true): State => ({
  name,
  draw: () => (
    <div className={styles.sheet}>
      <PersonCard
        userId={userId}
        guild={guild}
        known={isKnown ? known : null}
        guildId={'10' as never}
        meId="7"
        onMention={() => undefined}
      />
    </div>
  ),
})

const message = messageLike(1, {
  reactions: [
    { emoji: { id: '[#128077;]', name: '👍' }, count: 2, me: true },
    { emoji: { id: '1/a', name: '加油' }, count: 12, me: false },
  ],
})
cache.setQueryData(
  queryKeyOf(listReactions, { msg_id: message.id, emoji: '[#128077;]' }),
  [
    { ...known, is_vip: true, avatar_frame: 'sky' },
    { ...known, id: '9', nickname: longName.username, is_vip: true },
  ].map((it) => ({ ...it, reaction_time: 1 })),
)

export const people: Section = {
  id: 'people',
  title: 'People',
  states: [
    card('a person', '801'),
    card('a bot with a long name', '802'),
    card('a long name with an emoji in a gradient', '803'),
    card('the official account', '804'),
    card('a member of BUFF', '805'),
    {
      name: 'rings around letters and pictures',
      draw: () => (
        <div className={styles.faces}>
          {(['', ...AVATAR_FRAMES] as const).flatMap((avatar_frame) =>
            ['', faces.me].flatMap((avatar) =>
              [24, 40, 72].map((size) => (
                <Avatar
                  key={`${avatar_frame}${avatar}${size}`}
                  of={{ id: '7', username: '小满', avatar, avatar_frame }}
                  size={size}
                />
              )),
            ),
          )}
        </div>
      ),
    },
    {
      name: 'who reacted',
      draw: () => (
        <div className={styles.sheet}>
          <Reactors message={message} emoji={message.reactions[0]!.emoji} onClose={() => undefined} />
        </div>
      ),
    },
    {
      name: 'unread above',
      draw: () => (
        <div className={styles.bar}>
          <UnreadBar
            unread={{ readSeq: 1, count: 70, first: { id: 'x', seq: 2 } }}
            rows={[{ kind: 'message', key: 'x', head: true, isUnderDay: true, message: messageLike(80) }]}
            firstShown={0}
            onPress={() => undefined}
          />
        </div>
      ),
    },
  ],
}
