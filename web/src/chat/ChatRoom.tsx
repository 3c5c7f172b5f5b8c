import { uploadMaxBytes } from '@guildhall/wire/asset/asset.ts'
import { type Chat, viewChat } from '@guildhall/wire/chat/chat.ts'
import { unblockPerson } from '@guildhall/wire/friend/friend.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import { siteName } from '@guildhall/wire/siteName.ts'
import { useEffect, useMemo, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useMe } from '../auth/auth.ts'
import type { CallFailure } from '../kit/call.ts'
import { useText } from '../kit/i18n.ts'
import { paths } from '../kit/paths.ts'
import { cache, queryKeyOf, useRouteQuery } from '../kit/routeQuery.ts'
import { useCall } from '../kit/useCall.ts'
import {
  Composer,
  ComposerSkeleton,
  FindWay,
  type MentionTargets,
  type OpenRoom,
  type Rights,
  RoomFrame,
  RoomMessages,
  sendDraft,
  type UnreadAtEntry,
  useLinkedMessage,
  useOpenRoom,
} from '../room/room.ts'
import { Button } from '../ui/Button.tsx'
import { toast } from '../ui/overlay/Toast.tsx'
import { TopBar } from '../ui/page/TopBar.tsx'
import { useEntrance } from '../ui/page/useEntrance.ts'
import { usePageTitle } from '../ui/page/usePageTitle.ts'
import { BuffMark } from '../ui/picture/BuffMark.tsx'
import { Skeleton } from '../ui/state/Skeleton.tsx'
import styles from './ChatsScreen.module.css'
import { partnerChanged } from './chatEvents.ts'
import { Gone } from './Gone.tsx'
import { OnlineAvatar } from './OnlineAvatar.tsx'
import { PartnerSheet } from './PartnerSheet.tsx'
import { text } from './text.ts'

/** What the two may do in their conversation. */
const OPEN =
  permission.view_channel | permission.send_message | permission.add_reaction | permission.follow_reaction

/** The room of one private conversation. */
export default function ChatRoom({ code }: { code: string }) {
  const t = useText(text)
  const me = useMe()
  const enters = useEntrance('room')
  const chat = useRouteQuery(viewChat, { chat_code: code })
  const room = useOpenRoom(code)
  useLinkedMessage(room)
  const [isPersonOpen, setPersonOpen] = useState(false)
  const partner = chat.answer?.target_info ?? null
  const name = partner?.username ?? ''
  const product = useText(siteName)
  usePageTitle(name ? `${name} · ${t.title} · ${product}` : null)
  const context = useMemo(() => ({ me, guild: null }), [me])
  const rights = useRights(chat.answer?.may_write === true)
  const unread = useUnreadAtEntry(chat.answer, code, chat.refetch)
  const targets = useTargets(partner?.id, setPersonOpen)
  const back = useWayToList()
  if (isUnknown(chat.failure) || isUnknown(room.live.failure))
    return (
      <>
        <TopBar title={t.title} onBack={back} />
        <main className={styles.main}>
          <Gone />
        </main>
      </>
    )
  return (
    <RoomFrame
      room={room}
      targets={targets}
      enters={enters}
      bar={
        <TopBar
          onBack={back}
          title={<Partner person={partner} onPress={() => setPersonOpen(true)} />}
          actions={<FindWay room={room} />}
        />
      }
      sheets={
        isPersonOpen &&
        chat.answer && <PartnerSheet chat={chat.answer} onClose={() => setPersonOpen(false)} />
      }
    >
      <RoomMessages
        room={room}
        context={context}
        rights={rights}
        unread={unread}
        channelName={name}
        start={{ title: t.start(name), why: t.startWhy }}
        canReply={rights.canSend}
      />
      <ChatComposer room={room} chat={chat.answer} />
    </RoomFrame>
  )
}

