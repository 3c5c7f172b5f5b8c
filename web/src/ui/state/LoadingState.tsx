import { useText } from '../../kit/i18n.ts'
import { text } from '../../kit/text.ts'
import styles from './CenteredState.module.css'
import { CenteredState } from './CenteredState.tsx'
import { Spinner } from './Spinner.tsx'

/** A spinner and a text that says what is loading. */
export function LoadingState({ message, page }: { message?: string; page?: boolean }) {
  const t = useText(text)
  const Title = page ? 'h1' : 'p'
  return (
    <CenteredState page={page} role="status">
      <Spinner size={28} />
      <Title className={styles.wait}>{message ?? t.loading}</Title>
    </CenteredState>
  )
}
