import { listRooms } from '@guildhall/wire/channel/rooms.ts'
import { listChats } from '@guildhall/wire/chat/chat.ts'
import { listFriends } from '@guildhall/wire/friend/friend.ts'
import { listGuilds } from '@guildhall/wire/guild/guild.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import { FOUND_MAX, findCallable, SEARCH_MAX } from '@guildhall/wire/message/mention.ts'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { CallFailure } from '../../kit/call.ts'
import { findNamed } from '../../kit/find/findNamed.ts'
import { useText } from '../../kit/i18n.ts'
import { paths } from '../../kit/paths.ts'
import { useRouteQuery } from '../../kit/routeQuery.ts'
import { TextChannelIcon } from '../../ui/icon/icons.tsx'
import { Avatar, type Face } from '../../ui/picture/Avatar.tsx'
import { GuildIcon } from '../../ui/picture/GuildIcon.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import styles from '../SearchScreen.module.css'
import type { ShownProps } from './HitsState.tsx'
import { hitsText } from './hitsText.ts'
import { Failed, None } from './State.tsx'

/** People, channels or guilds whose names fit; all of them without a word. */
export default function NamedHits(props: ShownProps) {
  const { kind, scope, guildId } = props.asked
  if (kind === 'channels') return <Channels {...props} />
  if (kind === 'guilds') return <Guilds {...props} />
  return guildId !== null && scope !== 'all' ? <Members {...props} guildId={guildId} /> : <Known {...props} />
}

interface Named {
  readonly key: string
  readonly to: string
  readonly icon: ReactNode
  readonly name: string
  readonly detail: string
}

/** The rows, or why they are not there. */
function Rows(props: {
  all: readonly Named[] | null
  of: ShownProps
  failure: CallFailure | null
  onRetry: () => void
}) {
  const { all, of } = props
  const t = useText(hitsText)
  if (!all && props.failure)
    return <Failed failure={props.failure} asked={of.asked} onRetry={props.onRetry} onWider={of.onWider} />
  if (!all)
    return (
      <div role="status" aria-label={t.loading}>
        {[120, 80, 150].map((width) => (
          <div key={width} className={styles.named}>
            <Skeleton className={styles.blank} />
            <Skeleton width={width} />
          </div>
        ))}
      </div>
    )
  if (all.length === 0) return <None asked={of.asked} onWider={of.onWider} />
  return (
    <>
      <p className={styles.count} role="status">
        {t.countOf(String(all.length))}
      </p>
      <ul>
        {all.map((it) => (
          <li key={it.key}>
            <Link className={styles.named} data-part="hit" to={it.to} onClick={of.onOpen}>
              <span className={styles.sign}>{it.icon}</span>
              <span className={styles.body}>
                <b className={styles.name}>{it.name}</b>
                <span className={styles.where}>{it.detail}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}

function Channels(props: ShownProps) {
  const { q, guildId, scope } = props.asked
  const rooms = useRouteQuery(listRooms, {})
  const guilds = useRouteQuery(listGuilds, {}).answer ?? []
  const there = rooms.answer?.filter((it) => scope === 'all' || it.guild_id === guildId) ?? null
  const all =
    there &&
    findNamed(there, q.replace(/^#/, ''), (it) => [[it.name, it.spelling]]).map((it) => ({
      key: it.id,
      to: paths.room(it.guild_id, it.id),
      icon: <TextChannelIcon />,
      name: it.name,
      detail: guilds.find(({ id }) => id === it.guild_id)?.name ?? '',
    }))
  return <Rows all={all} of={props} failure={rooms.failure} onRetry={rooms.refetch} />
}

function Guilds(props: ShownProps) {
  const guilds = useRouteQuery(listGuilds, {})
  const all =
    guilds.answer &&
    findNamed(guilds.answer, props.asked.q, (it) => [[it.name, it.spelling ?? '']]).map((it) => ({
      key: it.id,
      to: paths.guild(it.id),
      icon: <GuildIcon id={it.id} name={it.name} src={it.icon} size={40} />,
      name: it.name,
      detail: '',
    }))
  return <Rows all={all} of={props} failure={guilds.failure} onRetry={guilds.refetch} />
}

/** Members of the guild from which one came. */
function Members(props: ShownProps & { guildId: GuildId }) {
  const members = useRouteQuery(findCallable, {
    guild_id: props.guildId,
    search: props.asked.q.slice(0, SEARCH_MAX),
    page_size: FOUND_MAX,
  })
  const all = members.answer?.items.map((it) => personOf(it, paths.chatWith(it.id))) ?? null
  return <Rows all={all} of={props} failure={members.failure} onRetry={members.refetch} />
}

/** Friends, and people with whom one has a conversation. */
function Known(props: ShownProps) {
  const friends = useRouteQuery(listFriends, { type: 'friend' })
  const chats = useRouteQuery(listChats, {})
  const talkedTo = chats.answer?.items ?? []
  const people =
    friends.answer && (chats.answer || chats.failure)
      ? [
          ...talkedTo.map(({ code, target_info }) => ({
            ...personOf(target_info, paths.chat(code)),
            spelling: '',
          })),
          ...friends.answer.friend
            .filter(({ friend_info: it }) => talkedTo.every(({ target_info }) => target_info.id !== it.id))
            .map(({ friend_info, spelling }) => ({
              ...personOf(friend_info, paths.chatWith(friend_info.id)),
              spelling: spelling ?? '',
            })),
        ]
      : null
  const all = people && findNamed(people, props.asked.q, (it) => [[it.name + it.detail, it.spelling]])
  return <Rows all={all} of={props} failure={friends.failure} onRetry={friends.refetch} />
}

const personOf = (it: Face & { readonly identify_num: string }, to: string): Named => ({
  key: it.id,
  to,
  icon: <Avatar of={it} size={40} />,
  name: it.nickname || it.username,
  detail:
    it.nickname && it.nickname !== it.username ? `${it.username}#${it.identify_num}` : `#${it.identify_num}`,
})
