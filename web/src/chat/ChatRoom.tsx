import { uploadMaxBytes } from '@guildhall/wire/asset/asset.ts'
import { type Chat, viewChat } from '@guildhall/wire/chat/chat.ts'
import { unblockPerson } from '@guildhall/wire/friend/friend.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useMe } from '../auth/auth.ts'
import { useText } from '../kit/i18n.ts'
import { paths } from '../kit/paths.ts'
import { cache, queryKeyOf, useRouteQuery } from '../kit/routeQuery.ts'
import { useCall } from '../kit/useCall.ts'
import {
  Composer,
  ComposerSkeleton,
  type ListHandle,
  MentionTargetsContext,
  MessageList,
  MessagesSkeleton,
  quoteOf,
  ReplyBar,
  type Rights,
  saveReply,
  sendAttachment,
  type UnreadAtEntry,
  useExistingReply,
  useRoomHeight,
  useRoomStore,
  VerificationBanner,
} from '../room/room.ts'
import { Button } from '../ui/Button.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { toast } from '../ui/Toast.tsx'
import { TopBar } from '../ui/TopBar.tsx'
import { useEntrance } from '../ui/useEntrance.ts'
import { usePageTitle } from '../ui/usePageTitle.ts'
import styles from './ChatsScreen.module.css'
import { partnerChanged } from './chatEvents.ts'
import { Face } from './Face.tsx'
import { Gone } from './Gone.tsx'
import { PartnerSheet } from './PartnerSheet.tsx'
import { text } from './text.ts'

/** What the two may do in their conversation. */
const OPEN =
  permission.view_channel | permission.send_message | permission.add_reaction | permission.follow_reaction

/** The room of one private conversation. */
export default function ChatRoom({ code }: { code: string }) {
  const t = useText(text)
  const me = useMe()
  const navigate = useNavigate()
  const isFromList = useLocation().state?.fromChats === true
  const enters = useEntrance('room')
  const chat = useRouteQuery(viewChat, { chat_code: code })
  const rooms = useRoomStore()
  const actions = useMemo(() => rooms.open(code, me.id), [rooms, code, me.id])
  const live = useSyncExternalStore(actions.subscribe, actions.snapshot)
  const list = useRef<ListHandle>(null)
  const page = useRef<HTMLDivElement>(null)
  const [isPersonOpen, setPersonOpen] = useState(false)
  const reply = useExistingReply(code, live.room)
  useRoomHeight(page)
  const partner = chat.answer?.target_info ?? null
  const name = partner?.username ?? ''
  usePageTitle(name ? `${name} · ${t.title} · ${t.product}` : null)
  const place = useMemo(() => ({ me, guild: null }), [me])
  const mayWrite = chat.answer?.may_write === true
  const why = me.mobile_verified ? null : 'unverified'
  const rights = useMemo(
    (): Rights => ({
      meId: me.id,
      mobile_verified: me.mobile_verified,
      permissions: mayWrite ? OPEN : permission.view_channel,
      canSend: mayWrite && me.mobile_verified,
    }),
    [me, mayWrite],
  )
  const unread = useUnreadAtEntry(chat.answer, code, chat.refetch)
  const partnerId = partner?.id
  const targets = useMemo(
    () => ({
      openPerson: (id: string) => void (id === partnerId && setPersonOpen(true)),
      channelPath: () => null,
    }),
    [partnerId],
  )
  const back = () => void (isFromList ? navigate(-1) : navigate(paths.chats(), { replace: true }))
  const isGone = [chat.failure, live.failure].some(
    (failure) => failure?.name === 'chat.unknown' || failure?.name === 'bad_input',
  )
  if (isGone)
    return (
      <>
        <TopBar title={t.title} onBack={back} />
        <main className={styles.main}>
          <Gone />
        </main>
      </>
    )
  const nothingYet = live.room.run.length === 0 && !live.room.atStart && !live.room.historyWindow
  return (
    <MentionTargetsContext value={targets}>
      <div className={styles.room} ref={page} data-enters={enters}>
        <TopBar
          onBack={back}
          title={
            partner ? (
              <button type="button" className={styles.partner} onClick={() => setPersonOpen(true)}>
                <Face size={32} person={partner} />
                <span>{name}</span>
              </button>
            ) : (
              <Skeleton width={96} height={18} />
            )
          }
        />
        {!me.mobile_verified && <VerificationBanner />}
        <main className={styles.main}>
          {!nothingYet ? (
            <MessageList
              live={live}
              actions={actions}
              place={place}
              rights={rights}
              unread={unread}
              channelName={name}
              start={{ title: t.start(name), why: t.startWhy }}
              handle={list}
              onReply={(message) => {
                saveReply(code, quoteOf(message))
                focusComposer(page.current)
              }}
            />
          ) : live.failure ? (
            <ErrorState title={t.loadFailed} message={live.failure.message} onRetry={actions.retryLoading} />
          ) : (
            <MessagesSkeleton />
          )}
          {reply && rights.canSend && (
            <ReplyBar quote={reply} place={place} onClose={() => saveReply(code, null)} />
          )}
          {!chat.answer ? (
            <ComposerSkeleton />
          ) : !mayWrite ? (
            <Closed chat={chat.answer} />
          ) : (
            <Composer
              channelId={code}
              placeholder={t.placeholder(name)}
              guild={null}
              why={why}
              maxBytes={uploadMaxBytes(0, me.is_vip)}
              place={null}
              onSend={(words, files, names) => {
                // The text carries the quote; without text the first file does.
                files.forEach((file, at) => {
                  sendAttachment(actions, file, words === '' && at === 0 ? (reply ?? undefined) : undefined)
                })
                if (words !== '') actions.send(words, { names, ...(reply && { quote: reply }) })
                saveReply(code, null)
                list.current?.toEnd()
              }}
            />
          )}
        </main>
        {isPersonOpen && chat.answer && (
          <PartnerSheet chat={chat.answer} onClose={() => setPersonOpen(false)} />
        )}
      </div>
    </MentionTargetsContext>
  )
}

/** After the closing sheet has restored the focus. */
const focusComposer = (page: HTMLElement | null) =>
  requestAnimationFrame(() => page?.querySelector<HTMLElement>('[data-part="composer-input"]')?.focus())

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
