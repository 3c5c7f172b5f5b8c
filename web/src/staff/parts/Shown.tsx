import { useText } from '../../kit/i18n.ts'
import { useFailedLoad } from '../../kit/picture/useFailedLoad.ts'
import styles from './Shown.module.css'
import { shownText } from './shownText.ts'

/**
 * A picture at its shape, which opens in full beside the console. Says so where there is none, or it is gone.
 */
export function Shown(props: { src: string; alt: string; shape: 'icon' | 'banner' | 'picture' }) {
  const t = useText(shownText)
  const { hasFailed, fail } = useFailedLoad(props.src)
  if (props.src === '' || hasFailed)
    return (
      <span className={styles.none} data-shape={props.shape}>
        {props.src === '' ? t.none : t.gone}
      </span>
    )
  return (
    <a className={styles.open} href={props.src} target="_blank" rel="noreferrer">
      <img className={styles.shown} data-shape={props.shape} src={props.src} alt={props.alt} onError={fail} />
    </a>
  )
}
