import type { ReactNode } from 'react'
import { Button } from '../Button.tsx'
import styles from './Field.module.css'
import type { FormState } from './useForm.ts'

/** A form with one button. Below its fields stands what belongs under none of them. */
export function Form<Name extends string>(props: {
  form: FormState<Name>
  button: string
  busy: boolean
  /** What the button does cannot be undone. */
  danger?: boolean | undefined
  /** A toast says what is wrong, too. */
  isToasted?: boolean
  className?: string | undefined
  onSubmit: () => void
  children: ReactNode
  /** What stands below the button. */
  below?: ReactNode
}) {
  const { form, busy } = props
  return (
    <form
      className={`${styles.form} ${props.className ?? ''}`}
      noValidate
      ref={form.ref}
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy) props.onSubmit()
      }}
    >
      {props.children}
      <p className={styles.formProblem} role={props.isToasted ? undefined : 'alert'}>
        {form.problem}
      </p>
      <Button block kind={props.danger ? 'danger' : 'main'} busy={busy} type="submit">
        {props.button}
      </Button>
      {props.below}
    </form>
  )
}
