import { assetKey, copyAddress } from '@guildhall/wire/asset/name.ts'
import { letterColour, letters } from '@guildhall/wire/user/letter.ts'
import { useState } from 'react'
import styles from './AvatarImage.module.css'

/** How many background colours AvatarImage.module.css has. */
const COLOURS = 8

/** The long side of the copy that is shown, px: sharp at 56 CSS px on most phones. */
const SIDE = 160

const smallOf = (src: string): string => (assetKey(src) === null ? src : copyAddress(src, SIDE))

/** An image of `size` px, or, when there is none or it fails to load, the letters of `name` on the colour of `seed`. */
export function AvatarImage(props: {
  name: string
  src: string
  seed: string
  size: number
  className?: string | undefined
}) {
  const [failed, setFailed] = useState<string | null>(null)
  const hasImage = props.src !== '' && failed !== props.src
  return (
    <span
      className={props.className ? `${styles.avatar} ${props.className}` : styles.avatar}
      data-colour={hasImage ? undefined : letterColour(props.seed, COLOURS)}
      style={{ width: props.size, height: props.size, fontSize: props.size * 0.4 }}
      aria-hidden="true"
    >
      {hasImage ? (
        <img
          src={smallOf(props.src)}
          alt=""
          loading="lazy"
          decoding="async"
          onError={() => setFailed(props.src)}
        />
      ) : (
        letters(props.name) || '?'
      )}
    </span>
  )
}
