import { sizeIn } from '@guildhall/wire/asset/name.ts'
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { copiesOf, hrefOf } from '../asset/asset.ts'
import { useText } from '../kit/i18n.ts'
import { text as general } from '../kit/text.ts'
import { CloseIcon, DownloadIcon } from '../ui/icons.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { useModal } from '../ui/useModal.ts'
import { localPreviewOf } from './localPreviews.ts'
import { text } from './text.ts'
import styles from './Viewer.module.css'
import { openingView, panned, scaleMost, tapped, type View, whole, within } from './view.ts'

/** Swipe distance that closes the picture, px. */
const SWIPE_TO_CLOSE = 96
/** How far a key moves a picture, as a part of the screen's height. */
const KEY_STEP = 0.8
/** Maximum time between the taps of a double tap, ms. */
const DOUBLE_TAP_MS = 300
/** Maximum movement of a tap, px. */
const STILL = 8

interface Point {
  readonly x: number
  readonly y: number
}
/** The part of the page that is seen, px. */
const seen = () => ({ width: innerWidth, height: innerHeight })

/** Where the keys lead, of the screen's height. */
const KEYS: Readonly<Record<string, Point>> = {
  ArrowUp: { x: 0, y: KEY_STEP },
  ArrowDown: { x: 0, y: -KEY_STEP },
  ArrowLeft: { x: KEY_STEP, y: 0 },
  ArrowRight: { x: -KEY_STEP, y: 0 },
}

const between = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 })
const apart = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y)

/** True once an image of this address is loaded and stays so; loads nothing for null. */
function useLoaded(src: string | null): boolean {
  const [isLoaded, setLoaded] = useState(false)
  useEffect(() => {
    if (src === null) return
    const image = new Image()
    image.onload = () => setLoaded(true)
    image.src = src
    return () => {
      image.onload = null
    }
  }, [src])
  return isLoaded
}

/**
 * Full-screen picture: pinch or double tap to zoom, swipe down, tap the cross or press Escape to close. A
 * long one is read along its long side, by dragging, by the wheel or by the arrow keys.
 */
