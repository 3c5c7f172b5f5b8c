import type { ReactNode } from 'react'
import { useText } from '../../kit/i18n.ts'
import { text } from '../../kit/text.ts'
import { Button } from '../Button.tsx'
import { AlertIcon } from '../icon/icons.tsx'
import styles from './CenteredState.module.css'
import { CenteredState } from './CenteredState.tsx'

/** Says what failed and why, and offers to try again. */
export function ErrorState(props: {
  title: string
  message?: string
  onRetry?: () => void
  icon?: ReactNode
  page?: boolean
  /** The screen has no other heading. */
  top?: boolean
}) {
  const t = useText(text)
  const Title = props.page || props.top ? 'h1' : 'h2'
  return (
    <CenteredState page={props.page} role="alert">
      <div className={`${styles.art} ${styles.artBad}`}>{props.icon ?? <AlertIcon />}</div>
      <Title className={styles.title}>{props.title}</Title>
      {props.message && <p className={styles.text}>{props.message}</p>}
      {props.onRetry && (
        <Button kind="soft" onPress={props.onRetry}>
          {t.retry}
        </Button>
      )}
    </CenteredState>
  )
}
