import type { Emoji, Message } from '@guildhall/wire/message/message.ts'
import { lazy, type Ref, Suspense, useImperativeHandle, useMemo, useRef, useState } from 'react'
import { useText } from '../kit/i18n.ts'
import { loadPart } from '../kit/lazyPart.ts'
import type { RowActions } from '../message/MessageRow.tsx'
import type { MessageContext } from '../message/messageContext.ts'
import type { Rights } from '../message/rights.ts'
import { toastFailure } from '../message/toastFailure.ts'
import type { RoomController } from '../roomStore/roomController.ts'
import type { RoomSnapshot } from '../roomStore/roomModel.ts'
import { ChatIcon, DownIcon } from '../ui/icons.tsx'
import { LoadingStrip } from './LoadingStrip.tsx'
import styles from './MessageList.module.css'
import { MessageListRow } from './MessageListRow.tsx'
import { NewMessageAnnouncer } from './NewMessageAnnouncer.tsx'
import { countNewSince, rowsOf } from './rows.ts'
import { text } from './text.ts'
import { UnreadBar } from './UnreadBar.tsx'
import { useJump } from './useJump.ts'
import { useListEnd } from './useListEnd.ts'
import { useListWindow, useMovingWindow } from './useListWindow.ts'
import { useMinute } from './useMinute.ts'
import { usePaging } from './usePaging.ts'
import { useReadMark } from './useReadMark.ts'
import { useRowVirtualizer, useSettled } from './useRowVirtualizer.ts'
import { useStickToEnd } from './useStickToEnd.ts'
import type { UnreadAtEntry } from './useUnreadAtEntry.ts'

const MessageSheets = lazy(() =>
  loadPart(() => import('./MessageSheets.tsx').then((it) => ({ default: it.MessageSheets }))),
)
const ReactorsSheet = lazy(() => loadPart(() => import('../message/ReactorsSheet.tsx')))

export interface ListHandle {
  /** Shows the newest messages. */
  toEnd: () => void
  /** Shows a message anywhere in the history. */
  jumpTo: (id: string) => void
}

/**
 * The messages of a room. It starts at the newest, stays there while the reader does, and keeps the reader's
 * place while older messages are loaded above.
 */