export default function Viewer(props: {
  /** Of a stored picture, or any other. */
  address: string
  label: string
  /** The file name under which the original is saved. */
  name?: string | undefined
  onClose: () => void
}) {
  const t = useText(general)
  const tMedia = useText(text)
  const box = useModal(props.onClose)
  const original = localPreviewOf(props.address) ?? hrefOf(props.address)
  const stored = copiesOf(props.address)
  /** The size of the picture in its own pixels; null until it is known. */
  const [own, setOwn] = useState(() => (stored ? sizeIn(props.address) : null))
  const [view, draw] = useState(() => (own ? openingView(own, seen()) : whole))
  /** The current view: fingers may leave before it is rendered. */
  const latest = useRef(view)
  const setView = (next: View) => {
    latest.current = next
    draw(next)
  }
  const [held, setHeld] = useState(false)
  const [here, setHere] = useState(false)
  const isWhole = useLoaded(view.scale > 1 ? original : null)
  const [isCopyGone, setCopyGone] = useState(false)
  const copies = isWhole || isCopyGone || original.startsWith('blob:') ? undefined : stored
  const fingers = useRef(new Map<number, Point>())
  const start = useRef({ view: whole, at: { x: 0, y: 0 } as Point, apart: 0 })
  const tappedAt = useRef(0)

  // Also when the screen is turned.
  useEffect(() => {
    const open = () => {
      latest.current = own ? openingView(own, seen()) : whole
      draw(latest.current)
    }
    open()
    window.addEventListener('resize', open)
    return () => window.removeEventListener('resize', open)
  }, [own])
  const pan = (from: View, by: Point) => own && setView(panned(from, by, own, seen()))
  const onKey = ({ key }: KeyboardEvent) => {
    const step = KEYS[key]
    if (step) pan(latest.current, { x: step.x * innerHeight, y: step.y * innerHeight })
  }

  /** A gesture restarts whenever a finger comes or goes. */
  const begin = (from: View) => {
    const [a, b] = [...fingers.current.values()]
    if (!a) return
    start.current = { view: from, at: b ? between(a, b) : a, apart: b ? apart(a, b) : 0 }
  }
  const onDown = (event: PointerEvent<HTMLElement>) => {
    if ((event.target as Element).closest('button, a')) return
    event.currentTarget.setPointerCapture(event.pointerId)
    fingers.current.set(event.pointerId, { x: event.clientX, y: event.clientY })
    setHeld(true)
    begin(latest.current)
  }
  const onMove = (event: PointerEvent) => {
    if (!fingers.current.has(event.pointerId)) return
    fingers.current.set(event.pointerId, { x: event.clientX, y: event.clientY })
    const [a, b] = [...fingers.current.values()]
    if (!a) return
    const from = start.current
    const at = b ? between(a, b) : a
    const moved = { x: at.x - from.at.x, y: at.y - from.at.y }
    if (b && from.apart > 0) {
      if (!own) return
      const most = scaleMost(own, seen())
      const scale = Math.min(most, Math.max(1, (from.view.scale * apart(a, b)) / from.apart))
      // The point between the fingers stays between them.
      const grown = scale / from.view.scale
      const middle = { x: innerWidth / 2, y: innerHeight / 2 }
      const x = moved.x + from.at.x - middle.x - (from.at.x - middle.x - from.view.x) * grown
      const y = moved.y + from.at.y - middle.y - (from.at.y - middle.y - from.view.y) * grown
      setView(within({ scale, x, y }, own, seen()))
    } else if (from.view.scale > 1) pan(from.view, moved)
    else setView({ scale: 1, x: 0, y: Math.max(0, moved.y) })
  }
  const onUp = (event: PointerEvent) => {
    const finger = fingers.current.get(event.pointerId)
    if (!finger) return
    fingers.current.delete(event.pointerId)
    if (fingers.current.size > 0) return begin(latest.current)
    setHeld(false)
    const { scale, y } = latest.current
    if (scale === 1 && y > SWIPE_TO_CLOSE && event.type !== 'pointercancel') return props.onClose()
    if (scale <= 1) setView(whole)
    if (apart(finger, start.current.at) < STILL) tap(event.timeStamp)
  }
  const tap = (at: number) => {
    const isSecond = at - tappedAt.current < DOUBLE_TAP_MS
    tappedAt.current = isSecond ? 0 : at
    if (isSecond && own) setView(tapped(latest.current, own, seen()))
  }

  const faded = view.scale === 1 ? Math.max(0.3, 1 - view.y / 500) : 1
  return createPortal(
    <div
      className={styles.viewer}
      role="dialog"
      aria-modal="true"
      aria-label={props.label}
      tabIndex={-1}
      ref={box}
      onPointerDown={onDown}
      onPointerMove={onMove}
      onPointerUp={onUp}
      onPointerCancel={onUp}
      onWheel={({ deltaX, deltaY }) => pan(latest.current, { x: -deltaX, y: -deltaY })}
      onKeyDown={onKey}
    >
      <div className={styles.backdrop} style={{ opacity: faded }} />
      {!here && (
        <span className={styles.loading} role="status" aria-label={t.loading}>
          <Spinner size={32} />
        </span>
      )}
      <img
        className={styles.picture}
        data-held={held || undefined}
        // A small picture is not enlarged to the screen.
        sizes={copies && `min(100vw, ${own?.width ?? 0}px)`}
        srcSet={copies}
        src={original}
        alt={props.label}
        draggable={false}
        style={{ transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale})` }}
        onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) => {
          setHere(true)
          if (!own && width > 0) setOwn({ width, height })
        }}
        onError={() => (copies ? setCopyGone(true) : setHere(true))}
      />
      {/* Of another site nothing is saved: its address would be opened without the warning. */}
      {!/^https?:/i.test(original) && (
        <a
          className={`${styles.close} ${styles.save}`}
          href={original}
          download={props.name ?? ''}
          aria-label={tMedia.saveOriginal}
        >
          <DownloadIcon size={24} />
        </a>
      )}
      <button type="button" className={styles.close} aria-label={t.close} data-first onClick={props.onClose}>
        <CloseIcon size={24} />
      </button>
    </div>,
    document.body,
  )
}
