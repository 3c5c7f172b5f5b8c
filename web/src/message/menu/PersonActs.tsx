import { listFriends, requestFriend } from '@guildhall/wire/friend/friend.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useText } from '../../kit/i18n.ts'
import { paths } from '../../kit/paths.ts'
import { invalidateRoute, useRouteQuery } from '../../kit/routeQuery.ts'
import { useCall } from '../../kit/useCall.ts'
import { ChatIcon } from '../../ui/icon/icons.tsx'
import { CheckIcon } from '../../ui/icon/laterIcons.tsx'
import { AddPersonIcon, MentionIcon } from '../../ui/icon/personIcons.tsx'
import { toast } from '../../ui/overlay/Toast.tsx'
import type { KnownPerson } from '../person.ts'
import styles from './PersonActs.module.css'
import { sheetText } from './sheetText.ts'

/**
 * What a reader does most with a person, side by side: writing to them, mentioning them, becoming friends.
 * Each has its place from the start.
 */
export function PersonActs(props: {
  userId: string
  /** Null: nothing is known of them yet. */
  person: KnownPerson | null
  guildId: GuildId | null
  /** Null: the reader cannot write here. */
  onMention: (() => void) | null
}) {
  const { userId, person, onMention } = props
  const t = useText(sheetText)
  return (
    <div className={styles.acts}>
      <Link className={`${styles.act} ${styles.main}`} to={paths.chatWith(userId)}>
        <ChatIcon />
        {t.message}
      </Link>
      {onMention && (
        <button type="button" className={styles.act} disabled={!person} onClick={onMention}>
          <MentionIcon />
          {t.mention}
        </button>
      )}
      {!person?.bot && <AddFriend {...props} />}
    </div>
  )
}

/** Asks the person to become a friend, or says that they are one, are blocked or were asked. */
function AddFriend(props: { userId: string; person: KnownPerson | null; guildId: GuildId | null }) {
  const { userId, person, guildId } = props
  const t = useText(sheetText)
  const friends = useRouteQuery(listFriends, {})
  const asking = useCall(requestFriend)
  const isBusy = asking.status === 'busy'
  const isTheirs = ({ friend_info }: { friend_info: { id: string } }) => friend_info.id === userId
  const { friend = [], blocked = [], all_request = [] } = friends.answer ?? {}
  if (friend.some(isTheirs)) return <Said icon={<CheckIcon />}>{t.isFriend}</Said>
  if (blocked.some(isTheirs)) return <Said icon={<AddPersonIcon />}>{t.isBlocked}</Said>
  if (all_request.some((it) => it.own && isTheirs(it)))
    return <Said icon={<CheckIcon />}>{t.friendAsked}</Said>
  // Without the list of friends nobody knows whether they are one.
  const code = friends.answer && person?.identify_num ? `${person.username}#${person.identify_num}` : null
  const ask = async (user_code: string) => {
    const from = guildId === null ? { from: 0 } : { from: 2, guild_id: guildId }
    if (await asking.run({ user_code, ...from }, (failure) => toast(failure.message))) toast(t.friendAsked)
    invalidateRoute(listFriends)
  }
  return (
    <button
      type="button"
      className={styles.act}
      disabled={code === null}
      aria-disabled={isBusy || undefined}
      onClick={code === null || isBusy ? undefined : () => void ask(code)}
    >
      <AddPersonIcon />
      {t.addFriend}
    </button>
  )
}

/** In the place of an act: why there is none. */
function Said({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <p className={`${styles.act} ${styles.said}`}>
      {icon}
      {children}
    </p>
  )
}