/** The composer, once it is known whether the user may write. */
function ChatComposer({ room, chat }: { room: OpenRoom; chat: Chat | null }) {
  const t = useText(text)
  const me = useMe()
  if (!chat) return <ComposerSkeleton />
  if (!chat.may_write) return <Closed chat={chat} />
  return (
    <Composer
      channelId={room.id}
      placeholder={t.placeholder(chat.target_info.username)}
      guild={null}
      why={me.mobile_verified ? null : 'unverified'}
      maxBytes={uploadMaxBytes(0, me.is_vip)}
      context={null}
      onSend={(content, files, names) => sendDraft(room, content, files, names)}
    />
  )
}

/** Whether the server said that there is no such conversation. */
const isUnknown = (failure: CallFailure | null): boolean =>
  failure?.name === 'chat.unknown' || failure?.name === 'bad_input'

/** The other one, in the bar. */
function Partner({ person, onPress }: { person: Chat['target_info'] | null; onPress: () => void }) {
  if (!person) return <Skeleton width={96} height={18} />
  return (
    <button type="button" className={styles.partner} onClick={onPress}>
      <OnlineAvatar size={32} person={person} />
      <span className="named">
        <span className={styles.partnerName}>{person.username}</span>
        {person.is_vip && <BuffMark />}
      </span>
    </button>
  )
}

/** The way of the bar's arrow: back to the list when the room was opened there. */
function useWayToList(): () => void {
  const navigate = useNavigate()
  const isFromList = useLocation().state?.fromChats === true
  return () => void (isFromList ? navigate(-1) : navigate(paths.chats(), { replace: true }))
}

function useRights(mayWrite: boolean): Rights {
  const me = useMe()
  return useMemo(
    () => ({
      meId: me.id,
      mobile_verified: me.mobile_verified,
      permissions: mayWrite ? OPEN : permission.view_channel,
      canSend: mayWrite && me.mobile_verified,
    }),
    [me, mayWrite],
  )
}

/** Where mentions lead: to the other one. The same object as long as the partner is. */
function useTargets(partnerId: string | undefined, setPersonOpen: (isOpen: true) => void): MentionTargets {
  return useMemo(
    () => ({
      openPerson: (id: string) => void (id === partnerId && setPersonOpen(true)),
      channelPath: () => null,
    }),
    [partnerId, setPersonOpen],
  )
}

/** In place of the composer: why the user cannot write, and what to do about it. */
function Closed({ chat }: { chat: Chat }) {
  const t = useText(text)
  const unblocking = useCall(unblockPerson)
  if (!chat.is_blocked)
    return (
      <div className={styles.closed} role="status">
        <p>{t.cannotWrite}</p>
      </div>
    )
  const unblock = () =>
    void unblocking
      .run({ user_id: chat.target_info.id }, (failure) => toast(failure.message))
      .then(partnerChanged)
  return (
    <div className={styles.closed} role="status">
      <p>{t.youBlock}</p>
      <Button kind="soft" busy={unblocking.status === 'busy'} onPress={unblock}>
        {t.unblock}
      </Button>
    </div>
  )
}

/**
 * What was unread when the room was opened; it stays while the read mark moves. An answer from before the
 * visit may not know of messages that came since.
 */
function useUnreadAtEntry(chat: Chat | null, code: string, refetch: () => void): UnreadAtEntry {
  const [entered, setEntered] = useState<{ mark: number; count: number } | null>(null)
  const [openedAt] = useState(Date.now)
  const answeredAt = cache.getQueryState(queryKeyOf(viewChat, { chat_code: code }))?.dataUpdatedAt ?? 0
  const isOld = chat !== null && answeredAt < openedAt
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each visit
  useEffect(() => {
    if (isOld) refetch()
  }, [])
  if (chat && !isOld && !entered) setEntered({ mark: chat.read_seq, count: chat.unread_count })
  if (!entered) return { readSeq: undefined, count: 0, first: null }
  return { readSeq: entered.count > 0 ? entered.mark : null, count: entered.count, first: null }
}
