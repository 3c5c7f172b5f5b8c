import { type Channel, channelType, type Guild, viewGuild } from '@guildhall/wire/channel/channel.ts'
import { unreadChats } from '@guildhall/wire/chat/page.ts'
import { listFriends } from '@guildhall/wire/friend/friend.ts'
import { type GuildSummary, listGuilds } from '@guildhall/wire/guild/guild.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import { notifyType, shownCounts } from '@guildhall/wire/message/notify.ts'
import { listUnread, listWaiting, type Unread, type Waiting } from '@guildhall/wire/message/readMark.ts'
import { offeredApps } from '@guildhall/wire/site/appsCookie.ts'
import { letterGround } from '@guildhall/wire/user/letter.ts'
import {
  type ComponentType,
  type CSSProperties,
  lazy,
  type ReactNode,
  Suspense,
  useEffect,
  useState,
} from 'react'
import { Link, Navigate, useParams } from 'react-router'
import { useMe } from '../auth/auth.ts'
import { useTitle } from '../guild/guild.ts'
import { useText } from '../kit/i18n.ts'
import { loadPart } from '../kit/lazyPart.ts'
import { paths } from '../kit/paths.ts'
import { useRouteQuery } from '../kit/routeQuery.ts'
import { readStored, writeStored } from '../kit/storage.ts'
import { text as commonText } from '../kit/text.ts'
import { isAppOffered } from '../native/appOffer.ts'
import { openAppAt } from '../native/openLater.ts'
import { shell } from '../native/shell.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { Badge } from '../ui/Badge.tsx'
import { Button, buttonClass } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'
import { GuildIcon } from '../ui/GuildIcon.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import {
  BellOffIcon,
  ChatIcon,
  ChevronIcon,
  CompassIcon,
  EditIcon,
  FriendsIcon,
  GuildsIcon,
  LockIcon,
  MoreIcon,
  NextIcon,
  PlusIcon,
  ShieldIcon,
  TextChannelIcon,
  VoiceIcon,
} from '../ui/icons.tsx'
import { useEntrance } from '../ui/useEntrance.ts'
import { useLongPress } from '../ui/useLongPress.ts'
import { useScrollPlace } from '../ui/useScrollPlace.ts'
import styles from './ChannelsScreen.module.css'
import { RailSkeleton, TreeSkeleton } from './ChannelsSkeleton.tsx'
import { text } from './text.ts'
import { useCollapsed } from './useCollapsed.ts'

const UserMenu = lazy(() => loadPart(() => import('./UserMenu.tsx')).then((it) => ({ default: it.UserMenu })))
const GuildMenu = lazy(() => loadPart(() => import('./GuildMenu.tsx')))
const ChannelMenu = lazy(() =>
  loadPart(() => import('./GuildMenu.tsx').then((it) => ({ default: it.ChannelMenu }))),
)

const OpenAppTip = lazy(() => loadPart(() => import('../native/OpenAppTip.tsx')))

/** Sheets of a later noun, which are loaded when they are opened. */
export interface GuildSheets {
  /** Creates a guild or joins one. */
  readonly NewGuild: ComponentType<{ onClose: () => void }>
  readonly InviteFriends: ComponentType<{ guildId: string; guildName: string; onClose: () => void }>
  /** What stands beside the rail in place of a guild, at /discover. */
  readonly Discover?: ComponentType
}

