import type { Dimensions } from '@guildhall/wire/asset/pictureSize.ts'
import { useState } from 'react'
import { PlayIcon } from '../ui/icon/icons.tsx'
import styles from './Media.module.css'
import { SizedImage } from './Picture.tsx'

/** The cover of a video, as far as it can be loaded, with its length. `box`: CSS px. */
export function VideoCover(props: {
  address: string | null | undefined
  box: Dimensions
  length: string
  referrerPolicy?: 'no-referrer'
}) {
  const { address, box, length } = props
  const [isGone, setGone] = useState(false)
  return (
    <span
      className={styles.videoFace}
      data-part="video-preview"
      style={{ aspectRatio: `${box.width} / ${box.height}` }}
    >
      {address && !isGone && (
        <SizedImage
          address={address}
          box={box}
          referrerPolicy={props.referrerPolicy}
          onGone={() => setGone(true)}
        />
      )}
      <span className={styles.videoPlay} data-part="play">
        <PlayIcon size={28} />
      </span>
      {length && <span className={styles.videoLength}>{length}</span>}
    </span>
  )
}
