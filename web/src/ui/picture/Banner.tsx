import type { ReactNode } from 'react'
import { useText } from '../../kit/i18n.ts'
import { text } from '../../kit/text.ts'
import { IconButton } from '../IconButton.tsx'
import { CloseIcon } from '../icon/icons.tsx'
import styles from './Banner.module.css'

/** A notice along the top of a screen. */
export function Banner(props: { children: ReactNode; action?: ReactNode; onClose?: () => void }) {
  const t = useText(text)
  return (
    <div className={styles.banner} role="status">
      <div className={styles.text}>{props.children}</div>
      {props.action}
      {props.onClose && (
        <IconButton label={t.close} onPress={props.onClose}>
          <CloseIcon size={18} />
        </IconButton>
      )}
    </div>
  )
}
