import {
  blockPerson,
  deleteFriend,
  type FriendEntry,
  handleRequest,
  listFriends,
  unblockPerson,
} from '@guildhall/wire/friend/friend.ts'
import { type ReactNode, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { type CallFailure, call } from '../kit/call.ts'
import { findNamed } from '../kit/find/findNamed.ts'
import { useText } from '../kit/i18n.ts'
import { paths } from '../kit/paths.ts'
import { invalidateRoute, useRouteQuery } from '../kit/routeQuery.ts'
import { useCall } from '../kit/useCall.ts'
import { Button } from '../ui/Button.tsx'
import { SearchField } from '../ui/form/SearchField.tsx'
import { useSearch } from '../ui/form/useSearch.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { LockIcon } from '../ui/icon/channelIcons.tsx'
import { CloseIcon } from '../ui/icon/icon.tsx'
import { ChatIcon, MoreIcon } from '../ui/icon/icons.tsx'
import { CheckIcon, LeaveIcon } from '../ui/icon/laterIcons.tsx'
import { AddPersonIcon } from '../ui/icon/personIcons.tsx'
import { Dialog } from '../ui/overlay/Dialog.tsx'
import menuStyles from '../ui/overlay/Menu.module.css'
import { MenuItem } from '../ui/overlay/MenuItem.tsx'
import { Sheet } from '../ui/overlay/Sheet.tsx'
import { toast } from '../ui/overlay/Toast.tsx'
import { Page } from '../ui/page/Page.tsx'
import { TopBar } from '../ui/page/TopBar.tsx'
import { useBackToChannels } from '../ui/page/useBackToChannels.ts'
import { useProductTitle } from '../ui/page/useProductTitle.ts'
import { Avatar } from '../ui/picture/Avatar.tsx'
import { BuffMark } from '../ui/picture/BuffMark.tsx'
import { EmptyState } from '../ui/state/EmptyState.tsx'
import { Loaded } from '../ui/state/Loaded.tsx'
import { Skeleton } from '../ui/state/Skeleton.tsx'
import { usePresenceRefresh } from '../ui/usePresenceRefresh.ts'
import { AddFriendSheet } from './AddFriendSheet.tsx'
import { FriendsDrawing } from './drawings.tsx'
import styles from './FriendsScreen.module.css'
import { text } from './text.ts'

/** From how many friends on they can be searched. */
const SEARCHED_FROM = 8

const reload = () => invalidateRoute(listFriends)
const toastFailure = (failure: CallFailure) => toast(failure.message)

/** /friends: requests, friends with their presence, blocked people; adding one is behind a plus. */
export default function FriendsScreen() {
  const t = useText(text)
  const back = useBackToChannels()
  const friends = useRouteQuery(listFriends, {})
  const [isAdding, setAdding] = useState(false)
  const add = () => setAdding(true)
  usePresenceRefresh(reload)
  useProductTitle(t.title)
  return (
    <Page>
      <TopBar
        title={t.title}
        onBack={back}
        actions={
          <IconButton label={t.add} onPress={add}>
            <AddPersonIcon />
          </IconButton>
        }
      />
      <main className={styles.screen}>
        <Loaded of={friends} title={t.failed} wait={<Waiting />}>
          {(lists) => <Lists {...lists} onAdd={add} />}
        </Loaded>
      </main>
      {isAdding && <AddFriendSheet onAsked={reload} onClose={() => setAdding(false)} />}
    </Page>
  )
}

/** Rows in the place of those that are loaded. */
function Waiting() {
  return (
    <div className={styles.group} aria-busy="true">
      <p className={styles.groupTitle}>
        <Skeleton width={64} height={13} />
      </p>
      <div className={styles.card}>
        {[120, 80, 150].map((width) => (
          <div key={width} className={styles.person}>
            <Skeleton className={styles.blank} />
            <Skeleton width={width} />
          </div>
        ))}
      </div>
    </div>
  )
}

const isOnline = ({ friend_info }: FriendEntry) => friend_info.online

/** By their names; those whose name and digits fit what is searched for. */
const foundBy = (search: string, friends: readonly FriendEntry[]): FriendEntry[] =>
  findNamed(
    friends.toSorted((a, b) => a.friend_info.username.localeCompare(b.friend_info.username, 'zh-CN')),
    search,
    ({ friend_info: it }) => [[`${it.username}#${it.identify_num}`, '']],
  )

function Lists(props: {
  all_request: readonly FriendEntry[]
  friend: readonly FriendEntry[]
  blocked: readonly FriendEntry[]
  onAdd: () => void
}) {
  const t = useText(text)
  const searched = useSearch()
  const [chosen, setChosen] = useState<FriendEntry | null>(null)
  const { all_request: requests, friend: friends, blocked } = props
  const found = foundBy(searched.typed, friends)
  const received = requests.filter(({ own }) => !own)
  const sent = requests.filter(({ own }) => own)
  const online = found.filter(isOnline)
  const offline = found.filter((entry) => !isOnline(entry))
  const more = (entry: FriendEntry) => (
    <IconButton label={t.menuOf(entry.friend_info.username)} onPress={() => setChosen(entry)}>
      <MoreIcon />
    </IconButton>
  )
  return (
    <>
      <People
        title={t.requests(received.length)}
        entries={received}
        buttons={(entry) => <RequestButtons entry={entry} />}
      />
      {friends.length >= SEARCHED_FROM && (
        <div className={styles.group}>
          <SearchField label={t.search} of={searched} />
          {found.length === 0 && <p className={styles.none}>{t.noMatch}</p>}
        </div>
      )}
      <People title={t.online(online.length)} entries={online} buttons={more} />
      <People title={t.offline(offline.length)} entries={offline} buttons={more} />
      {friends.length + requests.length === 0 && (
        <EmptyState
          icon={<FriendsDrawing />}
          title={t.none}
          message={t.noneWhy}
          action={<Button onPress={props.onAdd}>{t.add}</Button>}
        />
      )}
      <People
        title={t.sentOnes(sent.length)}
        entries={sent}
        noteOf={() => t.sent}
        buttons={(entry) => <TakeBack entry={entry} />}
      />
      <People title={t.blocked} entries={blocked} buttons={(entry) => <Unblock entry={entry} />} />
      {chosen && <FriendMenu entry={chosen} onClose={() => setChosen(null)} />}
    </>
  )
}

/** People under a heading, if there are any. */
function People(props: {
  title: string
  entries: readonly FriendEntry[]
  noteOf?: (entry: FriendEntry) => string | undefined
  buttons: (entry: FriendEntry) => ReactNode
}) {
  if (props.entries.length === 0) return null
  return (
    <section className={styles.group}>
      <h2 className={styles.groupTitle}>{props.title}</h2>
      <ul className={styles.card}>
        {props.entries.map((entry) => (
          <Person key={entry.id} entry={entry} note={props.noteOf?.(entry)}>
            {props.buttons(entry)}
          </Person>
        ))}
      </ul>
    </section>
  )
}

/** A friend's row leads to the conversation. */
function Person(props: { entry: FriendEntry; note?: string | undefined; children: ReactNode }) {
  const { entry } = props
  const { id } = entry.friend_info
  const who = <Who entry={entry} note={props.note} />
  return (
    <li className={styles.person} data-part="friend">
      {entry.type === 'friend' ? (
        <Link className={styles.who} to={paths.chatWith(id)}>
          {who}
        </Link>
      ) : (
        <div className={styles.who}>{who}</div>
      )}
      <div className={styles.buttons}>{props.children}</div>
    </li>
  )
}

function Who({ entry, note }: { entry: FriendEntry; note?: string | undefined }) {
  const t = useText(text)
  const { username, identify_num, is_vip, online } = entry.friend_info
  return (
    <>
      <span className={styles.face}>
        <Avatar of={entry.friend_info} size={40} />
        {online && entry.type === 'friend' && (
          <span className={styles.dot}>
            <span className="unseen">{t.isOnline}</span>
          </span>
        )}
      </span>
      <span className={styles.names}>
        <span className="named">
          <span className={styles.name}>{username}</span>
          {is_vip && <BuffMark />}
        </span>
        <span className={styles.number}>{note ?? `#${identify_num}`}</span>
      </span>
    </>
  )
}

function RequestButtons({ entry }: { entry: FriendEntry }) {
  const t = useText(text)
  const answering = useCall(handleRequest)
  const { username } = entry.friend_info
  const answer = async (accept: number) => {
    const isDone = await answering.run({ id: entry.id, accept }, toastFailure)
    if (isDone && accept === 1) toast(t.nowFriends(username))
    reload()
  }
  return (
    <>
      <IconButton label={t.refuseOf(username)} onPress={() => void answer(0)}>
        <CloseIcon />
      </IconButton>
      <span className={styles.accept}>
        <IconButton label={t.acceptOf(username)} onPress={() => void answer(1)}>
          <CheckIcon />
        </IconButton>
      </span>
    </>
  )
}

function TakeBack({ entry }: { entry: FriendEntry }) {
  const t = useText(text)
  const removing = useCall(deleteFriend)
  const { id, username } = entry.friend_info
  return (
    <Button
      kind="quiet"
      aria-label={t.cancelOf(username)}
      onPress={() => void removing.run({ user_id: id }, toastFailure).then(reload)}
    >
      {t.cancel}
    </Button>
  )
}

function Unblock({ entry }: { entry: FriendEntry }) {
  const t = useText(text)
  const { id, username } = entry.friend_info
  const unblocking = useCall(unblockPerson)
  return (
    <Button
      kind="quiet"
      aria-label={t.unblockOf(username)}
      onPress={() => void unblocking.run({ user_id: id }, toastFailure).then(reload)}
    >
      {t.unblock}
    </Button>
  )
}

function FriendMenu({ entry, onClose }: { entry: FriendEntry; onClose: () => void }) {
  const t = useText(text)
  const navigate = useNavigate()
  const [step, setStep] = useState<'menu' | 'remove' | 'block'>('menu')
  const { id, username, identify_num } = entry.friend_info
  if (step === 'menu')
    return (
      <Sheet title={`${username}#${identify_num}`} onClose={onClose}>
        <div className={menuStyles.menu}>
          <MenuItem icon={<ChatIcon />} label={t.message} onPress={() => void navigate(paths.chatWith(id))} />
          <MenuItem icon={<LeaveIcon />} label={t.remove} isDanger onPress={() => setStep('remove')} />
          <MenuItem icon={<LockIcon />} label={t.block} isDanger onPress={() => setStep('block')} />
        </div>
      </Sheet>
    )
  const isBlock = step === 'block'
  const act = () => {
    onClose()
    void call(isBlock ? blockPerson : deleteFriend, { user_id: id }, { showMsg: true })
      .catch(() => undefined)
      .then(reload)
  }
  return (
    <Dialog
      title={isBlock ? t.blockTitle(username) : t.removeTitle(username)}
      message={isBlock ? t.blockWords : t.removeWords}
      confirm={isBlock ? t.block : t.remove}
      danger
      onConfirm={act}
      onClose={onClose}
    />
  )
}