export function MessageList(props: {
  live: RoomSnapshot
  actions: RoomController
  place: MessageContext
  channelName: string
  /** What stands above the first message; of a channel by default. */
  start?: { readonly title: string; readonly why: string }
  rights: Rights
  unread: UnreadAtEntry
  handle: Ref<ListHandle>
  onReply: (message: Message) => void
}) {
  const { live, actions, unread, rights } = props
  const { readSeq } = unread
  const { room } = live
  const t = useText(text)
  const now = useMinute()
  const scroller = useRef<HTMLDivElement>(null)
  const windowState = useListWindow(room)
  const { slice, setWindow } = windowState
  const rows = useMemo(() => rowsOf(room, readSeq, slice), [room, readSeq, slice])
  /** Nothing known comes after the last row. */
  const isLast = slice.atEnd && room.historyWindow === null
  const { atStart } = slice
  const list = useRowVirtualizer(scroller, rows, { atStart, isLast })
  /** The reader is at the end and stays there. */
  const isStuck = useRef(true)
  const { nearEnd, toEnd, onScroll, ...end } = useListEnd({
    scroller,
    list,
    rows,
    room,
    actions,
    isLast,
    isStuck,
    setWindow,
  })
  const atEnd = nearEnd && isLast

  const { jumpTo, isPending, flashedId, ...jump } = useJump({
    scroller,
    list,
    rows,
    room,
    actions,
    setWindow,
    isStuck,
  })
  const onTouch = () => {
    end.onTouch()
    jump.onTouch()
  }
  useImperativeHandle(props.handle, () => ({ toEnd, jumpTo }), [toEnd, jumpTo])
  useStickToEnd(scroller, list, rows, { isLast, isStuck })
  const newestSeq = room.run.at(-1)?.seq ?? 0
  const seenSeq = useReadMark(actions, { atEnd, newestSeq, isReadKnown: readSeq !== undefined })
  const isSettled = useSettled()
  const items = list.getVirtualItems()
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0]
  useMovingWindow({
    state: windowState,
    room,
    rows,
    first,
    last,
    atEnd,
    isStuck,
    isFree: isSettled && !isPending,
  })
  usePaging({ live, actions, slice, rowCount: rows.length, first, last, isSettled })

  const [menuId, setMenuId] = useState<string | null>(null)
  const [who, setWho] = useState<{ readonly id: string; readonly emoji: Emoji } | null>(null)
  const rowActions = useRowActions(actions, jumpTo, setMenuId, setWho)
  const rowOf = (id: string | undefined) =>
    rows.find((row) => row.kind === 'message' && row.message.id === id)
  const chosen = menuId === null ? undefined : rowOf(menuId)
  const reacted = rowOf(who?.id)

  return (
    <div className={styles.list}>
      <section
        className={styles.scroll}
        data-part="message-scroll"
        onPointerDown={onTouch}
        onWheel={onTouch}
        onKeyDown={onTouch}
        ref={scroller}
        onScroll={onScroll}
        aria-label={props.start?.title ?? t.messagesIn(props.channelName)}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region must be reachable by keyboard
        tabIndex={0}
      >
        <div className={styles.rows} data-part="message-rows" style={{ height: list.getTotalSize() }}>
          {!atStart && <LoadingStrip side="older" failure={live.failure} onRetry={actions.retryLoading} />}
          <div className={styles.visibleRows} style={{ transform: `translateY(${items[0]?.start ?? 0}px)` }}>
            {items.map((item) => {
              const row = rows[item.index]
              if (!row) return null
              return (
                <div key={item.key} data-index={item.index} ref={list.measureElement}>
                  <MessageListRow
                    row={row}
                    now={now}
                    rights={rights}
                    actions={actions}
                    rowActions={rowActions}
                    place={props.place}
                    channelName={props.channelName}
                    start={props.start}
                    isWaiting={live.isWaiting}
                    isFlashed={row.kind === 'message' && row.message.id === flashedId}
                  />
                </div>
              )
            })}
          </div>
          {!isLast && <LoadingStrip side="newer" failure={live.failure} onRetry={actions.retryLoading} />}
        </div>
        {rows.length === 1 && atStart && <EmptyRoom canSend={rights.canSend} />}
      </section>
      <UnreadBar
        unread={unread}
        rows={rows}
        firstShown={isSettled ? (list.range?.startIndex ?? null) : null}
        onPress={jumpTo}
      />
      {!atEnd && <ToLatest count={countNewSince(room, seenSeq)} onPress={toEnd} />}
      <NewMessageAnnouncer room={room} />
      {chosen?.kind === 'message' && (
        <Suspense fallback={null} key={chosen.message.id}>
          <MessageSheets
            rights={rights}
            actions={actions}
            message={chosen.message}
            isEphemeral={chosen.ephemeralTo !== undefined}
            guild={props.place.guild}
            onReply={() => props.onReply(chosen.message)}
            onShowReactors={() => {
              const first = chosen.message.reactions[0]
              setMenuId(null)
              if (first) setWho({ id: chosen.message.id, emoji: first.emoji })
            }}
            onClose={() => setMenuId(null)}
          />
        </Suspense>
      )}
      {reacted?.kind === 'message' && who && (
        <Suspense fallback={null}>
          <ReactorsSheet message={reacted.message} emoji={who.emoji} onClose={() => setWho(null)} />
        </Suspense>
      )}
    </div>
  )
}

/** The button that leads back to the newest messages; `count` of them are new. */
function ToLatest({ count, onPress }: { count: number; onPress: () => void }) {
  const t = useText(text)
  return (
    <button type="button" className={styles.latest} onClick={onPress} aria-label={t.toLatest}>
      {count > 0 && <span className={styles.latestText}>{t.newMessages(count)}</span>}
      <DownIcon size={20} />
    </button>
  )
}

/** The same object as long as the room is open: otherwise every row would be rendered again. */
function useRowActions(
  actions: RoomController,
  jumpTo: (id: string) => void,
  openMenu: (id: string) => void,
  showWho: (it: { readonly id: string; readonly emoji: Emoji }) => void,
): RowActions {
  return useMemo(
    () => ({
      menu: (message) => openMenu(message.id),
      react: (message, emoji) => {
        const isOn = message.reactions.some((it) => it.me && it.emoji.id === emoji.id)
        void actions.act(message.id, { kind: isOn ? 'unreact' : 'react', emoji }).then(toastFailure)
      },
      showReactors: (message, emoji) => showWho({ id: message.id, emoji }),
      jumpTo,
      dismiss: actions.dismiss,
    }),
    [actions, jumpTo, openMenu, showWho],
  )
}

/** Shown in a room without messages. */
function EmptyRoom({ canSend }: { canSend: boolean }) {
  const t = useText(text)
  return (
    <p className={styles.empty} data-part="room-empty">
      <ChatIcon size={20} />
      {canSend ? t.emptyAndWritable : t.empty}
    </p>
  )
}
