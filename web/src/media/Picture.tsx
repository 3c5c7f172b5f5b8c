import type { Dimensions } from '@guildhall/wire/asset/pictureSize.ts'
import { type ImgHTMLAttributes, useLayoutEffect, useRef, useState } from 'react'
import { thumbHashToRGBA } from 'thumbhash'
import { copiesOf, coveringWidth, hrefOf } from '../asset/asset.ts'
import { useText } from '../kit/i18n.ts'
import { lazy, Suspense } from '../kit/lazy/lazy.tsx'
import { loadPart } from '../kit/lazy/lazyPart.ts'
import { useFailedLoad } from '../kit/picture/useFailedLoad.ts'
import { AlertIcon } from '../ui/icon/icons.tsx'
import { localPreviewOf } from './localPreviews.ts'
import styles from './Media.module.css'
import { text } from './text.ts'

const Viewer = lazy(() => loadPart(() => import('./Viewer.tsx')))

/** Minimum touch target, px. */
export const TAP = 44

/**
 * An `img` of a stored picture in a box of this size, CSS px: the smallest copy that is sharp in it. The
 * original when no copy can be shown; `onGone` when that fails too.
 */
export function SizedImage(
  props: {
    readonly address: string
    readonly box: Dimensions
    readonly onGone: () => void
  } & Pick<ImgHTMLAttributes<HTMLImageElement>, 'className' | 'style' | 'onLoad' | 'referrerPolicy'>,
) {
  const { address, box, onGone, ...rest } = props
  const [isWhole, setWhole] = useState(false)
  const local = localPreviewOf(address)
  const copies = local || isWhole ? undefined : copiesOf(address)
  return (
    <img
      {...rest}
      // Before `src`: Safari starts to load as soon as it is set.
      sizes={copies && `${coveringWidth(address, box)}px`}
      srcSet={copies}
      src={local ?? hrefOf(address)}
      alt=""
      width={box.width}
      height={box.height}
      loading="lazy"
      decoding="async"
      draggable={false}
      onError={() => (copies ? setWhole(true) : onGone())}
    />
  )
}

/**
 * A picture that opens in the viewer. Its size is reserved; `thumbhash` is drawn there until it has arrived.
 */
export function Picture(props: {
  readonly address: string
  /** CSS px */
  readonly size: Dimensions
  readonly name?: string
  readonly thumbhash?: string | null | undefined
}) {
  const { address, size, name, thumbhash } = props
  const t = useText(text)
  const [open, setOpen] = useState(false)
  const { hasFailed, fail, retry } = useFailedLoad(address)
  const [isHere, setHere] = useState(false)
  const { width, height } = size
  const own = { width, aspectRatio: `${width} / ${height}` }
  const label = name ? t.pictureOf(name) : t.picture
  const isSmall = Math.min(width, height) < TAP
  return (
    <>
      {hasFailed ? (
        <BrokenPicture style={own} onRetry={retry} />
      ) : (
        <button
          type="button"
          className={isSmall ? `${styles.picture} ${styles.pictureSmall}` : styles.picture}
          data-part="picture"
          style={isSmall ? { width: Math.max(TAP, width), minHeight: Math.max(TAP, height) } : own}
          aria-label={label}
          onClick={() => setOpen(true)}
        >
          {thumbhash && !isHere && !isSmall && <Placeholder hash={thumbhash} />}
          <SizedImage
            address={address}
            box={size}
            style={isSmall ? own : undefined}
            onLoad={() => setHere(true)}
            onGone={fail}
          />
        </button>
      )}
      {/* It stays open whatever becomes of the picture in the room, and never opens by itself. */}
      {open && (
        <Suspense>
          <Viewer address={address} label={label} name={name} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

/** In place of a picture that could not be loaded: a tap tries again. */
export function BrokenPicture(props: { style?: React.CSSProperties; onRetry: () => void }) {
  const t = useText(text)
  return (
    <button
      type="button"
      className={`${styles.picture} ${styles.pictureGone}`}
      style={props.style}
      onClick={props.onRetry}
    >
      <AlertIcon size={20} />
      <span>{t.pictureFailed}</span>
      <span className={styles.retry}>{t.tryAgain}</span>
    </button>
  )
}

/** The blurred shape and colours of a picture that has not arrived. */
export function Placeholder({ hash }: { hash: string }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useLayoutEffect(() => {
    const drawn = pixelsOf(hash)
    const context = drawn && canvas.current?.getContext('2d')
    if (!drawn || !context) return
    context.canvas.width = drawn.w
    context.canvas.height = drawn.h
    context.putImageData(new ImageData(new Uint8ClampedArray(drawn.rgba), drawn.w, drawn.h), 0, 0)
  }, [hash])
  return <canvas ref={canvas} className={styles.placeholder} data-part="placeholder" />
}

function pixelsOf(hash: string) {
  try {
    return thumbHashToRGBA(Uint8Array.from(atob(hash), (each) => each.charCodeAt(0)))
  } catch {
    // A later server may write it in another way.
    return null
  }
}
