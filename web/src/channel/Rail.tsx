import { unreadChats } from '@guildhall/wire/chat/page.ts'
import { listFriends } from '@guildhall/wire/friend/friend.ts'
import { type GuildSummary, listGuilds } from '@guildhall/wire/guild/guild.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import { listWaiting, type Waiting } from '@guildhall/wire/message/readMark.ts'
import { siteName } from '@guildhall/wire/siteName.ts'
import { useState } from 'react'
import { Link, useLocation } from 'react-router'
import { useMe } from '../auth/auth.ts'
import { useText } from '../kit/i18n.ts'
import { paths } from '../kit/paths.ts'
import { useRouteQuery } from '../kit/routeQuery.ts'
import { useLater } from '../kit/useLater.ts'
import { isAppOffered } from '../native/openApp/appOffer.ts'
import { openAppAt } from '../native/openApp/openLater.ts'
import { Badge } from '../ui/Badge.tsx'
import { CompassIcon, PlusIcon } from '../ui/icon/channelIcons.tsx'
import { ChatIcon } from '../ui/icon/icons.tsx'
import { useScrollPosition } from '../ui/page/useScrollPosition.ts'
import { Avatar } from '../ui/picture/Avatar.tsx'
import { GuildIcon } from '../ui/picture/GuildIcon.tsx'
import { useLongPress } from '../ui/useLongPress.ts'
import styles from './ChannelsScreen.module.css'
import { RailSkeleton } from './ChannelsSkeleton.tsx'
import { text } from './text.ts'

/** The guilds of the user beside the open one, between the app, their conversations and their own menu. */
export function Rail(props: {
  /** The open guild. */
  guildId: string | undefined
  isDiscovering: boolean
  onMenu: () => void
  onAdd: () => void
  /** A guild is held. */
  onGuild: (guildId: GuildId) => void
}) {
  const { guildId, isDiscovering, onMenu } = props
  const t = useText(text)
  const guilds = useRouteQuery(listGuilds, {})
  const waiting = useRouteQuery(listWaiting, {})
  const isLater = useLater()
  const list = useScrollPosition('rail')
  return (
    <nav className={styles.rail} aria-label={t.guilds} data-column>
      <AppItem path={guildId ? paths.guild(guildId) : '/'} onMenu={onMenu} />
      <ChatsItem />
      <ul className={styles.railGuilds} ref={list}>
        {guilds.answer?.map((guild) => (
          <RailItem
            key={guild.id}
            guild={guild}
            open={guild.id === guildId}
            waits={waiting.answer?.find((it) => it.guild_id === guild.id)}
            onHold={props.onGuild}
          />
        ))}
        {guilds.status === 'loading' && <RailSkeleton />}
        {guilds.answer && (
          <li className={styles.railItem}>
            <button
              type="button"
              className={styles.railAdd}
              title={t.addGuild}
              aria-label={t.addGuild}
              onClick={props.onAdd}
            >
              <PlusIcon />
            </button>
          </li>
        )}
        {guilds.status !== 'loading' && (
          <li className={styles.railItem} data-open={isDiscovering || undefined}>
            <Link
              className={styles.railAdd}
              to={paths.discover()}
              replace
              title={t.discover}
              aria-label={t.discover}
              aria-current={isDiscovering ? 'page' : undefined}
            >
              <CompassIcon />
            </Link>
          </li>
        )}
      </ul>
      <MeItem isLater={isLater} onPress={onMenu} />
    </nav>
  )
}

/** Opens the app at a path where it is offered, otherwise the user's menu. */
function AppItem({ path, onMenu }: { path: string; onMenu: () => void }) {
  const t = useText(text)
  const [isOffered] = useState(isAppOffered)
  const name = useText(siteName)
  const label = isOffered ? t.openApp : name
  return (
    <button
      type="button"
      className={styles.railApp}
      title={label}
      onClick={() => (isOffered ? void openAppAt(path) : onMenu())}
    >
      <img src="/logo.svg" alt="" />
      <span className="unseen">{label}</span>
    </button>
  )
}

/** Leads to the private conversations, with how many messages in them are unread. */
function ChatsItem() {
  const t = useText(text)
  const unread = useRouteQuery(unreadChats, {}).answer?.count ?? 0
  const isOpen = useLocation().pathname.startsWith(paths.chats())
  return (
    <Link
      className={styles.railChats}
      to={paths.chats()}
      title={t.chats}
      data-part="chats"
      aria-current={isOpen ? 'page' : undefined}
    >
      <ChatIcon />
      <span className="unseen">
        {t.chats}
        {unread > 0 && ` ${t.unread(unread)}`}
      </span>
      <RailBadge count={unread} />
    </Link>
  )
}

/** A guild in the rail, with its mentions or its unread state; the open guild's tree shows what is unread. */
function RailItem(props: {
  guild: GuildSummary
  open: boolean
  waits: Waiting | undefined
  onHold: (guildId: GuildId) => void
}) {
  const { guild, open, waits } = props
  const t = useText(text)
  const holds = useLongPress(() => props.onHold(guild.id))
  const mentions = waits?.mention_count ?? 0
  return (
    <li
      className={styles.railItem}
      data-open={open || undefined}
      data-unread={(!open && waits?.is_unread) || undefined}
    >
      <Link
        className={styles.railLink}
        to={paths.guild(guild.id)}
        replace
        title={guild.name}
        aria-current={open ? 'page' : undefined}
        {...holds}
      >
        <GuildIcon id={guild.id} name={guild.name} src={guild.icon} size={48} className={styles.railIcon} />
        <span className="unseen">
          {guild.name}
          {mentions > 0 ? ` ${t.mentions(mentions)}` : !open && waits?.is_unread && ` ${t.unreadGuild}`}
        </span>
        <RailBadge count={mentions} />
      </Link>
    </li>
  )
}

/** Opens the user's menu, with how many people want to be friends. */
function MeItem({ isLater, onPress }: { isLater: boolean; onPress: () => void }) {
  const t = useText(text)
  const me = useMe()
  const requests = useRouteQuery(listFriends, {}, isLater).answer?.request.length ?? 0
  return (
    <button
      type="button"
      className={styles.railMe}
      data-part="user-menu-button"
      title={t.menu}
      onClick={onPress}
    >
      <Avatar of={me} size={40} />
      <span className="unseen">{t.menu}</span>
      {requests > 0 && <span className="unseen">{t.friendRequests(requests)}</span>}
      <RailBadge count={requests} />
    </button>
  )
}

/** A count at the corner of an item, which says it itself. */
const RailBadge = ({ count }: { count: number }) =>
  count > 0 && (
    <span className={styles.railBadge} aria-hidden="true">
      <Badge count={count} />
    </span>
  )
