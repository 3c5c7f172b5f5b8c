import { type Chat, deleteChat, listChats } from '@guildhall/wire/chat/chat.ts'
import { unreadChats } from '@guildhall/wire/chat/page.ts'
import { kindOf } from '@guildhall/wire/message/kind.ts'
import { siteName } from '@guildhall/wire/siteName.ts'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { useMe } from '../auth/auth.ts'
import { call } from '../kit/call.ts'
import { clockLabel, dayLabel, sameDay } from '../kit/format/time.ts'
import { useLocale, useText } from '../kit/i18n.ts'
import { paths } from '../kit/paths.ts'
import { useRouteQuery } from '../kit/routeQuery.ts'
import { Badge } from '../ui/Badge.tsx'
import { buttonClass } from '../ui/Button.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { CloseIcon, FriendsIcon, MoreIcon } from '../ui/icon/icons.tsx'
import { SearchIcon } from '../ui/icon/searchIcon.tsx'
import menuStyles from '../ui/overlay/Menu.module.css'
import { MenuItem } from '../ui/overlay/MenuItem.tsx'
import { Sheet } from '../ui/overlay/Sheet.tsx'
import { toast } from '../ui/overlay/Toast.tsx'
import { TopBar } from '../ui/page/TopBar.tsx'
import { useBackToChannels } from '../ui/page/useBackToChannels.ts'
import { useEntrance } from '../ui/page/useEntrance.ts'
import { usePageTitle } from '../ui/page/usePageTitle.ts'
import { useScrollPosition } from '../ui/page/useScrollPosition.ts'
import { Avatar } from '../ui/picture/Avatar.tsx'
import { BuffMark } from '../ui/picture/BuffMark.tsx'
import { EmptyState } from '../ui/state/EmptyState.tsx'
import { ErrorState } from '../ui/state/ErrorState.tsx'
import { LoadingState } from '../ui/state/LoadingState.tsx'
import { useLongPress } from '../ui/useLongPress.ts'
import { usePresenceRefresh } from '../ui/usePresenceRefresh.ts'
import styles from './ChatsScreen.module.css'
import { chatsChanged } from './chatEvents.ts'
import { ChatsDrawing } from './drawings.tsx'
import { OnlineAvatar } from './OnlineAvatar.tsx'
import { text } from './text.ts'

/** The conversations of the user, the newest first, with what is unread. */
export function ChatList({ openCode, isAlone }: { openCode: string | null; isAlone: boolean }) {
  // Beside a room it is its navigation.
  const Landmark = isAlone ? 'main' : 'nav'
  const t = useText(text)
  const navigate = useNavigate()
  const back = useBackToChannels()
  const enters = useEntrance('list')
  const list = useScrollPosition('chats')
  const [pages, setPages] = useState(1)
  const [chosen, setChosen] = useState<Chat | null>(null)
  const unread = useRouteQuery(unreadChats, {}).answer?.count ?? 0
  const product = useText(siteName)
  usePageTitle(openCode === null ? `${t.title} · ${product}` : null, unread)
  usePresenceRefresh(chatsChanged)
  return (
    <Landmark className={styles.list} aria-label={t.title} data-enters={enters}>
      <TopBar
        title={t.title}
        onBack={back}
        actions={
          <>
            <IconButton label={t.search} onPress={() => void navigate('/search')}>
              <SearchIcon />
            </IconButton>
            <IconButton label={t.friends} onPress={() => void navigate(paths.friends())}>
              <FriendsIcon />
            </IconButton>
          </>
        }
      />
      <div className={styles.rows} ref={list}>
        {Array.from({ length: pages }, (_, at) => (
          <PageOfChats
            // biome-ignore lint/suspicious/noArrayIndexKey: pages have no other name
            key={at}
            page={at + 1}
            isLast={at + 1 === pages}
            openCode={openCode}
            onHold={setChosen}
            onMore={() => setPages(pages + 1)}
          />
        ))}
      </div>
      {chosen && <ChatMenu chat={chosen} isOpen={chosen.code === openCode} onClose={() => setChosen(null)} />}
    </Landmark>
  )
}

