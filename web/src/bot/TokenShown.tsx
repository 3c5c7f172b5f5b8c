import { useId } from 'react'
import { copyText } from '../kit/browser/clipboard.ts'
import { useText } from '../kit/i18n.ts'
import { Button } from '../ui/Button.tsx'
import { toast } from '../ui/overlay/Toast.tsx'
import styles from './Bots.module.css'
import { text } from './text.ts'

/** A token that is shown once. */
export function TokenShown({ token, onDone }: { token: string; onDone: () => void }) {
  const t = useText(text)
  const id = useId()
  const copy = async () => toast((await copyText(token)) ? t.copied : t.copyFailed)
  return (
    <div className={styles.acts}>
      <p className={styles.why} id={id}>
        {t.tokenWhy}
      </p>
      <output className={styles.token} aria-label={t.token} aria-describedby={id}>
        {token}
      </output>
      <Button block onPress={() => void copy()}>
        {t.copy}
      </Button>
      <Button block kind="quiet" onPress={onDone}>
        {t.done}
      </Button>
    </div>
  )
}
