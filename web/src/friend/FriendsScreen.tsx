import {
  blockPerson,
  deleteFriend,
  type FriendEntry,
  handleRequest,
  listFriends,
  readUserCode,
  requestFriend,
  unblockPerson,
} from '@guildhall/wire/friend/friend.ts'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router'
import { useMe } from '../auth/auth.ts'
import { type CallFailure, call } from '../kit/call.ts'
import { useText } from '../kit/i18n.ts'
import { paths } from '../kit/paths.ts'
import { invalidateRoute, useRouteQuery } from '../kit/routeQuery.ts'
import { useCall } from '../kit/useCall.ts'
import { Button } from '../ui/Button.tsx'
import { Field } from '../ui/form/Field.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { LockIcon } from '../ui/icon/channelIcons.tsx'
import { ChatIcon, MoreIcon } from '../ui/icon/icons.tsx'
import { LeaveIcon, UserIcon } from '../ui/icon/laterIcons.tsx'
import { Dialog } from '../ui/overlay/Dialog.tsx'
import menuStyles from '../ui/overlay/Menu.module.css'
import { MenuItem } from '../ui/overlay/MenuItem.tsx'
import { Sheet } from '../ui/overlay/Sheet.tsx'
import { toast } from '../ui/overlay/Toast.tsx'
import { TitledPage } from '../ui/page/TitledPage.tsx'
import { useBackToChannels } from '../ui/page/useBackToChannels.ts'
import { Avatar } from '../ui/picture/Avatar.tsx'
import { EmptyState } from '../ui/state/EmptyState.tsx'
import { Loaded } from '../ui/state/Loaded.tsx'
import { usePresenceRefresh } from '../ui/usePresenceRefresh.ts'
import styles from './FriendsScreen.module.css'
import { text } from './text.ts'

/** From how many friends on they can be searched. */
const SEARCHED_FROM = 8

const reload = () => invalidateRoute(listFriends)
const toastFailure = (failure: CallFailure) => toast(failure.message)

/** /friends: requests, friends with their presence, blocked people; adding a friend by name and digits. */
export default function FriendsScreen() {
  const t = useText(text)
  const back = useBackToChannels()
  const friends = useRouteQuery(listFriends, {})
  usePresenceRefresh(reload)
  return (
    <TitledPage title={t.title} onBack={back}>
      <main className={styles.screen}>
        <AddFriend />
        <Loaded of={friends} title={t.failed}>
          {(lists) => <Lists {...lists} />}
        </Loaded>
      </main>
    </TitledPage>
  )
}

function AddFriend() {
  const t = useText(text)
  const me = useMe()
  const [name, setName] = useState('')
  const [wrong, setWrong] = useState('')
  const asking = useCall(requestFriend)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const code = readUserCode(name)
    if (!/^\S+#\d{4,10}$/.test(code)) return setWrong(t.addWrong)
    const isAsked = await asking.run({ user_code: code }, (failure) => setWrong(failure.message))
    if (!isAsked) return
    setName('')
    toast(t.asked)
    reload()
  }
  return (
    <form className={styles.add} onSubmit={(event) => void submit(event)} noValidate>
      <Field
        label={t.addLabel}
        name="friend"
        value={name}
        placeholder={t.addPlaceholder}
        error={wrong || undefined}
        onChange={(value) => {
          setName(value)
          setWrong('')
        }}
      />
      <Button type="submit" block busy={asking.status === 'busy'}>
        {t.add}
      </Button>
      <p className={styles.mine}>{t.mine(`${me.username}#${me.identify_num}`)}</p>
    </form>
  )
}

const isOnline = ({ friend_info }: FriendEntry) => friend_info.online

/** The friends whose name and digits contain what is searched for, by their names. */
function foundBy(search: string, friends: readonly FriendEntry[]): FriendEntry[] {
  const wanted = search.trim().toLowerCase()
  return friends
    .filter(({ friend_info: it }) => `${it.username}#${it.identify_num}`.toLowerCase().includes(wanted))
    .toSorted((a, b) => a.friend_info.username.localeCompare(b.friend_info.username, 'zh-CN'))
}

function Lists(props: {
  all_request: readonly FriendEntry[]
  friend: readonly FriendEntry[]
  blocked: readonly FriendEntry[]
}) {
  const t = useText(text)
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState<FriendEntry | null>(null)
  const { all_request: requests, friend: friends, blocked } = props
  const found = foundBy(search, friends)
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
        title={t.requests}
        entries={requests}
        noteOf={({ own }) => (own ? t.sent : undefined)}
        buttons={(entry) => <RequestButtons entry={entry} />}
      />
      {friends.length >= SEARCHED_FROM && (
        <div className={styles.group}>
          <Field label={t.search} name="search" type="search" value={search} onChange={setSearch} />
          {found.length === 0 && <p className={styles.none}>{t.noMatch}</p>}
        </div>
      )}
      <People title={t.online(online.length)} entries={online} buttons={more} />
      <People title={t.offline(offline.length)} entries={offline} buttons={more} />
      {friends.length + requests.length === 0 && (
        <EmptyState icon={<UserIcon size={32} />} title={t.none} message={t.noneWhy} />
      )}
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

function Person(props: { entry: FriendEntry; note?: string | undefined; children: ReactNode }) {
  const t = useText(text)
  const { id, username, identify_num, avatar, vip_avatar, online } = props.entry.friend_info
  return (
    <li className={styles.person} data-part="friend">
      <span className={styles.face}>
        <Avatar id={id} name={username} src={avatar} moving={vip_avatar} size={40} />
        {online && props.entry.type === 'friend' && (
          <span className={styles.dot}>
            <span className="unseen">{t.isOnline}</span>
          </span>
        )}
      </span>
      <div className={styles.names}>
        <p className={styles.name}>{username}</p>
        <p className={styles.number}>{props.note ?? `#${identify_num}`}</p>
      </div>
      <div className={styles.buttons}>{props.children}</div>
    </li>
  )
}

function RequestButtons({ entry }: { entry: FriendEntry }) {
  const t = useText(text)
  const answering = useCall(handleRequest)
  const removing = useCall(deleteFriend)
  const { id, username } = entry.friend_info
  const answer = async (accept: number) => {
    const isDone = await answering.run({ id: entry.id, accept }, toastFailure)
    if (isDone && accept === 1) toast(t.nowFriends(username))
    reload()
  }
  if (entry.own)
    return (
      <Button
        kind="quiet"
        aria-label={t.cancelOf(username)}
        onPress={() => void removing.run({ user_id: id }, toastFailure).then(reload)}
      >
        {t.cancel}
      </Button>
    )
  return (
    <>
      <Button kind="quiet" aria-label={t.refuseOf(username)} onPress={() => void answer(0)}>
        {t.refuse}
      </Button>
      <Button aria-label={t.acceptOf(username)} onPress={() => void answer(1)}>
        {t.accept}
      </Button>
    </>
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
