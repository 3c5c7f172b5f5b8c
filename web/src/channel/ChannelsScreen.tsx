import { type Channel, channelType, type Guild, viewGuild } from '@guildhall/wire/channel/channel.ts'
import { type GuildSummary, listGuilds } from '@guildhall/wire/guild/guild.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import { listUnread, listWaiting, type Unread, type Waiting } from '@guildhall/wire/message/reading.ts'
import { useEffect, useState } from 'react'
import { Link, Navigate, useParams } from 'react-router'
import { useMe } from '../auth/auth.ts'
import { useText } from '../kit/i18n.ts'
import { paths } from '../kit/paths.ts'
import { useRouteQuery } from '../kit/routeQuery.ts'
import { readStored, writeStored } from '../kit/storage.ts'
import { text as appText } from '../native/text.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { Badge } from '../ui/Badge.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'
import { GuildIcon } from '../ui/GuildIcon.tsx'
import { ChatIcon, ChevronIcon, GuildsIcon, LockIcon, TextChannelIcon, VoiceIcon } from '../ui/icons.tsx'
import styles from './ChannelsScreen.module.css'
import { RailSkeleton, TreeSkeleton } from './ChannelsSkeleton.tsx'
import { text } from './text.ts'
import { UserMenu } from './UserMenu.tsx'
import { useCollapsed } from './useCollapsed.ts'

type Notice = 'voice' | 'app' | 'verify'

