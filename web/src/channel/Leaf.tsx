import { type Channel, channelType } from '@guildhall/wire/channel/channel.ts'
import { notifyType, shownCounts } from '@guildhall/wire/message/notify.ts'
import type { Unread } from '@guildhall/wire/message/readMark.ts'
import { type ReactNode, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { useText } from '../kit/i18n.ts'
import { lazy, Suspense } from '../kit/lazy/lazy.tsx'
import { loadPart } from '../kit/lazy/lazyPart.ts'
import { paths } from '../kit/paths.ts'
import { shell } from '../native/shell.ts'
import { Badge } from '../ui/Badge.tsx'
import { BellOffIcon, EditIcon, LockIcon } from '../ui/icon/channelIcons.tsx'
import { MoreIcon, TextChannelIcon, VoiceIcon } from '../ui/icon/icons.tsx'
import { useLongPress } from '../ui/useLongPress.ts'
import styles from './ChannelsScreen.module.css'
import type { LastWordsLine } from './face/later.ts'
import { text } from './text.ts'

// One file for both menus: either is soon followed by the other.
const ChannelMenu = lazy(() =>
  loadPart(() => import('./GuildMenu.tsx').then((it) => ({ default: it.ChannelMenu }))),
)

interface LeafProps {
  channel: Channel
  waits: Unread | undefined
  hasDraft: boolean
  LastWords: LastWordsLine
}

/** A channel of the list. A voice channel leads into the app. */
export function Leaf(props: LeafProps) {
  const { channel, waits, LastWords } = props
  const t = useText(text)
  const [open, setOpen] = useState<'menu' | 'app' | null>(null)
  const openMenu = () => setOpen('menu')
  const holds = useLongPress(openMenu)
  const inside = <LeafContent {...props} />
  const path = paths.room(channel.guild_id, channel.id)
  const isOpen = useLocation().pathname === path
  const words = `words-${channel.id}`
  return (
    <li className={styles.leaf}>
      {isVoice(channel) ? (
        <button
          type="button"
          className={styles.channel}
          data-part="channel"
          data-closed={!shell() || undefined}
          onClick={() => setOpen('app')}
          {...holds}
        >
          {inside}
        </button>
      ) : (
        <>
          <Link
            className={styles.channel}
            data-part="channel"
            data-unread={(waits && shownCounts(waits).unread > 0) || undefined}
            data-lines
            aria-current={isOpen ? 'page' : undefined}
            aria-describedby={words}
            to={path}
            state={{ from: channel.guild_id }}
            {...holds}
          >
            {inside}
          </Link>
          {/* Beside the link, whose name it would make long. */}
          <p className={styles.lastWords} id={words}>
            <Suspense>
              <LastWords channel={channel} />
            </Suspense>
          </p>
          <button
            type="button"
            className={styles.leafMore}
            aria-label={t.channelMenu(channel.name)}
            onClick={openMenu}
          >
            <MoreIcon size={18} />
          </button>
        </>
      )}
      {open && (
        <Suspense>
          <ChannelMenu channel={channel} isApp={open === 'app'} onClose={() => setOpen(null)} />
        </Suspense>
      )}
    </li>
  )
}

const isVoice = ({ type }: Channel): boolean => type === channelType.voice

/** The name of a channel between signs of its kind and state. */
function LeafContent({ channel, waits, hasDraft }: LeafProps) {
  const t = useText(text)
  const isText = !isVoice(channel)
  return (
    <>
      {isText ? (
        <Sign icon={<TextChannelIcon size={20} />} label={t.textChannel} />
      ) : (
        <Sign icon={<VoiceIcon size={20} />} label={t.voiceChannel} />
      )}
      <span className={styles.channelName}>{channel.name}</span>
      {channel.is_readonly && isText && <span className={styles.channelSign}>{t.readonly}</span>}
      {!isText && !shell() && <span className={styles.channelSign}>{t.notHere}</span>}
      {hasDraft && isText && <Sign icon={<EditIcon size={14} />} label={t.draft} />}
      {channel.is_private && <Sign icon={<LockIcon size={14} />} label={t.isPrivate} />}
      {waits?.notify_type === notifyType.none && <Sign icon={<BellOffIcon size={14} />} label={t.quiet} />}
      {waits && <Counts waits={waits} />}
    </>
  )
}

/** An icon with its meaning for screen readers. */
const Sign = ({ icon, label }: { icon: ReactNode; label: string }) => (
  <>
    {icon}
    <span className="unseen">{label}</span>
  </>
)

/** The mentions in a channel, or the unread messages. */
function Counts({ waits }: { waits: Unread }) {
  const t = useText(text)
  const { mentions, unread } = shownCounts(waits)
  if (mentions === 0 && unread === 0) return null
  return (
    <>
      <span className="unseen">{mentions > 0 ? t.mentions(mentions) : t.unread(unread)}</span>
      {mentions > 0 ? (
        <span aria-hidden="true">
          <Badge count={mentions} />
        </span>
      ) : (
        <span className={styles.channelCount} aria-hidden="true">
          {unread > 99 ? '99+' : unread}
        </span>
      )}
    </>
  )
}
