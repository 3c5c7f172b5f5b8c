import { useEffect, useState } from 'react'
import { useText } from '../../kit/i18n.ts'
import styles from './Shown.module.css'
import { shownText } from './shownText.ts'

/**
 * A picture at its shape, which opens in full beside the console. Says so where there is none, or it is gone.
 */
export function Shown(props: { src: string; alt: string; shape: 'icon' | 'banner' | 'picture' }) {
  const t = useText(shownText)
  const [isGone, setGone] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another picture may be there
  useEffect(() => setGone(false), [props.src])
  if (props.src === '' || isGone)
    return (
      <span className={styles.none} data-shape={props.shape}>
        {props.src === '' ? t.none : t.gone}
      </span>
    )
  return (
    <a className={styles.open} href={props.src} target="_blank" rel="noreferrer">
      <img
        className={styles.shown}
        data-shape={props.shape}
        src={props.src}
        alt={props.alt}
        onError={() => setGone(true)}
      />
    </a>
  )
}
