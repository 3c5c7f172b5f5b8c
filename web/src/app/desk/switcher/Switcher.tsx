import { listRooms } from '@guildhall/wire/channel/rooms.ts'
import { listChats } from '@guildhall/wire/chat/chat.ts'
import { listFriends } from '@guildhall/wire/friend/friend.ts'
import { listGuilds } from '@guildhall/wire/guild/guild.ts'
import { listUnread } from '@guildhall/wire/message/readMark.ts'
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useNavigate } from 'react-router'
import { storedList } from '../../../kit/browser/storedList.ts'
import { useText } from '../../../kit/i18n.ts'
import { paths } from '../../../kit/paths.ts'
import { cache, invalidateRoute, useRouteQuery } from '../../../kit/routeQuery.ts'
import { ChatIcon, FriendsIcon, NextIcon, TextChannelIcon } from '../../../ui/icon/icons.tsx'
import { SearchIcon } from '../../../ui/icon/searchIcon.tsx'
import { leaveLayers } from '../../../ui/overlay/layers.ts'
import modalStyles from '../../../ui/overlay/Modal.module.css'
import { useModal } from '../../../ui/overlay/useModal.ts'
import { type Destination, destinationsOf, found } from './destinations.ts'
import styles from './Switcher.module.css'
import { switcherText } from './switcherText.ts'
import { usePages } from './usePages.ts'

const ICONS = {
  room: TextChannelIcon,
  guild: FriendsIcon,
  person: ChatIcon,
  page: NextIcon,
  search: SearchIcon,
}

/** Leads to a channel, a guild, a person or a page by its name. */
export default function Switcher({ onClose }: { onClose: () => void }) {
  const t = useText(switcherText)
  const navigate = useNavigate()
  const id = useId()
  const box = useModal(onClose)
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const { all, isLoading } = useDestinations()
  const opened = useMemo(() => ({ unread: unreadRooms(), recent: storedList('recent') }), [])
  const matches = useMemo(() => found(all, typed, opened), [all, typed, opened])
  // Enter should not search while the place that is meant is still on its way.
  const shown = isLoading ? matches : [...matches, ...searchFor(typed, t)]
  const active = shown[Math.min(at, shown.length - 1)]
  const go = async ({ path }: Destination) => {
    onClose()
    await leaveLayers()
    void navigate(path)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (by !== 0 && shown.length > 0) {
      event.preventDefault()
      setAt((before) => (Math.min(before, shown.length - 1) + by + shown.length) % shown.length)
    }
    if (event.key === 'Enter' && active && !event.nativeEvent.isComposing) void go(active)
  }
  return createPortal(
    // biome-ignore lint/a11y/noStaticElementInteractions: a convenience; Escape does the same
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is handled by the dialog itself
    <div
      className={`${modalStyles.backdrop} ${styles.backdrop}`}
      onClick={(event) => event.target === event.currentTarget && onClose()}
    >
      <div
        className={styles.switcher}
        role="dialog"
        aria-modal="true"
        aria-label={t.title}
        ref={box}
        tabIndex={-1}
      >
        <input
          data-first
          className={styles.field}
          role="combobox"
          aria-expanded="true"
          aria-controls={id}
          aria-activedescendant={active && `${id}-${shown.indexOf(active)}`}
          aria-label={t.title}
          placeholder={t.hint}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value)
            setAt(0)
          }}
          onKeyDown={onKeyDown}
        />
        <Options id={id} shown={shown} active={active} onPick={(it) => void go(it)} />
        <p className={styles.note} role="status">
          {matches.length > 0 ? '' : isLoading ? t.loading : typed.trim() === '' ? t.empty : t.none}
        </p>
      </div>
    </div>,
    document.body,
  )
}

/** The search for messages comes last: what is no name may be words. */
function searchFor(typed: string, t: (typeof switcherText)['en']): Destination[] {
  const words = typed.trim()
  if (words === '') return []
  return [
    {
      kind: 'search',
      path: `/search?q=${encodeURIComponent(words)}`,
      name: t.search(words),
      spelling: '',
      detail: '',
    },
  ]
}

function Options(props: {
  id: string
  shown: readonly Destination[]
  active: Destination | undefined
  onPick: (it: Destination) => void
}) {
  const { id, active } = props
  const t = useText(switcherText)
  const list = useRef<HTMLDivElement>(null)
  return (
    <div className={styles.options} role="listbox" id={id} aria-label={t.found} ref={list}>
      {props.shown.map((it, at) => {
        const Icon = ICONS[it.kind]
        return (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus, and its keys move along the list
          // biome-ignore lint/a11y/useFocusableInteractive: as above
          <div
            key={it.path}
            id={`${id}-${at}`}
            role="option"
            className={styles.option}
            aria-selected={it === active}
            ref={it === active ? (row) => row?.scrollIntoView({ block: 'nearest' }) : undefined}
            onClick={() => props.onPick(it)}
          >
            <Icon size={20} />
            <span className={styles.name}>{it.name}</span>
            <span className={styles.detail}>{it.detail}</span>
          </div>
        )
      })}
    </div>
  )
}

/** Everything that the switcher leads to, as far as it is loaded. */
function useDestinations() {
  const pages = usePages()
  const rooms = useRouteQuery(listRooms, {})
  // No event says that a room was opened or closed in another guild.
  useEffect(() => invalidateRoute(listRooms), [])
  const guilds = useRouteQuery(listGuilds, {})
  const chats = useRouteQuery(listChats, {})
  const friends = useRouteQuery(listFriends, { type: 'friend' })
  const all = useMemo(
    () =>
      destinationsOf({
        rooms: rooms.answer,
        guilds: guilds.answer,
        chats: chats.answer?.items ?? null,
        friends: friends.answer?.friend ?? null,
        pages,
      }),
    [rooms.answer, guilds.answer, chats.answer, friends.answer, pages],
  )
  return { all, isLoading: rooms.status === 'loading' }
}

/** The rooms of which the page knows that they have unread messages. */
const unreadRooms = (): ReadonlySet<string> =>
  new Set(
    cache
      .getQueriesData<readonly { guild_id: string; channel_id: string; unread_count: number }[]>({
        queryKey: [listUnread.method, listUnread.path],
      })
      .flatMap(([, answer]) => answer ?? [])
      .filter(({ unread_count }) => unread_count > 0)
      .map(({ guild_id, channel_id }) => paths.room(guild_id, channel_id)),
  )
