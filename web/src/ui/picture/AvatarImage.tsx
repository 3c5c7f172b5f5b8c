import { assetKey } from '@guildhall/wire/asset/assetKey.ts'
import { copyAddress } from '@guildhall/wire/asset/pictureSize.ts'
import { drawnGround, letterGround, letters } from '@guildhall/wire/user/letter.ts'
import { useFailedLoad } from '../../kit/picture/useFailedLoad.ts'
import styles from './AvatarImage.module.css'

/** The long side of the copy that is shown, px: sharp at 56 CSS px on most phones. */
const SIDE = 160

/** The copy of a picture with a long side of `side` px; of pictures from elsewhere their address. */
export const smallOf = (src: string, side = SIDE): string =>
  assetKey(src) === null ? src : copyAddress(src, side)

/**
 * An image of `size` px, or, when there is none or it fails to load, the letters of `name` on the colour of
 * `seed`.
 */
export function AvatarImage(props: {
  name: string
  src: string
  seed: string
  size: number
  className?: string | undefined
}) {
  const { hasFailed, fail } = useFailedLoad(props.src)
  const hasImage = props.src !== '' && !drawnGround(props.src) && !hasFailed
  return (
    <span
      className={props.className ? `${styles.avatar} ${props.className}` : styles.avatar}
      style={{
        width: props.size,
        height: props.size,
        fontSize: props.size * 0.4,
        background: hasImage ? undefined : letterGround(props.seed, props.src),
      }}
      aria-hidden="true"
    >
      {hasImage ? (
        <img src={smallOf(props.src)} alt="" loading="lazy" decoding="async" onError={fail} />
      ) : (
        letters(props.name) || '?'
      )}
    </span>
  )
}
