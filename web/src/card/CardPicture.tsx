import { fitted, sizeIn } from '@guildhall/wire/asset/pictureSize.ts'
import type { Image } from '@guildhall/wire/card/node.ts'
import { useState } from 'react'
import { useText } from '../kit/i18n.ts'
import { lazy, Suspense } from '../kit/lazy/lazy.tsx'
import { loadPart } from '../kit/lazy/lazyPart.ts'
import { useFailedLoad } from '../kit/picture/useFailedLoad.ts'
import { SizedImage } from '../media/Picture.tsx'
import { text as mediaText } from '../media/text.ts'
import { AlertIcon } from '../ui/icon/icons.tsx'
import styles from './Cards.module.css'

const Viewer = lazy(() => loadPart(() => import('../media/Viewer.tsx')))

/** Maximum size of a single picture until it is opened, px. */
const WHOLE_MAX = { width: 480, height: 640 }
const UNKNOWN_SIZE = { width: 320, height: 180 }
/** About a tile of three in a row, CSS px. */
const SQUARE = { width: 120, height: 120 }

/** A picture of a card, which opens in the viewer; `whole`: in its own proportions. */
export function CardPicture({
  image,
  shape,
  whole,
}: {
  image: Image
  shape: string | undefined
  whole?: boolean
}) {
  const tMedia = useText(mediaText)
  /** The address in the full screen: the picture in the card may change to its fallback, or go, meanwhile. */
  const [opened, setOpened] = useState<string | null>(null)
  const first = useFailedLoad(image.src)
  const second = useFailedLoad(image.fallbackUrl)
  const shown = first.hasFailed ? second : first
  const src = first.hasFailed ? image.fallbackUrl : image.src
  const label = image.alt ? tMedia.pictureOf(image.alt) : tMedia.picture
  const size = fitted(sizeIn(image.src) ?? UNKNOWN_SIZE, WHOLE_MAX)
  const room = whole ? { width: size.width, aspectRatio: `${size.width} / ${size.height}` } : undefined
  const className = `${styles.picture} ${shape}${image.circle ? ` ${styles.circle}` : ''}`
  const retry = () => {
    first.retry()
    second.retry()
  }
  return (
    <>
      {src && !shown.hasFailed ? (
        <button
          type="button"
          className={className}
          data-part="card-picture"
          style={room}
          aria-label={label}
          onClick={() => setOpened(src)}
        >
          <SizedImage key={src} address={src} box={whole ? size : SQUARE} onGone={shown.fail} />
        </button>
      ) : (
        <button
          type="button"
          className={`${className} ${styles.pictureGone}`}
          data-part="card-picture"
          style={room}
          aria-label={`${tMedia.pictureFailed} ${tMedia.tryAgain}`}
          onClick={retry}
        >
          <AlertIcon size={16} />
          {whole && <span>{tMedia.tryAgain}</span>}
        </button>
      )}
      {opened && (
        <Suspense>
          <Viewer address={opened} label={label} onClose={() => setOpened(null)} />
        </Suspense>
      )}
    </>
  )
}
