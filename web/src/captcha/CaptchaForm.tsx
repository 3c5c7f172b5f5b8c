import type { ReactNode } from 'react'
import { useText } from '../kit/i18n.ts'
import { Button } from '../ui/Button.tsx'
import styles from './CaptchaDialog.module.css'
import { text } from './text.ts'

/** A captcha whose answer is sent by a button. `onSubmit` may find that there is none yet. */
export function CaptchaForm(props: { isBusy: boolean; onSubmit: () => void; children: ReactNode }) {
  const t = useText(text)
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        props.onSubmit()
      }}
    >
      {props.children}
      <Button block busy={props.isBusy} type="submit">
        {t.confirm}
      </Button>
    </form>
  )
}
