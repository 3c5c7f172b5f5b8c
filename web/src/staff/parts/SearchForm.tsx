import { type ReactNode, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useText } from '../../kit/i18n.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { text } from '../text.ts'
import styles from './parts.module.css'

/** What was searched for, by name; it is kept in the address, so that it can be linked and gone back to. */
export function useSearched(): Readonly<Record<string, string>> {
  const [query] = useSearchParams()
  return Object.fromEntries([...query].filter(([, value]) => value !== ''))
}

export interface SearchField {
  readonly name: string
  readonly label: string
  readonly placeholder?: string
  /** As that of `Field`. */
  readonly read?: (typed: string) => string
}

/**
 * A form of searches that writes what is searched for into the address. `children`: choices beside the
 * fields.
 */
export function SearchForm({ fields, children }: { fields: readonly SearchField[]; children?: ReactNode }) {
  const t = useText(text)
  const [query, setQuery] = useSearchParams()
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>(() => Object.fromEntries(query))
  const go = (next: Readonly<Record<string, string>>) => {
    const wanted = new URLSearchParams(query)
    for (const { name } of fields) {
      const value = next[name]?.trim() ?? ''
      if (value === '') wanted.delete(name)
      else wanted.set(name, value)
    }
    setQuery(wanted)
  }
  const isEmpty = fields.every(({ name }) => !typed[name] && !query.get(name))
  return (
    <search>
      <form
        className={styles.search}
        onSubmit={(event) => {
          event.preventDefault()
          go(typed)
        }}
      >
        {fields.map(({ name, label, placeholder, read }) => (
          <Field
            key={name}
            label={label}
            name={name}
            type="search"
            {...(placeholder && { placeholder })}
            {...(read && { read })}
            maxLength={100}
            value={typed[name] ?? ''}
            onChange={(value) => setTyped({ ...typed, [name]: value })}
          />
        ))}
        {children}
        <div className={styles.actions}>
          <Button type="submit">{t.search}</Button>
          {!isEmpty && (
            <Button
              kind="quiet"
              onPress={() => {
                setTyped({})
                go({})
              }}
            >
              {t.clear}
            </Button>
          )}
        </div>
      </form>
    </search>
  )
}

/** One of several values of the address's query; `''` is all. */
export function Choice(props: {
  name: string
  label: string
  options: readonly (readonly [value: string, label: string])[]
}) {
  const [query, setQuery] = useSearchParams()
  return (
    <label className={styles.choice}>
      <span>{props.label}</span>
      <select
        value={query.get(props.name) ?? ''}
        onChange={({ currentTarget: { value } }) => {
          const next = new URLSearchParams(query)
          if (value === '') next.delete(props.name)
          else next.set(props.name, value)
          setQuery(next)
        }}
      >
        {props.options.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </label>
  )
}
