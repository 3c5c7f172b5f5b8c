import type { InputHTMLAttributes } from 'react'
import styles from './parts.module.css'

/** A field of an act's dialog. */
export function Option({
  label,
  onChange,
  ...input
}: {
  label: string
  value: string
  onChange: (value: string) => void
} & Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange'>) {
  return (
    <label className={styles.option}>
      <span>{label}</span>
      <input {...input} onChange={({ currentTarget: { value } }) => onChange(value)} />
    </label>
  )
}
