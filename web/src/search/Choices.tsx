import styles from './SearchScreen.module.css'

/** The chosen one stands within the row, wherever it is scrolled. */
const showWhole = (chosen: HTMLElement | null) =>
  chosen?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' })

/** Some of which one is chosen, in a row. */
export function Choices<T extends string>(props: {
  label: string
  all: readonly (readonly [value: T, label: string])[]
  chosen: T
  /** They stand below the field, each with a line below it. */
  isTabs?: boolean
  onChoose: (value: T) => void
}) {
  return (
    <fieldset className={props.isTabs ? styles.tabs : styles.choices} aria-label={props.label}>
      {props.all.map(([value, label]) => (
        <button
          key={value}
          type="button"
          className={props.isTabs ? styles.tab : styles.chip}
          aria-pressed={value === props.chosen}
          ref={value === props.chosen ? showWhole : undefined}
          onClick={() => props.onChoose(value)}
        >
          <span>{label}</span>
        </button>
      ))}
    </fieldset>
  )
}
