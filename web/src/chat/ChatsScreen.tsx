import { createChat } from '@guildhall/wire/chat/chat.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import { useEffect, useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { type CallFailure, call } from '../kit/call.ts'
import { useText } from '../kit/i18n.ts'
import { lazy, Suspense } from '../kit/lazy/lazy.tsx'
import { loadPart } from '../kit/lazy/lazyPart.ts'
import { paths } from '../kit/paths.ts'
import { TopBar } from '../ui/page/TopBar.tsx'
import { EmptyState } from '../ui/state/EmptyState.tsx'
import { ErrorState } from '../ui/state/ErrorState.tsx'
import { LoadingState } from '../ui/state/LoadingState.tsx'
import { ChatList } from './ChatList.tsx'
import styles from './ChatsScreen.module.css'
import { chatsChanged } from './chatEvents.ts'
import { ChosenDrawing } from './drawings.tsx'
import { Gone } from './Gone.tsx'
import { text } from './text.ts'

const ChatRoom = lazy(() => loadPart(() => import('./ChatRoom.tsx')))

/**
 * /chats, /chats/:chatCode and /chats/with/:userId: the list of private conversations and the open one. A
 * phone shows one of the two.
 */
export default function ChatsScreen() {
  const t = useText(text)
  const { chatCode, userId } = useParams()
  const isOpen = chatCode !== undefined || userId !== undefined
  return (
    <div className={styles.chats} data-open={isOpen || undefined}>
      <ChatList openCode={chatCode ?? null} isAlone={!isOpen} />
      <div className={styles.pane}>
        {chatCode !== undefined ? (
          <Suspense fallback={<LoadingState />}>
            <ChatRoom key={chatCode} code={chatCode} />
          </Suspense>
        ) : userId !== undefined ? (
          <Opening key={userId} userId={userId as UserId} />
        ) : (
          <aside className={styles.nothing}>
            <EmptyState icon={<ChosenDrawing />} title={t.chosen} message={t.chosenWhy} />
          </aside>
        )}
      </div>
    </div>
  )
}

/** Opens the conversation with a person, and says why when there can be none. */
function Opening({ userId }: { userId: UserId }) {
  const t = useText(text)
  const navigate = useNavigate()
  const [failure, setFailure] = useState<CallFailure | null>(null)
  const [tries, setTries] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `tries` repeats the call
  useEffect(() => {
    let isGone = false
    setFailure(null)
    call(createChat, { target_id: userId }).then(
      ({ code }) => {
        chatsChanged()
        if (!isGone) void navigate(paths.chat(code), { replace: true })
      },
      (error: CallFailure) => isGone || setFailure(error),
    )
    return () => {
      isGone = true
    }
  }, [userId, navigate, tries])
  return (
    <>
      <TopBar title={t.title} onBack={() => void navigate(paths.chats(), { replace: true })} />
      <main className={styles.main}>
        {failure?.name === 'network' ? (
          <ErrorState title={t.failed} message={failure.message} onRetry={() => setTries((n) => n + 1)} />
        ) : failure ? (
          <Gone />
        ) : (
          <LoadingState />
        )}
      </main>
    </>
  )
}