/** /channels/ and /channels/:guildId: the rail of guilds and the channels of the open guild. chat.md §2. */
export default function ChannelsScreen() {
  const t = useText(text)
  const tApp = useText(appText)
  const { guildId } = useParams()
  const guilds = useRouteQuery(listGuilds, {})
  const waiting = useRouteQuery(listWaiting, {})
  const me = useMe()
  const [menu, setMenu] = useState(false)
  const [notice, setNotice] = useState<Notice | null>(null)

  useEffect(() => {
    document.title = t.title
  }, [t])
  useEffect(() => {
    if (guildId) writeStored('last_guild', guildId)
  }, [guildId])

  if (!guildId && guilds.answer && guilds.answer.length > 0) {
    const last = readStored('last_guild')
    const open = guilds.answer.find((guild) => guild.id === last) ?? guilds.answer[0]
    if (open) return <Navigate to={paths.guild(open.id)} replace />
  }
  return (
    <div className={styles.channels}>
      <nav className={styles.rail} aria-label={t.guilds}>
        <ul className={styles.railGuilds}>
          {guilds.answer?.map((guild) => (
            <RailItem
              key={guild.id}
              guild={guild}
              open={guild.id === guildId}
              waits={waiting.answer?.find((it) => it.guild_id === guild.id)}
            />
          ))}
          {guilds.status === 'loading' && <RailSkeleton />}
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
        </button>
      </nav>
      <main className={styles.guild}>
        {guildId ? (
          <Place key={guildId} guildId={guildId as GuildId} onNotice={setNotice} />
        ) : guilds.status === 'failed' ? (
          <ErrorState top title={t.failed} message={guilds.failure.message} onRetry={guilds.refetch} />
        ) : guilds.answer ? (
          <EmptyState top icon={<GuildsIcon size={32} />} title={t.noGuild} message={t.noGuildWhy} />
        ) : (
          <TreeSkeleton />
        )}
      </main>
      {menu && (
        <UserMenu
          onClose={() => setMenu(false)}
          onVerify={() => {
            setMenu(false)
            setNotice('verify')
          }}
        />
      )}
      {notice && (
        <Dialog
          title={tApp.reminder}
          message={notice === 'voice' ? t.voice : notice === 'app' ? tApp.fullFeatures : tApp.onlyInApp}
          confirm={tApp.gotIt}
          onClose={() => setNotice(null)}
        />
      )}
    </div>
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

function Place({ guildId, onNotice }: { guildId: GuildId; onNotice: (notice: Notice) => void }) {
  const t = useText(text)
  const me = useMe()
  const guild = useRouteQuery(viewGuild, { id: guildId })
  if (guild.status === 'failed') {
    const gone = guild.failure.name === 'forbidden' || guild.failure.name === 'bad_input'
    return gone ? (
      <EmptyState top icon={<LockIcon size={32} />} title={t.gone} message={t.goneWhy} />
    ) : (
      <ErrorState top title={t.failed} message={guild.failure.message} onRetry={guild.refetch} />
    )
  }
  if (!guild.answer) return <TreeSkeleton />
  return (
    <>
      <header className={styles.guildHead}>
        <h1 className={styles.guildName}>{guild.answer.name}</h1>
        {me.mobile_verified ? (
          <button type="button" className={styles.guildTip} onClick={() => onNotice('app')}>
            {t.openApp}
          </button>
        ) : (
          <button
            type="button"
            className={`${styles.guildTip} ${styles.guildTipVerify}`}
            onClick={() => onNotice('verify')}
          >
            {t.userVerification}
          </button>
        )}
      </header>
      {guild.answer.channels.length === 0 ? (
        <EmptyState icon={<ChatIcon size={32} />} title={t.noChannel} message={t.noChannelWhy} />
      ) : (
        <Tree guild={guild.answer} onVoice={() => onNotice('voice')} />
      )}
    </>
  )
}

function Tree({ guild, onVoice }: { guild: Guild; onVoice: () => void }) {
  const t = useText(text)
  const [isClosed, toggle] = useCollapsed()
  const unread = useRouteQuery(listUnread, { guild_id: guild.id })
  const waits = (id: string) => unread.answer?.find((it) => it.channel_id === id)
  return (
    <nav className={styles.tree} aria-label={t.channels}>
      <ul>
        {guild.channels.map((channel) =>
          channel.is_category ? (
            <li key={channel.id} className={styles.category}>
              <h2>
                <button
                  type="button"
                  className={styles.categoryHead}
                  aria-expanded={!isClosed(channel.id)}
                  onClick={() => toggle(channel.id)}
                >
                  <ChevronIcon size={16} className={styles.categoryChevron} />
                  <span>{channel.name}</span>
                </button>
              </h2>
              {!isClosed(channel.id) && (
                <ul>
                  {channel.channels.map((child) => (
                    <Leaf key={child.id} channel={child} waits={waits(child.id)} onVoice={onVoice} />
                  ))}
                </ul>
              )}
            </li>
          ) : (
            <Leaf key={channel.id} channel={channel} waits={waits(channel.id)} onVoice={onVoice} />
          ),
        )}
      </ul>
    </nav>
  )
}

function Leaf(props: { channel: Channel; waits: Unread | undefined; onVoice: () => void }) {
  const { channel, onVoice } = props
  const { unread_count = 0, mention_count = 0 } = props.waits ?? {}
  const t = useText(text)
  const isVoice = channel.type === channelType.voice
  const inside = (
    <>
      {isVoice ? <VoiceIcon size={20} /> : <TextChannelIcon size={20} />}
      <span className="unseen">{isVoice ? t.voiceChannel : t.textChannel}</span>
      <span className={styles.channelName}>{channel.name}</span>
      {channel.is_readonly && !isVoice && <span className={styles.channelSign}>{t.readonly}</span>}
      {channel.is_private && (
        <>
          <LockIcon size={14} />
          <span className="unseen">{t.isPrivate}</span>
        </>
      )}
      {mention_count > 0 ? (
        <>
          <span className="unseen">{t.mentions(mention_count)}</span>
          <span aria-hidden="true">
            <Badge count={mention_count} />
          </span>
        </>
      ) : (
        unread_count > 0 && (
          <>
            <span className="unseen">{t.unread(unread_count)}</span>
            <span className={styles.channelCount} aria-hidden="true">
              {unread_count > 99 ? '99+' : unread_count}
            </span>
          </>
        )
      )}
    </>
  )
  return (
    <li>
      {isVoice ? (
        <button type="button" className={styles.channel} data-part="channel" onClick={onVoice}>
          {inside}
        </button>
      ) : (
        <Link
          className={styles.channel}
          data-part="channel"
          data-unread={unread_count > 0 || undefined}
          to={paths.room(channel.guild_id, channel.id)}
        >
          {inside}
        </Link>
      )}
    </li>
  )
}
