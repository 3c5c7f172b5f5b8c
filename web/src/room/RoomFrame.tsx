import type { ReactNode } from 'react'
import { useMe } from '../auth/auth.ts'
import { saveReply } from '../composer/draft/replyDraft.ts'
import { ReplyBar } from '../composer/ReplyBar.tsx'
import { useText } from '../kit/i18n.ts'
import { lazy, Suspense } from '../kit/lazy/lazy.tsx'
import { loadPart } from '../kit/lazy/lazyPart.ts'
import { type MentionTargets, MentionTargetsContext } from '../kmarkdown/mentionTargets.ts'
import { quoteOf } from '../message/Quoted.tsx'
import { ErrorState } from '../ui/state/ErrorState.tsx'
import { MessageList, type MessageListProps } from './list/MessageList.tsx'
import styles from './RoomFrame.module.css'
import { MessagesSkeleton } from './RoomSkeleton.tsx'
import { text } from './text.ts'
import { focusComposer, isBlank, type OpenRoom } from './useOpenRoom.ts'

const VerificationBanner = lazy(() => loadPart(() => import('./VerificationBanner.tsx')))

/** The page of a conversation: its bar, its messages and composer as `children`, and its open sheets. */
export function RoomFrame(props: {
  room: OpenRoom
  targets: MentionTargets
  enters: 'forward' | 'back' | undefined
  bar: ReactNode
  sheets: ReactNode
  children: ReactNode
}) {
  const me = useMe()
  return (
    <MentionTargetsContext value={props.targets}>
      <div className={styles.room} data-part="room" ref={props.room.page} data-enters={props.enters}>
        {props.bar}
        {!me.mobile_verified && (
          <Suspense>
            <VerificationBanner />
          </Suspense>
        )}
        <main className={styles.main}>{props.children}</main>
        {props.sheets}
      </div>
    </MentionTargetsContext>
  )
}

/** The messages of a conversation, or why they are not there, and what its draft replies to. */
export function RoomMessages(
  props: {
    room: OpenRoom
    canReply: boolean
  } & Omit<MessageListProps, 'live' | 'actions' | 'handle' | 'onReply'>,
) {
  const { room, canReply, ...rest } = props
  const { id, live, actions, reply } = room
  const t = useText(text)
  return (
    <>
      {!isBlank(room) ? (
        <MessageList
          {...rest}
          live={live}
          actions={actions}
          handle={room.list}
          onReply={(message) => {
            saveReply(id, quoteOf(message))
            focusComposer(room)
          }}
        />
      ) : live.failure ? (
        <ErrorState title={t.loadFailed} message={live.failure.message} onRetry={actions.retryLoading} />
      ) : (
        <MessagesSkeleton />
      )}
      {reply && canReply && (
        <ReplyBar quote={reply} context={props.context} onClose={() => saveReply(id, null)} />
      )}
    </>
  )
}