/** A page of the list; the last one leads to the next. */
function PageOfChats(props: {
  page: number
  isLast: boolean
  openCode: string | null
  onHold: (chat: Chat) => void
  onMore: () => void
}) {
  const t = useText(text)
  const { page, isLast } = props
  const chats = useRouteQuery(listChats, page === 1 ? {} : { page })
  if (chats.status === 'failed')
    return <ErrorState title={t.failed} message={chats.failure.message} onRetry={chats.refetch} />
  if (!chats.answer) return <LoadingState />
  const { items, meta } = chats.answer
  if (page === 1 && items.length === 0)
    return (
      <EmptyState
        icon={<ChatsDrawing />}
        title={t.none}
        message={t.noneWhy}
        action={
          <Link className={buttonClass('soft')} to={paths.friends()}>
            {t.toFriends}
          </Link>
        }
      />
    )
  return (
    <>
      <ul>
        {items.map((chat) => (
          <ChatRow
            key={chat.code}
            chat={chat}
            isOpen={chat.code === props.openCode}
            onHold={() => props.onHold(chat)}
          />
        ))}
      </ul>
      {isLast && page < meta.page_total && (
        <button type="button" className={styles.more} onClick={props.onMore}>
          {t.more}
        </button>
      )}
    </>
  )
}

/** One conversation: a tap opens it, holding shows what can be done. */
function ChatRow({ chat, isOpen, onHold }: { chat: Chat; isOpen: boolean; onHold: () => void }) {
  const t = useText(text)
  const locale = useLocale()
  const holds = useLongPress(onHold)
  const line = useLine(chat)
  const now = Date.now()
  const { target_info: partner, unread_count: unread, latest_msg_time: at } = chat
  return (
    <li className={styles.row} data-part="chat" data-open={isOpen || undefined} {...holds}>
      <Link
        className={styles.link}
        to={paths.chat(chat.code)}
        replace={isOpen}
        state={{ fromChats: true }}
        aria-current={isOpen ? 'page' : undefined}
      >
        <OnlineAvatar size={48} person={partner} />
        <span className={styles.summary}>
          <span className={styles.top}>
            <span className="named">
              <span className={styles.name}>{partner.username}</span>
              {partner.is_vip && <BuffMark />}
            </span>
            {at > 0 && (
              <time className={styles.time} dateTime={new Date(at).toISOString()}>
                {sameDay(at, now) ? clockLabel(at, locale) : dayLabel(at, now, locale)}
              </time>
            )}
          </span>
          <span className={styles.bottom} data-unread={unread > 0 || undefined}>
            <span className={styles.line}>{line}</span>
            {unread > 0 && (
              <>
                <span className="unseen">{t.unread(unread)}</span>
                <span aria-hidden="true">
                  <Badge count={unread} />
                </span>
              </>
            )}
          </span>
        </span>
      </Link>
      <span className={styles.rowMore}>
        <IconButton label={t.menuOf(partner.username)} onPress={onHold}>
          <MoreIcon size={20} />
        </IconButton>
      </span>
    </li>
  )
}

/** The newest message in one line. */
function useLine({ last_message: last }: Chat): string {
  const t = useText(text)
  const me = useMe()
  if (!last) return t.nothingYet
  const kind = kindOf(last.type, 'specification')
  const line =
    kind === 'image' || kind === 'file' || kind === 'video' || kind === 'voice' || kind === 'card'
      ? t[kind]
      : last.words
  return last.author_id === me.id ? t.mine(line) : line
}

function ChatMenu({ chat, isOpen, onClose }: { chat: Chat; isOpen: boolean; onClose: () => void }) {
  const t = useText(text)
  const navigate = useNavigate()
  const { username } = chat.target_info
  const hide = () => {
    onClose()
    call(deleteChat, { chat_code: chat.code }, { showMsg: true }).then(
      () => {
        chatsChanged()
        toast(t.hidden)
        if (isOpen) void navigate(paths.chats(), { replace: true })
      },
      () => undefined,
    )
  }
  return (
    <Sheet popover="menu" title={username} onClose={onClose}>
      <div className={menuStyles.menu}>
        <MenuItem
          icon={<Avatar of={chat.target_info} size={24} />}
          label={t.placeholder(username)}
          onPress={() => void navigate(paths.chat(chat.code))}
        />
        <MenuItem
          icon={<SearchIcon />}
          label={t.search}
          onPress={() => void navigate(`/search?chat=${chat.code}`)}
        />
        <MenuItem icon={<CloseIcon />} label={t.hide} isDanger onPress={hide} />
      </div>
    </Sheet>
  )
}
