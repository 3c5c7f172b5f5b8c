import type { Dimensions } from '@guildhall/wire/asset/pictureSize.ts'
import { useFailedLoad } from '../kit/picture/useFailedLoad.ts'
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
  const { hasFailed, fail } = useFailedLoad(address)
  return (
    <span
      className={styles.videoFace}
      data-part="video-preview"
      style={{ aspectRatio: `${box.width} / ${box.height}` }}
    >
      {address && !hasFailed && (
        <SizedImage address={address} box={box} referrerPolicy={props.referrerPolicy} onGone={fail} />
      )}
      <span className={styles.videoPlay} data-part="play">
        <PlayIcon size={28} />
      </span>
      {length && <span className={styles.videoLength}>{length}</span>}
    </span>
  )
}
