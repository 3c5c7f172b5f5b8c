import { formatText } from '../../../composer/format/formatText.ts'
import { useText } from '../../../kit/i18n.ts'
import { Sheet } from '../../../ui/overlay/Sheet.tsx'
import styles from './KeyList.module.css'
import { KEYS } from './keys.ts'
import { keysText } from './keysText.ts'

/** All keys of a desk. */
export default function KeyList({ onClose }: { onClose: () => void }) {
  const t = { ...useText(formatText), ...useText(keysText) }
  return (
    <Sheet title={t.title} onClose={onClose}>
      {/* In a low window keys scroll it. */}
      <dl className={styles.keys} tabIndex={0}>
        {KEYS.map(({ name, keys }) => (
          <div key={name} className={styles.row}>
            <dt>{t[name]}</dt>
            <dd>
              {keys.map((key) => (
                <kbd key={key} className={styles.key}>
                  {key}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Sheet>
  )
}
