import { useText } from '../kit/i18n.ts'
import { KINDS, type Kind } from './address.ts'
import styles from './SearchScreen.module.css'
import { kindText, text } from './text.ts'

/** The chosen one stands within the row, wherever it is scrolled. */
const showWhole = (chosen: HTMLElement | null) =>
  chosen?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' })

/** What is searched for: messages, pictures, people and so on. */
export function Kinds({ chosen, onChoose }: { chosen: Kind; onChoose: (kind: Kind) => void }) {
  const t = useText(text)
  const tKind = useText(kindText)
  return (
    <fieldset className={styles.tabs} aria-label={t.kinds}>
      {KINDS.map((it) => (
        <button
          key={it}
          type="button"
          className={styles.tab}
          aria-pressed={it === chosen}
          ref={it === chosen ? showWhole : undefined}
          onClick={() => onChoose(it)}
        >
          {tKind[it]}
        </button>
      ))}
    </fieldset>
  )
}
