import type { Message } from '@guildhall/wire/message/message.ts'
import { type ReactNode, type Ref, useMemo, useState } from 'react'
import { useToolsDue } from '../../composer/isDesktop.ts'
import { useText } from '../../kit/i18n.ts'
import { lazy, Suspense } from '../../kit/lazy/lazy.tsx'
import { loadPart } from '../../kit/lazy/lazyPart.ts'
import type { RowActions } from '../../message/MessageRow.tsx'
import type { MessageContext } from '../../message/messageContext.ts'
import type { Rights } from '../../message/rights.ts'
import { toggleReaction } from '../../message/toggleReaction.ts'
import type { RoomController } from '../../roomStore/roomController.ts'
import type { RoomSnapshot } from '../../roomStore/roomModel.ts'
import { ChatIcon, DownIcon } from '../../ui/icon/icons.tsx'
import { LoadingStrip } from '../LoadingStrip.tsx'
import type { ChosenMessage } from '../sheet/ListSheets.tsx'
import { text } from '../text.ts'
import { useMinute } from '../useMinute.ts'
import styles from './MessageList.module.css'
import { MessageListRow, type Start } from './MessageListRow.tsx'
import type { Row } from './rows.ts'
import { type ListHandle, useMessageScroll } from './useMessageScroll.ts'
import type { RowVirtualizer } from './useRowVirtualizer.ts'
import type { UnreadAtEntry } from './useUnreadAtEntry.ts'

const LaterTools = lazy(() => loadPart(() => import('../tools/LaterTools.tsx')))
const EditField = lazy(() => loadPart(() => import('../../composer/EditField.tsx')))
const ChooseMark = lazy(() => loadPart(() => import('../choose/ChooseMark.tsx')))
const ListSheets = lazy(() => loadPart(() => import('../sheet/ListSheets.tsx')))

export interface MessageListProps {
  live: RoomSnapshot
  actions: RoomController
  context: MessageContext
  channelName: string
  start?: Start
  rights: Rights
  unread: UnreadAtEntry
  handle: Ref<ListHandle>
  onReply: (message: Message) => void
}

/**
 * The messages of a room. It starts at the newest, stays there while the reader does, and keeps the reader's
 * place while older messages are loaded above.
 */
export function MessageList(props: MessageListProps) {
  const { live, actions, unread, rights, context, channelName, start } = props
  const t = useText(text)
  const now = useMinute()
  const scroll = useMessageScroll(live, actions, unread.readSeq, props.handle)
  const { rows, list, atStart, isLast, jumpTo } = scroll
  const { sheet, setSheet, rowActions } = useRowActions(actions, jumpTo)
  const strip = { failure: live.failure, onRetry: actions.retryLoading }
  return (
    <div className={styles.list}>
      <section
        className={styles.scroll}
        data-part="message-scroll"
        ref={scroll.scroller}
        {...scroll.handlers}
        aria-label={start?.title ?? t.messagesIn(channelName)}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region must be reachable by keyboard
        tabIndex={0}
      >
        <div className={styles.rows} data-part="message-rows" style={{ height: list.getTotalSize() }}>
          {!atStart && <LoadingStrip side="older" {...strip} />}
          <VisibleRows list={list} rows={rows}>
            {(row) => (
              <MessageListRow
                row={row}
                now={now}
                rights={rights}
                actions={actions}
                rowActions={rowActions}
                context={context}
                channelName={channelName}
                start={start}
                isWaiting={live.isWaiting}
                mark={
                  row.kind === 'message' &&
                  sheet?.chosen && <ChooseMark row={row} rows={rows} open={sheet} onChange={setSheet} />
                }
                isFlashed={row.kind === 'message' && row.message.id === scroll.flashedId}
                edit={
                  row.kind === 'message' &&
                  sheet?.step === 'edit' &&
                  row.message.id === sheet.id && (
                    <EditField
                      message={row.message}
                      rights={rights}
                      guild={context.guild}
                      actions={actions}
                      onClose={() => setSheet(null)}
                    />
                  )
                }
              />
            )}
          </VisibleRows>
          {!isLast && <LoadingStrip side="newer" {...strip} />}
        </div>
        {rows.length === 1 && atStart && <EmptyRoom canSend={rights.canSend} />}
      </section>
      {!scroll.atEnd && <ToLatest count={scroll.newCount} onPress={scroll.toEnd} />}
      <AboveList {...props} scroll={scroll} sheet={sheet} onOpen={setSheet} />
    </div>
  )
}

/** What belongs to one message, or to several that are chosen: loaded when it is there. */
function AboveList(
  props: MessageListProps & {
    scroll: ReturnType<typeof useMessageScroll>
    sheet: ChosenMessage | null
    onOpen: (open: ChosenMessage | null) => void
  },
) {
  const { scroll, rights, sheet, onOpen, onReply } = props
  const { rows } = scroll
  const areToolsDue = useToolsDue()
  return (
    <>
      <Suspense>
        {areToolsDue && (
          <LaterTools
            {...scroll}
            unread={props.unread}
            room={props.live.room}
            rights={rights}
            actions={props.actions}
            open={sheet}
            onReply={onReply}
            onOpen={onOpen}
          />
        )}
      </Suspense>
      {/* Apart: a menu that is open does not vanish while the tools are loaded. */}
      <Suspense>
        {sheet && (
          <ListSheets
            open={sheet}
            rows={rows}
            rights={rights}
            actions={props.actions}
            guild={props.context.guild}
            onReply={onReply}
            onChange={onOpen}
          />
        )}
      </Suspense>
    </>
  )
}

/** The rows on screen and somewhat beyond, each measured, where the first of them begins. */
function VisibleRows(props: {
  list: RowVirtualizer
  rows: readonly Row[]
  children: (row: Row) => ReactNode
}) {
  const { list, rows, children } = props
  const items = list.getVirtualItems()
  return (
    <div className={styles.visibleRows} style={{ transform: `translateY(${items[0]?.start ?? 0}px)` }}>
      {items.map(({ key, index }) => {
        const row = rows[index]
        if (!row) return null
        return (
          <div key={key} data-index={index} ref={list.measureElement}>
            {children(row)}
          </div>
        )
      })}
    </div>
  )
}

/** The button that leads back to the newest messages; `count` of them are new. */
function ToLatest({ count, onPress }: { count: number; onPress: () => void }) {
  const t = useText(text)
  return (
    <button
      type="button"
      className={styles.latest}
      data-part="to-latest"
      onClick={onPress}
      aria-label={t.toLatest}
    >
      {count > 0 && <span className={styles.latestText}>{t.newMessages(count)}</span>}
      <DownIcon size={20} />
    </button>
  )
}

/** What the rows do, and the sheet that they open. */
function useRowActions(actions: RoomController, jumpTo: (id: string) => void) {
  const [sheet, setSheet] = useState<ChosenMessage | null>(null)
  // The same object as long as the room is open: otherwise every row would be rendered again.
  const rowActions = useMemo(
    (): RowActions => ({
      menu: ({ id }, at) => setSheet({ id, at }),
      react: (message, emoji) => toggleReaction(actions, message, emoji),
      showReactors: ({ id }, emoji) => setSheet({ id, emoji }),
      jumpTo,
      dismiss: actions.dismiss,
    }),
    [actions, jumpTo],
  )
  return { sheet, setSheet, rowActions }
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
