import { sizeIn } from '@guildhall/wire/asset/pictureSize.ts'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { copiesOf, hrefOf } from '../asset/asset.ts'
import { useText } from '../kit/i18n.ts'
import { text as general } from '../kit/text.ts'
import { CloseIcon, DownloadIcon } from '../ui/icon/icons.tsx'
import { useModal } from '../ui/overlay/useModal.ts'
import { Spinner } from '../ui/state/Spinner.tsx'
import { localPreviewOf } from './localPreviews.ts'
import { text } from './text.ts'
import { useGestures } from './useGestures.ts'
import { type MovedView, useView } from './useView.ts'
import styles from './Viewer.module.css'
import type { Point } from './view.ts'

/** How far a key moves a picture, as a part of the screen's height. */
const KEY_STEP = 0.8
/** Where the keys lead, of the screen's height. */
const KEYS: Readonly<Record<string, Point>> = {
  ArrowUp: { x: 0, y: KEY_STEP },
  ArrowDown: { x: 0, y: -KEY_STEP },
  ArrowLeft: { x: KEY_STEP, y: 0 },
  ArrowRight: { x: -KEY_STEP, y: 0 },
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
  const { address, label, onClose } = props
  const t = useText(general)
  const box = useModal(onClose)
  const original = localPreviewOf(address) ?? hrefOf(address)
  const stored = copiesOf(address)
  const moved = useView(() => (stored ? sizeIn(address) : null))
  const { view, latest, pan } = moved
  const gestures = useGestures(moved, onClose)
  const onKeyDown = ({ key }: KeyboardEvent) => {
    const step = KEYS[key]
    if (step) pan(latest.current, { x: step.x * innerHeight, y: step.y * innerHeight })
  }
  const faded = view.scale === 1 ? Math.max(0.3, 1 - view.y / 500) : 1
  return createPortal(
    <div
      className={styles.viewer}
      role="dialog"
      aria-modal="true"
      aria-label={label}
      tabIndex={-1}
      ref={box}
      {...gestures.handlers}
      onWheel={({ deltaX, deltaY }) => pan(latest.current, { x: -deltaX, y: -deltaY })}
      onKeyDown={onKeyDown}
    >
      <div className={styles.backdrop} style={{ opacity: faded }} />
      <MovedPicture
        original={original}
        stored={original.startsWith('blob:') ? undefined : stored}
        label={label}
        moved={moved}
        isHeld={gestures.isHeld}
      />
      {/* Of another site nothing is saved: its address would be opened without the warning. */}
      {!/^https?:/i.test(original) && <SaveLink href={original} name={props.name ?? ''} />}
      <button type="button" className={styles.close} aria-label={t.close} data-first onClick={onClose}>
        <CloseIcon size={24} />
      </button>
    </div>,
    document.body,
  )
}

/** The picture itself: a stored copy until it is enlarged, then the original. */
function MovedPicture(props: {
  original: string
  /** Its copies, as a `srcset`. */
  stored: string | undefined
  label: string
  moved: MovedView
  isHeld: boolean
}) {
  const { original, stored, label } = props
  const { own, setOwn, view } = props.moved
  const t = useText(general)
  const [isHere, setHere] = useState(false)
  const isWhole = useLoaded(view.scale > 1 ? original : null)
  const [isCopyGone, setCopyGone] = useState(false)
  const copies = isWhole || isCopyGone ? undefined : stored
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
        sizes={copies && `min(100vw, ${own?.width ?? 0}px)`}
        srcSet={copies}
        src={original}
        alt={label}
        draggable={false}
        style={{ transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale})` }}
        onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) => {
          setHere(true)
          if (!own && width > 0) setOwn({ width, height })
        }}
        onError={() => (copies ? setCopyGone(true) : setHere(true))}
      />
    </>
  )
}

function SaveLink({ href, name }: { href: string; name: string }) {
  const t = useText(text)
  return (
    <a className={`${styles.close} ${styles.save}`} href={href} download={name} aria-label={t.saveOriginal}>
      <DownloadIcon size={24} />
    </a>
  )
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
