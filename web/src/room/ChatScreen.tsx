import { uploadMaxBytes } from '@guildhall/wire/asset/asset.ts'
import { type Chat, createChat, viewChat } from '@guildhall/wire/chat/chat.ts'
import type { ChannelId, UserId } from '@guildhall/wire/id.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import { lazy, Suspense, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { Link, useLocation, useNavigate, useParams } from 'react-router'
import { useMe } from '../auth/auth.ts'
import { Composer } from '../composer/Composer.tsx'
import { ReplyBar } from '../composer/ReplyBar.tsx'
import { saveReply, useReply } from '../composer/replyDraft.ts'
import { sendAttachment } from '../composer/sendAttachment.ts'
import { useText } from '../kit/i18n.ts'
import { loadPart } from '../kit/laterPart.ts'
import { paths } from '../kit/paths.ts'
import { useRouteQuery } from '../kit/routeQuery.ts'
import { useCall } from '../kit/useCall.ts'
import { MentionTargetsContext } from '../kmarkdown/mentionTargets.ts'
import { knownPerson } from '../message/person.ts'
import { quoteOf } from '../message/Quoted.tsx'
import type { RoomController } from '../roomStore/roomController.ts'
import { useRoomStore } from '../roomStore/roomStoreContext.ts'
import { buttonClass } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { ChatIcon, UserIcon } from '../ui/icons.tsx'
import { LoadingState } from '../ui/LoadingState.tsx'
import { Page } from '../ui/Page.tsx'
import { TopBar } from '../ui/TopBar.tsx'
import { chatText } from './chatText.ts'
import { type ListHandle, MessageList } from './MessageList.tsx'
import styles from './RoomScreen.module.css'
import { ComposerSkeleton, MessagesSkeleton } from './RoomSkeleton.tsx'
import { text } from './text.ts'
import { useRoomHeight } from './useRoomHeight.ts'
import type { UnreadAtEntry } from './useUnreadAtEntry.ts'
import { VerificationBanner } from './VerificationBanner.tsx'

const PersonSheet = lazy(() => loadPart(() => import('../message/PersonSheet.tsx')))

/** What both people may do in a private conversation. */
const RIGHTS =
  permission.view_channel |
  permission.send_message |
  permission.upload_file |
  permission.add_reaction |
  permission.follow_reaction
/** The list opens at its end: whatever was unread is read by opening it. */
const READ: UnreadAtEntry = { readSeq: null, count: 0, first: null }

/** /chats/:code, a private conversation, and /chats/with/:userId, which opens the one with a person. chat.md §3. */
export default function ChatScreen() {
  const { code, userId } = useParams()
  if (userId !== undefined) return <Opening key={userId} userId={userId as UserId} />
  return <LoadedChat key={code} code={code ?? ''} />
}

/** Finds or creates the conversation with a person, and leads there. */
function Opening({ userId }: { userId: UserId }) {
  const navigate = useNavigate()
  const { state } = useLocation()
  const { failure, run } = useCall(createChat)
  useEffect(() => {
    void run({ target_id: userId }).then((chat) => {
      if (chat) void navigate(paths.chat(chat.code), { replace: true, state })
    })
  }, [run, userId, navigate, state])
  return <Page>{failure ? <Gone /> : <LoadingState page />}</Page>
}

function Gone() {
  const t = useText(chatText)
  return (
    <EmptyState
      page
      icon={<ChatIcon size={32} />}
      title={t.goneTitle}
      message={t.goneWhy}
      action={
        <Link className={buttonClass('soft')} to={paths.chats()} replace>
          {t.toChats}
        </Link>
      }
    />
  )
}

function LoadedChat({ code }: { code: string }) {
  const t = useText(text)
  const chat = useRouteQuery(viewChat, { chat_code: code })
  if (chat.answer) return <ChatRoom chat={chat.answer} />
  if (chat.status !== 'failed')
    return (
      <Page>
        <LoadingState page />
      </Page>
    )
  const isGone = chat.failure.name === 'chat.unknown' || chat.failure.name === 'bad_input'
  return (
    <Page>
      {isGone ? (
        <Gone />
      ) : (
        <ErrorState page title={t.loadFailed} message={chat.failure.message} onRetry={chat.refetch} />
      )}
    </Page>
  )
}