/** /channels/ and /channels/:guildId: the rail of guilds and the channels of the open guild. chat.md §2. */
export default function ChannelsScreen({ NewGuild, InviteFriends, Discover }: GuildSheets) {
  const t = useText(text)
  const { guildId } = useParams()
  const guilds = useRouteQuery(listGuilds, {})
  const waiting = useRouteQuery(listWaiting, {})
  const me = useMe()
  const isLater = useLater()
  const requests = useRouteQuery(listFriends, {}, isLater).answer?.request.length ?? 0
  const [menu, setMenu] = useState(false)
  const [isAdding, setAdding] = useState(false)
  const [isOffered] = useState(isAppOffered)

  const name = guilds.answer?.find((guild) => guild.id === guildId)?.name ?? ''
  useTitle((guildId ?? null) as GuildId | null, Discover ? t.discover : name || t.title, t.product)
  const railPlace = useScrollPlace('rail')
  const enters = useEntrance('list')
  useEffect(() => {
    setAdding(false)
    if (guildId) writeStored('last_guild', guildId)
  }, [guildId])

  if (!guildId && !Discover && !isAdding && guilds.answer && guilds.answer.length > 0) {
    const last = readStored('last_guild')
    const open = guilds.answer.find((guild) => guild.id === last) ?? guilds.answer[0]
    if (open) return <Navigate to={paths.guild(open.id)} replace />
  }
  return (
    <div className={styles.channels} data-enters={enters}>
      <nav className={styles.rail} aria-label={t.guilds}>
        <button
          type="button"
          className={styles.railApp}
          title={isOffered ? t.openApp : t.product}
          onClick={() => (isOffered ? void openAppAt(guildId ? paths.guild(guildId) : '/') : setMenu(true))}
        >
          <img src="/logo.svg" alt="" />
          <span className="unseen">{isOffered ? t.openApp : t.product}</span>
        </button>
        <ChatsItem isLater={isLater} />
        <ul className={styles.railGuilds} ref={railPlace}>
          {guilds.answer?.map((guild) => (
            <RailItem
              key={guild.id}
              guild={guild}
              open={guild.id === guildId}
              waits={waiting.answer?.find((it) => it.guild_id === guild.id)}
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
                onClick={() => setAdding(true)}
              >
                <PlusIcon />
              </button>
            </li>
          )}
          <li className={styles.railItem} data-open={Discover !== undefined || undefined}>
            <Link
              className={styles.railAdd}
              to={paths.discover()}
              replace
              title={t.discover}
              aria-label={t.discover}
              aria-current={Discover ? 'page' : undefined}
            >
              <CompassIcon />
            </Link>
          </li>
        </ul>
        <button
          type="button"
          className={styles.railMe}
          data-part="user-menu-button"
          title={t.menu}
          onClick={() => setMenu(true)}
        >
          <Avatar id={me.id} name={me.username} src={me.avatar} size={40} />
          <span className="unseen">{t.menu}</span>
          {requests > 0 && (
            <>
              <span className="unseen">{t.friendRequests(requests)}</span>
              <span className={styles.railBadge} aria-hidden="true">
                <Badge count={requests} />
              </span>
            </>
          )}
        </button>
      </nav>
      <main className={styles.guild}>
        {Discover ? (
          <Suspense>
            <Discover />
          </Suspense>
        ) : guildId ? (
          <Place key={guildId} guildId={guildId as GuildId} InviteFriends={InviteFriends} />
        ) : guilds.status === 'failed' ? (
          <ErrorState top title={t.failed} message={guilds.failure.message} onRetry={guilds.refetch} />
        ) : guilds.answer ? (
          <EmptyState
            top
            icon={<GuildsIcon size={32} />}
            title={t.noGuild}
            message={t.noGuildWhy}
            action={<Button onPress={() => setAdding(true)}>{t.addGuild}</Button>}
          />
        ) : (
          <TreeSkeleton />
        )}
      </main>
      {menu && (
        <Suspense>
          <UserMenu onClose={() => setMenu(false)} />
        </Suspense>
      )}
      {isAdding && (
        <Suspense>
          <NewGuild onClose={() => setAdding(false)} />
        </Suspense>
      )}
    </div>
  )
}

/** After this time, ms, what the first screen does not need is asked for. */
const LATER_MS = 2_000

function useLater(): boolean {
  const [isLater, setLater] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLater(true), LATER_MS)
    return () => clearTimeout(timer)
  }, [])
  return isLater
}

/** Leads to the private conversations, with how many messages in them are unread. */
function ChatsItem({ isLater }: { isLater: boolean }) {
  const t = useText(text)
  const unread = useRouteQuery(unreadChats, {}, isLater).answer?.count ?? 0
  return (
    <Link className={styles.railChats} to={paths.chats()} title={t.chats} data-part="chats">
      <ChatIcon />
      <span className="unseen">
        {t.chats}
        {unread > 0 && ` ${t.unread(unread)}`}
      </span>
      {unread > 0 && (
        <span className={styles.railBadge} aria-hidden="true">
          <Badge count={unread} />
        </span>
      )}
    </Link>
  )
}

