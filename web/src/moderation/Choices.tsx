import fieldStyles from '../ui/form/Field.module.css'
import styles from './Moderation.module.css'

/** Some of many things, each with a check; nothing where there are none. What else is chosen stays. */
export function Choices<Id extends string | number>(props: {
  label: string
  all: readonly { readonly id: Id; readonly name: string }[]
  chosen: readonly Id[]
  onChange: (chosen: readonly Id[]) => void
}) {
  const { label, all, chosen, onChange } = props
  if (all.length === 0) return null
  return (
    <fieldset className={styles.roles}>
      <legend className={fieldStyles.label}>{label}</legend>
      {all.map(({ id, name }) => (
        <label key={id}>
          <input
            type="checkbox"
            checked={chosen.includes(id)}
            onChange={({ currentTarget }) =>
              onChange(currentTarget.checked ? [...chosen, id] : chosen.filter((it) => it !== id))
            }
          />
          {name}
        </label>
      ))}
    </fieldset>
  )
}
