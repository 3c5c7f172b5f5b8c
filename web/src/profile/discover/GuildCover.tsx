import { drawnGround, letterGround, letters } from '@guildhall/wire/user/letter.ts'
import { useState } from 'react'
import { copiesOf, hrefOf } from '../../asset/asset.ts'
import styles from './GuildCover.module.css'

/** How wide covers are drawn, for the browser's choice of a copy. */
const SIZES = '(min-width: 900px) 360px, 90vw'

/**
 * The banner of a guild. Where it has none, or it does not load, it is drawn from the icon: enlarged and
 * blurred, or the letters on their colour. Decoration.
 */
export function GuildCover(props: { id: string; name: string; icon: string; banner: string }) {
  const { id, name, icon, banner } = props
  const [failed, setFailed] = useState<readonly string[]>([])
  const isShown = (address: string) => address !== '' && !failed.includes(address)
  const fail = (address: string) => setFailed((all) => [...all, address])
  return (
    <div
      className={styles.cover}
      data-part="cover"
      // Of a banner nothing shines through at the corners.
      style={isShown(banner) ? undefined : { background: letterGround(id, icon) }}
      aria-hidden="true"
    >
      {isShown(banner) ? (
        <img
          key={banner}
          src={hrefOf(banner)}
          srcSet={copiesOf(banner)}
          sizes={SIZES}
          alt=""
          loading="lazy"
          onError={() => fail(banner)}
        />
      ) : isShown(icon) && !drawnGround(icon) ? (
        <img
          key={icon}
          className={styles.blurred}
          src={hrefOf(icon)}
          srcSet={copiesOf(icon)}
          sizes="96px"
          alt=""
          loading="lazy"
          onError={() => fail(icon)}
        />
      ) : (
        <span className={styles.letters}>{letters(name) || '?'}</span>
      )}
    </div>
  )
}