/** A guild in the rail, with its mentions or its unread state; the open guild's tree shows what is unread. */
function RailItem(props: { guild: GuildSummary; open: boolean; waits: Waiting | undefined }) {
  const { guild, open, waits } = props
  const t = useText(text)
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
      >
        <GuildIcon id={guild.id} name={guild.name} src={guild.icon} size={48} className={styles.railIcon} />
        <span className="unseen">
          {guild.name}
          {mentions > 0 ? ` ${t.mentions(mentions)}` : !open && waits?.is_unread && ` ${t.unreadGuild}`}
        </span>
        {mentions > 0 && (
          <span className={styles.railBadge} aria-hidden="true">
            <Badge count={mentions} />
          </span>
        )}
      </Link>
    </li>
  )
}

function Place({ guildId, InviteFriends }: { guildId: GuildId } & Pick<GuildSheets, 'InviteFriends'>) {
  const [sheet, setSheet] = useState<'menu' | 'invite' | null>(null)
  const close = () => setSheet(null)
  const t = useText(text)
  const tCommon = useText(commonText)
  const guild = useRouteQuery(viewGuild, { id: guildId })
  const me = useMe()
  if (guild.status === 'failed') {
    const gone = guild.failure.name === 'forbidden' || guild.failure.name === 'bad_input'
    return gone ? (
      <EmptyState
        top
        icon={<LockIcon size={32} />}
        title={tCommon.forbidden}
        message={t.goneWhy}
        action={
          <Link className={buttonClass('soft')} to={paths.channels()} replace>
            {t.mine}
          </Link>
        }
      />
    ) : (
      <ErrorState top title={t.failed} message={guild.failure.message} onRetry={guild.refetch} />
    )
  }
  if (!guild.answer) return <TreeSkeleton />
  return (
    <>
      <header
        className={styles.guildHead}
        data-tinted={guild.answer.rights.guild_gradient === true || undefined}
        style={{ '--tint': letterGround(guildId, guild.answer.icon) } as CSSProperties}
      >
        <h1 className={styles.guildName}>{guild.answer.name}</h1>
        <Link
          className={styles.headLink}
          to={paths.members(guildId)}
          state={{ from: 'guild' }}
          title={t.members}
          aria-label={t.members}
        >
          <FriendsIcon />
        </Link>
        <IconButton label={t.guildMenu} onPress={() => setSheet('menu')}>
          <MoreIcon />
        </IconButton>
      </header>
      <Suspense>
        {sheet === 'menu' && (
          <GuildMenu guild={guild.answer} onInvite={() => setSheet('invite')} onClose={close} />
        )}
        {sheet === 'invite' && (
          <InviteFriends guildId={guildId} guildName={guild.answer.name} onClose={close} />
        )}
      </Suspense>
      {me.mobile_verified ? (
        offeredApps(document.cookie).length > 0 && (
          // On a phone its place is kept.
          <Suspense fallback={navigator.maxTouchPoints > 0 && <div className={styles.tip} data-app />}>
            <OpenAppTip path={paths.guild(guildId)} className={styles.tip} />
          </Suspense>
        )
      ) : (
        <Link className={styles.tip} to={paths.authenticate()}>
          <ShieldIcon size={18} />
          <span>{t.verification}</span>
          <NextIcon size={16} />
        </Link>
      )}
      {guild.answer.channels.length === 0 ? (
        <EmptyState icon={<ChatIcon size={32} />} title={t.noChannel} message={t.noChannelWhy} />
      ) : (
        <Tree guild={guild.answer} />
      )}
    </>
  )
}

function Tree({ guild }: { guild: Guild }) {
  const t = useText(text)
  const place = useScrollPlace(guild.id)
  const unread = useRouteQuery(listUnread, { guild_id: guild.id })
  const drafts = readStored('drafts') ?? {}
  const leaf = (channel: Channel) => (
    <Leaf
      key={channel.id}
      channel={channel}
      waits={unread.answer?.find((it) => it.channel_id === channel.id)}
      hasDraft={channel.id in drafts}
    />
  )
  return (
    <nav className={styles.tree} aria-label={t.channels} ref={place}>
      <ul>
        {guild.channels.map((channel) =>
          channel.is_category ? (
            <Category key={channel.id} category={channel} unread={unread.answer ?? []} leaf={leaf} />
          ) : (
            leaf(channel)
          ),
        )}
      </ul>
    </nav>
  )
}

