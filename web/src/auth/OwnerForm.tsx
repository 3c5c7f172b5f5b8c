import type { ReactNode, RefObject } from 'react'
import { Button } from '../ui/Button.tsx'
import fieldStyles from '../ui/Field.module.css'
import styles from './OwnerForm.module.css'

/**
 * A form about one's own number or password: what it is for, its fields, what is wrong, and its one button.
 */
export function OwnerForm(props: {
  step?: string
  title: string
  why: string
  problem: string
  button: string
  busy: boolean
  /** What the button does cannot be undone. */
  danger?: boolean
  form: RefObject<HTMLFormElement | null>
  onSubmit: () => void
  children: ReactNode
}) {
  return (
    <main className={styles.screen}>
      {props.step && <p className={styles.step}>{props.step}</p>}
      <h2 className={styles.title}>{props.title}</h2>
      <p className={styles.why}>{props.why}</p>
      <form
        className={styles.form}
        noValidate
        ref={props.form}
        onSubmit={(event) => {
          event.preventDefault()
          if (!props.busy) props.onSubmit()
        }}
      >
        {props.children}
        <p className={fieldStyles.formProblem} role="alert">
          {props.problem}
        </p>
        <Button block kind={props.danger ? 'danger' : 'main'} busy={props.busy} type="submit">
          {props.button}
        </Button>
      </form>
    </main>
  )
}
