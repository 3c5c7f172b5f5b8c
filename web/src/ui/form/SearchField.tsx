import { Field } from './Field.tsx'
import type { Search } from './useSearch.ts'

/** The field of a search. `hint`: what can be typed. */
export function SearchField(props: { label: string; hint?: string; of: Search }) {
  const { label, hint, of } = props
  return (
    <Field
      label={label}
      name="search"
      type="search"
      autoComplete="off"
      {...(hint !== undefined && { placeholder: hint })}
      value={of.typed}
      onChange={of.setTyped}
    />
  )
}
