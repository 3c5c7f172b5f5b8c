import { sizeIn } from '@guildhall/wire/asset/pictureSize.ts'
import { type KeyboardEvent, type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { copiesOf, hrefOf } from '../asset/asset.ts'
import { useText } from '../kit/i18n.ts'
import { useFailedLoad } from '../kit/picture/useFailedLoad.ts'
import { text as general } from '../kit/text.ts'
import { BackIcon, NextIcon } from '../ui/icon/icons.tsx'
import { useModal } from '../ui/overlay/useModal.ts'
import { Spinner } from '../ui/state/Spinner.tsx'
import { localPreviewOf } from './localPreviews.ts'
import { BrokenPicture } from './Picture.tsx'
import { text } from './text.ts'
import { useGestures } from './useGestures.ts'
import { useRoomPictures, type ViewedPicture } from './useRoomPictures.ts'
import { type MovedView, screenSize, useView } from './useView.ts'
import styles from './Viewer.module.css'
import { ViewerBar } from './ViewerBar.tsx'
import { fitsAcross, type Point } from './view.ts'
import { viewerText } from './viewerText.ts'

/** How far a key moves a picture, as a part of the screen's height. */
const KEY_STEP = 0.8
/** Where the keys lead, of the screen's height. */
const KEYS: Readonly<Record<string, Point>> = {
  ArrowUp: { x: 0, y: KEY_STEP },
  ArrowDown: { x: 0, y: -KEY_STEP },
  ArrowLeft: { x: KEY_STEP, y: 0 },
  ArrowRight: { x: -KEY_STEP, y: 0 },
}

/** Moves the picture by so many px; false: it cannot be moved that way. */
type Move = (by: Point) => boolean

/**
 * Full-screen picture: pinch or double tap to zoom, swipe down, tap the cross or press Escape to close. A
 * long one is read along its long side, by dragging, by the wheel or by the arrow keys. Of a room, a swipe
 * across, the keys ← → and buttons lead to its other pictures.
 */
export default function Viewer(props: {
  /** Of a stored picture, or any other. */
  address: string
  label: string
  /** The file name under which the original is saved. */
  name?: string | undefined
  onClose: () => void
}) {
  const { address, name = '', onClose } = props
  const tMedia = useText(text)
  const box = useModal(onClose)
  const move = useRef<Move>(null)
  const { room, shown, previous, next, show } = useRoomPictures({ address, name })
  const [cameBy, setCameBy] = useState<1 | -1 | null>(null)
  const neighbour = (by: 1 | -1) => (by === 1 ? next : previous)
  const step = (by: 1 | -1) => {
    const to = neighbour(by)
    if (!to) return
    setCameBy(by)
    show(to)
  }
  const own = shown.name ? tMedia.pictureOf(shown.name) : tMedia.picture
  const label = shown.address === address && shown.name === name ? props.label : own
  const onKeyDown = ({ key }: KeyboardEvent) => {
    const by = KEYS[key]
    if (!by) return
    const isMoved = move.current?.({ x: by.x * innerHeight, y: by.y * innerHeight })
    if (!isMoved && by.x !== 0) step(by.x < 0 ? 1 : -1)
  }
  return createPortal(
    <div
      className={styles.viewer}
      role="dialog"
      aria-modal="true"
      aria-label={label}
      tabIndex={-1}
      ref={box}
      onWheel={({ deltaX, deltaY }) => move.current?.({ x: -deltaX, y: -deltaY })}
      onKeyDown={onKeyDown}
    >
      <MovedByFingers
        key={shown.key}
        picture={shown}
        label={label}
        cameBy={cameBy}
        around={[previous, next]}
        onStep={step}
        onClose={onClose}
        ref={move}
      />
      <ViewerBar picture={shown} room={room} onClose={onClose} />
      <StepButtons previous={previous} next={next} onStep={step} />
    </div>,
    document.body,
  )
}

/** One picture on the whole screen, and the fingers on it. */
function MovedByFingers(props: {
  picture: ViewedPicture
  label: string
  /** The side that it came from; null: it was opened. */
  cameBy: 1 | -1 | null
  around: readonly [ViewedPicture | null, ViewedPicture | null]
  onStep: (by: 1 | -1) => void
  onClose: () => void
  ref: Ref<Move>
}) {
  const { address } = props.picture
  const [previous, next] = props.around
  const original = localPreviewOf(address) ?? hrefOf(address)
  const stored = copiesOf(address)
  const moved = useView(() => (stored ? sizeIn(address) : null))
  const { own, view, latest, pan } = moved
  const gestures = useGestures(moved, {
    close: props.onClose,
    canStep: (by) => (by === 1 ? next : previous) !== null,
    step: props.onStep,
  })
  useImperativeHandle(props.ref, () => (by) => {
    const before = latest.current
    if (!own || (by.y === 0 && fitsAcross(before, own, screenSize()))) return false
    pan(before, by)
    return latest.current.x !== before.x || latest.current.y !== before.y
  })
  const faded = view.scale === 1 ? Math.max(0.3, 1 - view.y / 500) : 1
  return (
    <div className={styles.surface} data-came={props.cameBy ?? undefined} {...gestures.handlers}>
      <div className={styles.backdrop} style={{ opacity: faded }} />
      <MovedPicture
        original={original}
        stored={original.startsWith('blob:') ? undefined : stored}
        label={props.label}
        moved={moved}
        isHeld={gestures.isHeld}
        around={props.around}
      />
    </div>
  )
}

/** For a mouse. Fingers swipe, and keys are keys. */
function StepButtons(props: {
  previous: ViewedPicture | null
  next: ViewedPicture | null
  onStep: (by: 1 | -1) => void
}) {
  const t = useText(viewerText)
  return (
    <>
      {props.previous && (
        <button
          type="button"
          className={`${styles.button} ${styles.step}`}
          aria-label={t.previous}
          title={t.previous}
          onClick={() => props.onStep(-1)}
        >
          <BackIcon size={28} />
        </button>
      )}
      {props.next && (
        <button
          type="button"
          className={`${styles.button} ${styles.step} ${styles.toNext}`}
          aria-label={t.next}
          title={t.next}
          onClick={() => props.onStep(1)}
        >
          <NextIcon size={28} />
        </button>
      )}
    </>
  )
}

/** The picture itself: a stored copy until it is enlarged, then the original; another try where both fail. */
function MovedPicture(props: {
  original: string
  /** Its copies, as a `srcset`. */
  stored: string | undefined
  label: string
  moved: MovedView
  isHeld: boolean
  around: readonly (ViewedPicture | null)[]
}) {
  const { original, stored, label } = props
  const { own, setOwn, view } = props.moved
  const t = useText(general)
  const [isHere, setHere] = useState(false)
  const isWhole = useLoaded(view.scale > 1 ? original : null)
  const ofCopies = useFailedLoad(stored)
  const ofOriginal = useFailedLoad(original)
  const copies = isWhole || ofCopies.hasFailed ? undefined : stored
  usePreloaded(isHere ? props.around : [])
  const retry = () => {
    ofCopies.retry()
    ofOriginal.retry()
  }
  if (ofOriginal.hasFailed) return <BrokenPicture onRetry={retry} />
  return (
    <>
      {!isHere && (
        <span className={styles.loading} role="status" aria-label={t.loading}>
          <Spinner size={32} />
        </span>
      )}
      <img
        className={styles.picture}
        data-held={props.isHeld || undefined}
        // A small picture is not enlarged to the screen.
        sizes={copies && sizesOf(own?.width ?? 0)}
        srcSet={copies}
        src={original}
        alt={label}
        draggable={false}
        style={{ transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale})` }}
        onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) => {
          setHere(true)
          if (!own && width > 0) setOwn({ width, height })
        }}
        onError={copies ? ofCopies.fail : ofOriginal.fail}
      />
    </>
  )
}

const sizesOf = (width: number): string => `min(100vw, ${width}px)`

/** Loads what is shown next, as it will be shown: stored pictures, once this one is there. */
function usePreloaded(around: readonly (ViewedPicture | null)[]): void {
  const addresses = around.flatMap((it) => it?.address ?? []).join(' ')
  useEffect(() => {
    for (const address of addresses.split(' ')) {
      const copies = copiesOf(address)
      if (!copies || localPreviewOf(address)) continue
      const image = new Image()
      image.sizes = sizesOf(sizeIn(address)?.width ?? 0)
      image.srcset = copies
    }
  }, [addresses])
}

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
