import { useId } from 'react'
import fieldStyles from './Field.module.css'
import styles from './WordsField.module.css'

/** Some lines of text with their label above, and below what is wrong and how many characters there are. */
export function WordsField(props: {
  label: string
  name: string
  /** Characters. */
  most: number
  rows?: number
  placeholder?: string
  value: string
  error: string | undefined
  onChange: (value: string) => void
}) {
  const id = useId()
  const isWrong = props.error ? true : undefined
  return (
    <div>
      <label className={fieldStyles.label} htmlFor={id}>
        {props.label}
      </label>
      <div className={fieldStyles.box} data-bad={isWrong}>
        <textarea
          id={id}
          name={props.name}
          className={styles.words}
          rows={props.rows ?? 4}
          placeholder={props.placeholder}
          maxLength={props.most}
          value={props.value}
          aria-invalid={isWrong}
          aria-describedby={`${id}-error`}
          onChange={({ currentTarget }) => props.onChange(currentTarget.value)}
        />
      </div>
      <div className={styles.below}>
        <p className={fieldStyles.error} id={`${id}-error`} aria-live="polite">
          {props.error}
        </p>
        <span>{`${[...props.value].length}/${props.most}`}</span>
      </div>
    </div>
  )
}
