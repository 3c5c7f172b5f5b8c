import styles from './Select.module.css'

/** One of several short values, chosen in the list of the system, with its label above it. */
export function Select<Value extends string | number>(props: {
  label: string
  options: readonly { readonly value: Value; readonly name: string }[]
  value: Value
  onChange: (value: Value) => void
}) {
  const { options } = props
  return (
    <label className={styles.select}>
      {props.label}
      <select
        value={`${props.value}`}
        onChange={({ currentTarget }) => {
          const chosen = options.find(({ value }) => String(value) === currentTarget.value)
          if (chosen) props.onChange(chosen.value)
        }}
      >
        {options.map(({ value, name }) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}