function ChatRoom({ chat }: { chat: Chat }) {
  const t = useText(text)
  const tChat = useText(chatText)
  const me = useMe()
  const toList = useWayToChats()
  // The core knows a conversation by one id; a private one's is its code.
  const id = chat.code as ChannelId
  const { target_info: other } = chat
  const rooms = useRoomStore()
  const actions = useMemo(() => rooms.open(id, me.id), [rooms, id, me.id])
  const live = useSyncExternalStore(actions.subscribe, actions.snapshot)
  const list = useRef<ListHandle>(null)
  const page = useRef<HTMLDivElement>(null)
  useRoomHeight(page)
  useEffect(() => {
    document.title = other.username
  }, [other.username])
  const place = useMemo(() => ({ me, guild: null }), [me])
  const [personId, setPersonId] = useState<string | null>(null)
  const mentionTargets = useMemo(() => ({ openPerson: setPersonId, channelPath: () => null }), [])
  const refused = chat.is_blocked ? tChat.blocked : chat.is_target_blocked ? tChat.refused : null
  const canSend = me.mobile_verified && refused === null
  const rights = useMemo(
    () => ({ meId: me.id, mobile_verified: me.mobile_verified, permissions: RIGHTS, canSend }),
    [me, canSend],
  )
  const reply = useReply(id)
  const isReplyGone = reply !== null && live.room.deletedIds.has(reply.id)
  useEffect(() => {
    if (isReplyGone) saveReply(id, null)
  }, [isReplyGone, id])
  const nothingYet = live.room.run.length === 0 && !live.room.atStart && !live.room.historyWindow

  return (
    <MentionTargetsContext value={mentionTargets}>
      <div className={styles.room} ref={page}>
        <TopBar
          title={other.username}
          onBack={toList}
          actions={
            <IconButton label={tChat.person} onPress={() => setPersonId(other.id)}>
              <UserIcon />
            </IconButton>
          }
        />
        {!me.mobile_verified && <VerificationBanner />}
        <main className={styles.main}>
          {!nothingYet ? (
            <MessageList
              live={live}
              actions={actions}
              place={place}
              channelName={other.username}
              start={{ title: tChat.start(other.username), why: tChat.startWhy }}
              rights={rights}
              unread={READ}
              handle={list}
              onReply={(message) => {
                saveReply(id, quoteOf(message))
                requestAnimationFrame(() =>
                  page.current?.querySelector<HTMLElement>('[data-part="composer-input"]')?.focus(),
                )
              }}
            />
          ) : live.failure ? (
            <ErrorState title={t.loadFailed} message={live.failure.message} onRetry={actions.retryLoading} />
          ) : (
            <MessagesSkeleton />
          )}
          {reply && canSend && <ReplyBar quote={reply} place={place} onClose={() => saveReply(id, null)} />}
          {nothingYet && !live.failure ? (
            <ComposerSkeleton />
          ) : (
            <ChatComposer {...{ chat, refused, actions }} onSent={() => list.current?.toEnd()} />
          )}
        </main>
        {personId !== null && (
          <Suspense fallback={null}>
            <PersonSheet
              key={personId}
              userId={personId}
              known={knownPerson(live.room, personId)}
              guildId={null}
              guild={null}
              meId={me.id}
              onMention={null}
              onClose={() => setPersonId(null)}
            />
          </Suspense>
        )}
      </div>
    </MentionTargetsContext>
  )
}

function ChatComposer(props: {
  chat: Chat
  /** Why one cannot write; null: one can. */
  refused: string | null
  actions: RoomController
  onSent: () => void
}) {
  const { chat, refused, actions } = props
  const t = useText(chatText)
  const me = useMe()
  const reply = useReply(chat.code)
  return (
    <Composer
      channelId={chat.code}
      placeholder={refused ?? t.placeholder(chat.target_info.username)}
      guild={null}
      why={me.mobile_verified ? (refused === null ? null : 'no_permission') : 'unverified'}
      maxBytes={uploadMaxBytes(0, me.is_vip)}
      place={null}
      onSend={(words, files, names) => {
        files.forEach((file, at) => {
          sendAttachment(actions, file, words === '' && at === 0 ? (reply ?? undefined) : undefined)
        })
        if (words !== '') actions.send(words, { names, ...(reply && { quote: reply }) })
        saveReply(chat.code, null)
        props.onSent()
      }}
    />
  )
}

/** The way of the header's arrow: back to the list when the conversation was opened there. */
function useWayToChats(): () => void {
  const navigate = useNavigate()
  const isFromList = useLocation().state?.from === 'chats'
  return () => void (isFromList ? navigate(-1) : navigate(paths.chats(), { replace: true }))
}
