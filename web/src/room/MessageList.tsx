import { kindOf } from '@guildhall/wire/message/kind.ts'
import type { Message } from '@guildhall/wire/message/message.ts'
import { useVirtualizer } from '@tanstack/react-virtual'
import {
  type Ref,
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { likelyCardHeight } from '../card/cardHeight.ts'
import { EditSheet } from '../composer/EditSheet.tsx'
import { useLocale, useText } from '../kit/i18n.ts'
import { dayLabel } from '../kit/time.ts'
import { embedsHeight } from '../media/Embeds.tsx'
import { mediaHeight } from '../media/Media.tsx'
import { MessageMenu } from '../message/MessageMenu.tsx'
import { MessageRow, OutgoingRow, type Place, type RowTells } from '../message/MessageRow.tsx'
import type { Rights } from '../message/rights.ts'
import { toastFailure } from '../message/toastFailure.ts'
import { allOf, type Outgoing } from '../roomStore/room.ts'
import type { Live, LiveRoom } from '../roomStore/roomStore.ts'
import { text } from '../roomStore/text.ts'
import { ChatIcon, DownIcon, TextChannelIcon } from '../ui/icons.tsx'
import { Button, Spinner } from '../ui/parts.tsx'
import { cut, type Part, partAround } from './listWindow.ts'
import { newSince, type Row, rowsOf } from './rows.ts'

/** Nearer to the end than this, px, the list stays at the end when something comes. */
const NEAR_END = 80
/** So many rows from the top the page before is asked for. */
const NEAR_TOP_ROWS = 12
/** So many rows from an edge of the part that is drawn of, another part is taken. */
const NEAR_EDGE_ROWS = 80
/** The strip above the first row while there is more to load, px. */
const OLDER_STRIP = 56
/** So many rows from the bottom of a part of the past the page after is asked for. */
const NEAR_BOTTOM_ROWS = 12
/** How long a message jumped to stands out, ms; as long as its animation. */
const FLASH_MS = 1_600

/** What is answered, above the words, px. */
const QUOTE_HEIGHT = 50

/** The line under what one person alone sees, px. */
const QUIET_HEIGHT = 32

/** What a row is likely to measure, px, before it has been drawn. */
const likely = (row: Row | undefined): number => {
  if (!row) return 48
  if (row.kind === 'start') return 180
  if (row.kind === 'day' || row.kind === 'new') return 44
  const quiet = row.kind === 'message' && row.quietTo !== undefined ? QUIET_HEIGHT : 0
  return (row.head ? 36 : 4) + quiet + likelyBody(row.kind === 'message' ? row.message : row.outgoing)
}

/** The list asks for all it has not drawn, again and again. */
const bodies = new WeakMap<Message | Outgoing, number>()

function likelyBody(it: Message | Outgoing): number {
  const known = bodies.get(it)
  if (known !== undefined) return known
  const height = bodyOf(it)
  bodies.set(it, height)
  return height
}

function bodyOf(it: Message | Outgoing): number {
  const carried = 'type' in it ? it : { content: it.content, attachments: null, ...it.media }
  if (carried.type !== undefined) {
    const ofMedia = mediaHeight({ ...carried, type: carried.type })
    if (ofMedia !== null) return ofMedia
    if (kindOf(carried.type, 'specification') === 'card') return likelyCardHeight(it.content)
  }
  const lines = Math.max(1, Math.ceil(it.content.length / 22)) + (it.content.match(/\n/g)?.length ?? 0)
  const embeds = 'embeds' in it ? embedsHeight(it.embeds) : 0
  return lines * 23 + (it.quote ? QUOTE_HEIGHT : 0) + embeds
}

export interface ListHandle {
  toEnd: () => void
  /** Shows a message, wherever in the past it stands. */
  jump: (id: string) => void
}

/**
 * The messages of a room: starts at the newest, stays there while the reader does, keeps its place while older
 * ones come in above, and draws only what can be seen.
 */
export function MessageList(props: {
  live: Live
  actions: LiveRoom
  place: Place
  channelName: string
  rights: Rights
  /** The number of the last message read before the room was opened; null: nothing was unread. Undefined until asked. */
  read: number | null | undefined
  handle: Ref<ListHandle>
  onReply: (message: Message) => void
}) {
  const { live, actions, read, rights } = props
  const { room } = live
  const t = useText(text)
  const locale = useLocale()
  const box = useRef<HTMLDivElement>(null)
  const [part, setPart] = useState<Part | null>(null)
  const taken = useMemo(() => cut(room, part), [room, part])
  const rows = useMemo(() => rowsOf(room, read, taken), [room, read, taken])
  const now = useMinute()
  const [nearEnd, setNearEnd] = useState(true)
  const stuck = useRef(true)
  const [seen, setSeen] = useState(0)
  const newest = room.run.at(-1)?.seq ?? 0
  /** The reader stands in a part of the past that the newest messages do not follow upon. */
  const isBack = room.past !== null
  const { atStart } = taken
  /** Below the last row there is nothing that is known of here. */
  const isLast = taken.atEnd && !isBack
  const atEnd = nearEnd && isLast

  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: (index) => likely(rows[index]),
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 10,
    anchorTo: 'end',
    followOnAppend: isLast,
    scrollEndThreshold: NEAR_END,
    paddingStart: atStart ? 0 : OLDER_STRIP,
    paddingEnd: isLast ? 12 : OLDER_STRIP,
  })
  const toEnd = useCallback(() => {
    stuck.current = true
    actions.present()
    setPart(null)
    list.scrollToEnd()
  }, [list, actions])

  const [target, setTarget] = useState<{ readonly id: string } | null>(null)
  const [flashed, setFlashed] = useState<string | null>(null)
  const jump = useCallback(
    (id: string) => {
      void actions.jump(id).then((failure) => {
        toastFailure(failure)
        if (!failure) setTarget({ id })
      })
    },
    [actions],
  )
  useImperativeHandle(props.handle, () => ({ toEnd, jump }), [toEnd, jump])
  useLayoutEffect(() => {
    if (!target) return
    const index = rows.findIndex((row) => row.kind === 'message' && row.message.id === target.id)
    if (index < 0) {
      const there = allOf(room).find((message) => message.id === target.id)
      if (there) setPart(partAround(room, there.seq))
      return
    }
    setTarget(null)
    stuck.current = false
    list.scrollToIndex(index, { align: 'center' })
    setFlashed(target.id)
    actions.look(target.id)
  }, [target, room, rows, list, actions])
  useEffect(() => {
    if (flashed === null) return
    // Whoever reads by ear or by keyboard goes there as well.
    const frame = requestAnimationFrame(() =>
      box.current?.querySelector<HTMLElement>('[data-flash]')?.focus({ preventScroll: true }),
    )
    const timer = setTimeout(() => setFlashed(null), FLASH_MS)
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [flashed])

  // The first look is at the newest message, and a reader at the end stays there, also when something comes in
  // above a message that still waits to be sent.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the rows that move the end
  useLayoutEffect(() => {
    if (!isLast) stuck.current = false
    if (stuck.current) list.scrollToEnd()
  }, [list, rows, isLast])

  // The keyboard, a banner or a growing composer take height away: the newest message stays in sight.
  useEffect(() => {
    const here = box.current
    if (!here) return
    const observer = new ResizeObserver(() => {
      if (stuck.current) list.scrollToEnd()
    })
    observer.observe(here)
    return () => observer.disconnect()
  }, [list])

  const isKnown = read !== undefined
  useEffect(() => {
    const look = () => {
      if (!atEnd || document.visibilityState !== 'visible') return
      setSeen(newest)
      if (newest > 0 && isKnown) actions.read()
    }
    look()
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [atEnd, newest, actions, isKnown])

  const [menu, setMenu] = useState<string | null>(null)
  const [isEditing, setIsEditing] = useState(false)
  const closeMenu = () => {
    setMenu(null)
    setIsEditing(false)
  }
  const on = useMemo(
    (): RowTells => ({
      menu: (message) => setMenu(message.id),
      react: (message, emoji) => {
        const isOn = message.reactions.some((it) => it.me && it.emoji.id === emoji.id)
        void actions.act(message.id, { kind: isOn ? 'unreact' : 'react', emoji }).then(toastFailure)
      },
      jump,
      dismiss: actions.dismiss,
    }),
    [actions, jump],
  )
  const chosen = rows.find((row) => row.kind === 'message' && row.message.id === menu)

  // Before the list has come to rest at its end the first row it draws is the oldest: nobody wants older ones yet.
  const [rested, setRested] = useState(false)
  useEffect(() => {
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => setRested(true))
    })
    return () => cancelAnimationFrame(frame)
  }, [])

  const first = list.getVirtualItems()[0]?.index ?? 0
  const last = list.getVirtualItems().at(-1)?.index ?? 0
  // Another part is taken before the reader comes to the edge of this one; the row they look at keeps its place.
  const wantsPart =
    rested &&
    target === null &&
    ((first < NEAR_EDGE_ROWS && taken.from > 0) || (last > rows.length - NEAR_EDGE_ROWS && !taken.atEnd))
  useLayoutEffect(() => {
    if (!wantsPart) return
    const near = rows.slice(first, last + 1).find((row) => row.kind === 'message')
    if (near?.kind === 'message') setPart(partAround(room, near.message.seq))
  }, [wantsPart, rows, room, first, last])
  // At the end the part goes along with what comes; away from it nothing goes from under the reader.
  const top = taken.messages[0]?.seq
  useLayoutEffect(() => {
    if (atEnd) setPart(null)
    else if (part === null && top !== undefined && taken.from > 0) setPart({ first: top, last: null })
  }, [atEnd, part, top, taken.from])

  const { loadOlder } = actions
  const wantsOlder =
    rested && first < NEAR_TOP_ROWS && taken.from === 0 && !atStart && live.loading === null && !live.failure
  useEffect(() => {
    if (!wantsOlder) return
    loadOlder()
    // A page is asked for at most once a second: what was refused now is asked for then.
    const timer = setInterval(loadOlder, 1_000)
    return () => clearInterval(timer)
  }, [wantsOlder, loadOlder])

  const { loadNewer } = actions
  const wantsNewer =
    rested &&
    isBack &&
    taken.atEnd &&
    last > rows.length - NEAR_BOTTOM_ROWS &&
    live.loading === null &&
    !live.failure
  useEffect(() => {
    if (!wantsNewer) return
    loadNewer()
    const timer = setInterval(loadNewer, 1_000)
    return () => clearInterval(timer)
  }, [wantsNewer, loadNewer])

  const onScroll = () => {
    const here = box.current
    if (!here) return
    const left = here.scrollHeight - here.scrollTop - here.clientHeight
    stuck.current = left < NEAR_END && isLast
    const middle = list.getVirtualItemForOffset(here.scrollTop + here.clientHeight / 2)
    const row = rows[middle?.index ?? -1]
    if (isBack && row?.kind === 'message' && !row.isQuiet) actions.look(row.message.id)
    setNearEnd(stuck.current)
  }

  const items = list.getVirtualItems()
  const fresh = atEnd ? 0 : newSince(room, seen)
  return (
    <div className="room-list">
      <section
        className="room-scroll"
        ref={box}
        onScroll={onScroll}
        aria-label={t.list(props.channelName)}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region must be reachable by keyboard
        tabIndex={0}
      >
        <div className="room-rows" style={{ height: list.getTotalSize() }}>
          {!atStart && (
            <div className="room-older" style={{ height: OLDER_STRIP }}>
              {live.failure ? (
                <Button kind="plain" onPress={actions.again}>
                  {live.failure.message} · {t.reload}
                </Button>
              ) : (
                <span role="status" className="room-older-words">
                  <Spinner size={16} />
                  {t.loadingOlder}
                </span>
              )}
            </div>
          )}
          <div className="room-seen" style={{ transform: `translateY(${items[0]?.start ?? 0}px)` }}>
            {items.map((item) => {
              const row = rows[item.index]
              if (!row) return null
              return (
                <div key={item.key} data-index={item.index} ref={list.measureElement}>
                  {row.kind === 'start' && (
                    <div className="room-start">
                      <span className="room-start-art">
                        <TextChannelIcon size={32} />
                      </span>
                      <h2 className="room-start-title">{t.start(props.channelName)}</h2>
                      <p>{t.startWords}</p>
                    </div>
                  )}
                  {row.kind === 'day' && (
                    <div className="room-day">
                      <span>{dayLabel(row.at, now, locale)}</span>
                    </div>
                  )}
                  {row.kind === 'new' && (
                    <div className="room-new">
                      <span>{t.newLine}</span>
                    </div>
                  )}
                  {row.kind === 'message' && (
                    <MessageRow
                      message={row.message}
                      head={row.head}
                      now={now}
                      place={props.place}
                      rights={rights}
                      on={on}
                      flash={row.message.id === flashed}
                      quietTo={row.quietTo}
                    />
                  )}
                  {row.kind === 'outgoing' && (
                    <OutgoingRow
                      outgoing={row.outgoing}
                      head={row.head}
                      now={now}
                      place={props.place}
                      isWaiting={live.isWaiting}
                      onRetry={() => actions.retry(row.outgoing.nonce)}
                      onDiscard={() => actions.discard(row.outgoing.nonce)}
                    />
                  )}
                </div>
              )
            })}
          </div>
          {!isLast && (
            <div className="room-older room-newer" style={{ height: OLDER_STRIP }}>
              {live.failure ? (
                <Button kind="plain" onPress={actions.again}>
                  {live.failure.message} · {t.reload}
                </Button>
              ) : (
                <span role="status" className="room-older-words">
                  <Spinner size={16} />
                  {t.loadingNewer}
                </span>
              )}
            </div>
          )}
        </div>
        {rows.length === 1 && atStart && (
          <p className="room-empty">
            <ChatIcon size={20} />
            {rights.canSend ? t.emptyWords : t.emptyQuiet}
          </p>
        )}
      </section>
      {!atEnd && (
        <button type="button" className="room-latest" onClick={toEnd} aria-label={t.toLatest}>
          {fresh > 0 && <span className="room-latest-words">{t.newMessages(fresh)}</span>}
          <DownIcon size={20} />
        </button>
      )}
      <Heard room={room} />
      {chosen?.kind === 'message' && isEditing && (
        <EditSheet
          message={chosen.message}
          rights={rights}
          guild={props.place.guild}
          actions={actions}
          onClose={closeMenu}
        />
      )}
      {chosen?.kind === 'message' && !isEditing && (
        <MessageMenu
          message={chosen.message}
          isQuiet={chosen.quietTo !== undefined}
          rights={rights}
          guild={props.place.guild}
          actions={actions}
          onReply={() => props.onReply(chosen.message)}
          onEdit={() => setIsEditing(true)}
          onClose={closeMenu}
        />
      )}
    </div>
  )
}

/** New messages of others, said to screen readers; the list itself is silent, or scrolling would read it out. */
function Heard({ room }: { room: Live['room'] }) {
  const last = room.run.at(-1)
  const t = useText(text)
  const [start] = useState(last?.seq ?? 0)
  const news = last && last.seq > start && last.author.id !== room.me ? last : null
  const quiet = room.quiet.at(-1)
  const [quietStart] = useState(quiet?.message.id)
  const said = ({ author, kmarkdown }: Message) => `${t.messageOf(author.nickname)} ${kmarkdown.raw_content}`
  return (
    <>
      <p className="unseen" aria-live="polite">
        {news && said(news)}
      </p>
      <p className="unseen" aria-live="polite">
        {quiet &&
          quiet.message.id !== quietStart &&
          quiet.to === room.me &&
          `${said(quiet.message)} ${t.quietMine}`}
      </p>
    </>
  )
}

/** The time, ms, renewed each minute: labels such as "today" must not grow old. */
function useMinute(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 60_000)
    return () => clearInterval(timer)
  }, [])
  return now
}
