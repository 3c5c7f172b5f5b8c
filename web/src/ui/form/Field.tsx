import type { ReactNode } from 'react'
import { useId, useState } from 'react'
import styles from './Field.module.css'

/** A text input with its label above it, `before` and `after` inside its box, and its error below. */
export function Field(props: {
  label: string
  name: string
  value: string
  onChange: (value: string) => void
  error?: string | undefined
  type?: 'text' | 'tel' | 'email' | 'password' | 'search' | 'datetime-local'
  inputMode?: 'text' | 'email' | 'numeric' | 'decimal' | 'tel' | 'search'
  autoComplete?: string
  placeholder?: string
  maxLength?: number
  /**
   * What is read of what is typed or pasted, such as a fold of `typed.ts`: it comes before `maxLength` cuts,
   * so the browser cuts nothing.
   */
  read?: (typed: string) => string
  before?: ReactNode
  after?: ReactNode
  autoFocus?: boolean
}) {
  const id = useId()
  const read = (typed: string) => (props.read ? props.read(typed).slice(0, props.maxLength) : typed)
  // What is read may be what was there before: drawn anew, the field does not keep what was typed beside it.
  const [, drawAnew] = useState({})
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {props.label}
      </label>
      <div className={styles.box} data-bad={props.error ? true : undefined}>
        {props.before}
        <input
          id={id}
          name={props.name}
          type={props.type ?? 'text'}
          inputMode={props.inputMode}
          autoComplete={props.autoComplete}
          placeholder={props.placeholder}
          maxLength={props.read ? undefined : props.maxLength}
          autoCapitalize="off"
          autoCorrect="off"
          spellCheck={false}
          value={props.value}
          data-first={props.autoFocus || undefined}
          aria-invalid={props.error ? true : undefined}
          aria-describedby={`${id}-error`}
          onChange={({ currentTarget: { value }, nativeEvent }) => {
            // What an input method composes is left alone until it is done.
            props.onChange((nativeEvent as InputEvent).isComposing ? value : read(value))
            drawAnew({})
          }}
          onCompositionEnd={({ currentTarget: { value } }) => props.onChange(read(value))}
        />
        {props.after}
      </div>
      <p className={styles.error} id={`${id}-error`} aria-live="polite">
        {props.error}
      </p>
    </div>
  )
}
