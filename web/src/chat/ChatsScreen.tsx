import { type Chat, deleteChat, listChats } from '@guildhall/wire/chat/chat.ts'
import { useEffect, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { useMe } from '../auth/auth.ts'
import { call } from '../kit/call.ts'
import { useLocale, useText } from '../kit/i18n.ts'
import { paths } from '../kit/paths.ts'
import { invalidateRoute, useRouteQuery } from '../kit/routeQuery.ts'
import { timeLabel } from '../kit/time.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { Badge } from '../ui/Badge.tsx'
import { buttonClass } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { ChatIcon, FriendsIcon, MoreIcon, TrashIcon } from '../ui/icons.tsx'
import { LoadingState } from '../ui/LoadingState.tsx'
import menuStyles from '../ui/Menu.module.css'
import { MenuItem } from '../ui/MenuItem.tsx'
import { Page } from '../ui/Page.tsx'
import { Sheet } from '../ui/Sheet.tsx'
import { TopBar } from '../ui/TopBar.tsx'
import { useLongPress } from '../ui/useLongPress.ts'
import styles from './ChatsScreen.module.css'
import { text } from './text.ts'

/** /chats: the private conversations, the one with the newest message first. */
export default function ChatsScreen() {
  const t = useText(text)
  const navigate = useNavigate()
  const chats = useRouteQuery(listChats, {})
  useEffect(() => {
    document.title = `${t.title} · ${t.product}`
  }, [t])
  return (
    <Page>
      <TopBar
        title={t.title}
        onBack={() => void navigate(paths.channels())}
        actions={
          <IconButton label={t.friends} onPress={() => void navigate(paths.friends())}>
            <FriendsIcon />
          </IconButton>
        }
      />
      <main className={styles.screen}>
        {chats.answer ? (
          <Chats items={chats.answer.items} />
        ) : chats.status === 'failed' ? (
          <ErrorState title={t.failed} message={chats.failure.message} onRetry={chats.refetch} />
        ) : (
          <LoadingState />
        )}
      </main>
    </Page>
  )
}

function Chats({ items }: { items: readonly Chat[] }) {
  const t = useText(text)
  const [chosen, setChosen] = useState<Chat | null>(null)
  if (items.length === 0)
    return (
      <EmptyState
        icon={<ChatIcon size={32} />}
        title={t.none}
        message={t.noneWhy}
        action={
          <Link className={buttonClass('soft')} to={paths.friends()}>
            {t.friends}
          </Link>
        }
      />
    )
  const hide = (code: string) => {
    setChosen(null)
    void call(deleteChat, { chat_code: code }, { showMsg: true })
      .catch(() => undefined)
      .then(() => invalidateRoute(listChats))
  }
  return (
    <>
      <ul>
        {items.map((chat) => (
          <ChatRow key={chat.code} chat={chat} onMenu={() => setChosen(chat)} />
        ))}
      </ul>
      {chosen && (
        <Sheet title={chosen.target_info.username} onClose={() => setChosen(null)}>
          <p className={styles.why}>{t.hideWhy}</p>
          <div className={menuStyles.menu}>
            <MenuItem icon={<TrashIcon />} label={t.hide} onPress={() => hide(chosen.code)} />
          </div>
        </Sheet>
      )}
    </>
  )
}

function ChatRow({ chat, onMenu }: { chat: Chat; onMenu: () => void }) {
  const t = useText(text)
  const locale = useLocale()
  const me = useMe()
  const holds = useLongPress(onMenu)
  const { id, username, avatar, online } = chat.target_info
  const { last_message: last } = chat
  const words = last && (last.author_id === me.id ? t.mine(last.content) : last.content)
  return (
    <li className={styles.row} data-part="chat">
      <Link className={styles.link} to={paths.chat(chat.code)} state={{ from: 'chats' }} {...holds}>
        <span className={styles.face}>
          <Avatar id={id} name={username} src={avatar} size={48} />
          {online && (
            <span className={styles.dot}>
              <span className="unseen">{t.isOnline}</span>
            </span>
          )}
        </span>
        <span className={styles.words}>
          <span className={styles.top}>
            <span className={styles.name}>{username}</span>
            {chat.latest_msg_time > 0 && (
              <span className={styles.time}>{timeLabel(chat.latest_msg_time, Date.now(), locale)}</span>
            )}
          </span>
          <span className={styles.bottom}>
            <span className={styles.last}>{words || t.noMessage}</span>
            {chat.unread_count > 0 && (
              <>
                <span className="unseen">{t.unread(chat.unread_count)}</span>
                <span aria-hidden="true">
                  <Badge count={chat.unread_count} />
                </span>
              </>
            )}
          </span>
        </span>
      </Link>
      <IconButton label={t.menuOf(username)} onPress={onMenu}>
        <MoreIcon />
      </IconButton>
    </li>
  )
}
