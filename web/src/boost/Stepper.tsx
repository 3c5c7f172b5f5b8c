import { foldDashed } from '@guildhall/wire/words.ts'
import { useState } from 'react'
import { useText } from '../kit/i18n.ts'
import { PlusIcon } from '../ui/icon/channelIcons.tsx'
import { MinusIcon } from '../ui/icon/payIcons.tsx'
import styles from './Boost.module.css'
import { text } from './text.ts'

/** The number in `typed` within the bounds; null: it is no number. commerce.md §4 "Boost use". */
export function clamped(typed: string, least: number, most: number): number | null {
  const number = foldDashed(typed)
  return /^-?\d+$/.test(number) ? Math.min(Math.max(Number(number), least), most) : null
}

/** A whole number from `least` to `most`, by buttons or by typing; what is no number reverts. */
export function Stepper(props: {
  value: number
  least: number
  most: number
  onChange: (value: number) => void
}) {
  const t = useText(text)
  const { value, least, most, onChange } = props
  const [typed, setTyped] = useState<string | null>(null)
  const settle = () => {
    if (typed !== null) onChange(clamped(typed, least, most) ?? value)
    setTyped(null)
  }
  return (
    <div className={styles.stepper}>
      <button type="button" aria-label={t.less} disabled={value <= least} onClick={() => onChange(value - 1)}>
        <MinusIcon size={20} />
      </button>
      <input
        aria-label={t.count}
        inputMode="numeric"
        autoComplete="off"
        size={4}
        value={typed ?? String(value)}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={settle}
        onKeyDown={(event) => event.key === 'Enter' && settle()}
      />
      <button type="button" aria-label={t.more} disabled={value >= most} onClick={() => onChange(value + 1)}>
        <PlusIcon size={20} />
      </button>
    </div>
  )
}
