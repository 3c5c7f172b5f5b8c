import styles from './LoginScreen.module.css'

/** Chooses one of some ways. `id` names the panel; each tab is `id` and its name, `login-code`. */
export function Tabs<Name extends string>(props: {
  id: string
  label: string
  tabs: readonly (readonly [name: Name, shown: string])[]
  chosen: Name
  onChange: (name: Name) => void
}) {
  const { id } = props
  return (
    <div className={styles.ways} role="tablist" aria-label={props.label}>
      {props.tabs.map(([name, shown]) => (
        <button
          key={name}
          type="button"
          role="tab"
          id={`${id}-${name}`}
          aria-controls={`${id}-form`}
          aria-selected={props.chosen === name}
          className={styles.way}
          onClick={() => props.onChange(name)}
        >
          {shown}
        </button>
      ))}
    </div>
  )
}