/** A category; what is unread in it stays visible while it is closed. */
function Category(props: {
  category: Channel
  unread: readonly Unread[]
  leaf: (channel: Channel) => ReactNode
}) {
  const { category, leaf } = props
  const t = useText(text)
  const [isClosed, toggle] = useCollapsed(category.id)
  const unread = props.unread.filter(
    (it) =>
      shownCounts(it).unread + shownCounts(it).mentions > 0 &&
      category.channels.some(({ id }) => id === it.channel_id),
  )
  const mentions = unread.reduce((sum, it) => sum + shownCounts(it).mentions, 0)
  const shown = isClosed
    ? category.channels.filter(({ id }) => unread.some((it) => it.channel_id === id))
    : category.channels
  return (
    <li className={styles.category}>
      <h2>
        <button
          type="button"
          className={styles.categoryHead}
          aria-expanded={!isClosed}
          aria-label={isClosed && mentions > 0 ? `${category.name} ${t.mentions(mentions)}` : undefined}
          onClick={toggle}
        >
          <ChevronIcon size={16} className={styles.categoryChevron} />
          <span>{category.name}</span>
          {isClosed && mentions > 0 && <Badge count={mentions} />}
        </button>
      </h2>
      {shown.length > 0 && <ul>{shown.map(leaf)}</ul>}
    </li>
  )
}

/** A channel of the list. A voice channel leads into the app. */
export function Leaf(props: { channel: Channel; waits: Unread | undefined; hasDraft: boolean }) {
  const { channel } = props
  const counts = props.waits ? shownCounts(props.waits) : { unread: 0, mentions: 0 }
  const t = useText(text)
  const isVoice = channel.type === channelType.voice
  const [menu, setMenu] = useState(false)
  const holds = useLongPress(() => setMenu(true))
  const inside = (
    <>
      {isVoice ? <VoiceIcon size={20} /> : <TextChannelIcon size={20} />}
      <span className="unseen">{isVoice ? t.voiceChannel : t.textChannel}</span>
      <span className={styles.channelName}>{channel.name}</span>
      {channel.is_readonly && !isVoice && <span className={styles.channelSign}>{t.readonly}</span>}
      {isVoice && !shell() && <span className={styles.channelSign}>{t.notHere}</span>}
      {props.hasDraft && !isVoice && (
        <>
          <EditIcon size={14} />
          <span className="unseen">{t.draft}</span>
        </>
      )}
      {channel.is_private && (
        <>
          <LockIcon size={14} />
          <span className="unseen">{t.isPrivate}</span>
        </>
      )}
      {props.waits?.notify_type === notifyType.none && (
        <>
          <BellOffIcon size={14} />
          <span className="unseen">{t.quiet}</span>
        </>
      )}
      {counts.mentions > 0 ? (
        <>
          <span className="unseen">{t.mentions(counts.mentions)}</span>
          <span aria-hidden="true">
            <Badge count={counts.mentions} />
          </span>
        </>
      ) : (
        counts.unread > 0 && (
          <>
            <span className="unseen">{t.unread(counts.unread)}</span>
            <span className={styles.channelCount} aria-hidden="true">
              {counts.unread > 99 ? '99+' : counts.unread}
            </span>
          </>
        )
      )}
    </>
  )
  return (
    <li className={styles.leaf}>
      {isVoice ? (
        <button
          type="button"
          className={styles.channel}
          data-part="channel"
          data-closed={!shell() || undefined}
          onClick={() => setMenu(true)}
        >
          {inside}
        </button>
      ) : (
        <Link
          className={styles.channel}
          data-part="channel"
          data-unread={counts.unread > 0 || undefined}
          to={paths.room(channel.guild_id, channel.id)}
          state={{ from: channel.guild_id }}
          {...holds}
        >
          {inside}
        </Link>
      )}
      {!isVoice && (
        <button
          type="button"
          className={styles.leafMore}
          aria-label={t.channelMenu(channel.name)}
          onClick={() => setMenu(true)}
        >
          <MoreIcon size={18} />
        </button>
      )}
      {menu && (
        <Suspense>
          <ChannelMenu channel={channel} onClose={() => setMenu(false)} />
        </Suspense>
      )}
    </li>
  )
}
