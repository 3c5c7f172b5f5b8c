import { drawnGround, letterGround, letters } from '@guildhall/wire/user/letter.ts'
import { copiesOf, hrefOf } from '../../asset/asset.ts'
import { useFailedLoad } from '../../kit/picture/useFailedLoad.ts'
import styles from './GuildCover.module.css'

/** How wide covers are drawn, for the browser's choice of a copy. */
const SIZES = '(min-width: 900px) 360px, 90vw'

/**
 * The banner of a guild. Where it has none, or it does not load, it is drawn from the icon: enlarged and
 * blurred, or the letters on their colour. Decoration.
 */
export function GuildCover(props: { id: string; name: string; icon: string; banner: string }) {
  const { id, name, icon, banner } = props
  const ofBanner = useFailedLoad(banner)
  const ofIcon = useFailedLoad(icon)
  const hasBanner = banner !== '' && !ofBanner.hasFailed
  return (
    <div
      className={styles.cover}
      data-part="cover"
      // Of a banner nothing shines through at the corners.
      style={hasBanner ? undefined : { background: letterGround(id, icon) }}
      aria-hidden="true"
    >
      {hasBanner ? (
        <img
          key={banner}
          src={hrefOf(banner)}
          srcSet={copiesOf(banner)}
          sizes={SIZES}
          alt=""
          loading="lazy"
          onError={ofBanner.fail}
        />
      ) : icon !== '' && !ofIcon.hasFailed && !drawnGround(icon) ? (
        <img
          key={icon}
          className={styles.blurred}
          src={hrefOf(icon)}
          srcSet={copiesOf(icon)}
          sizes="96px"
          alt=""
          loading="lazy"
          onError={ofIcon.fail}
        />
      ) : (
        <span className={styles.letters}>{letters(name) || '?'}</span>
      )}
    </div>
  )
}
