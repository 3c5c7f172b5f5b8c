import { emojiId } from '@guildhall/wire/message/emoji.ts'
import type { Emoji } from '@guildhall/wire/message/message.ts'
import { type CSSProperties, type KeyboardEvent, useEffect, useRef } from 'react'
import { useText } from '../kit/i18n.ts'
import type { Cell } from './cell.ts'
import emojiCellStyles from './EmojiCell.module.css'
import styles from './EmojiTones.module.css'
import { text } from './text.ts'
import { TONES, toned } from './tone.ts'

/** Picker for the skin tone of one emoji. */
export function EmojiTones(props: { of: Cell; style: CSSProperties; onPick: (emoji: Emoji) => void }) {
  const { of, onPick } = props
  const t = useText(text)
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    box.current?.querySelector('button')?.focus({ preventScroll: true })
  }, [])
  const names = [t.tone1, t.tone2, t.tone3, t.tone4, t.tone5]
  const all = [
    { name: of.name, label: t.tone0 },
    ...TONES.map((tone, i) => ({ name: toned(of.name, tone), label: names[i] })),
  ]
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    event.stopPropagation()
    const buttons = [...(box.current?.querySelectorAll('button') ?? [])]
    const here = buttons.indexOf(document.activeElement as HTMLButtonElement)
    buttons[(here + step + buttons.length) % buttons.length]?.focus({ preventScroll: true })
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset belongs to a form
    <div
      className={styles.tones}
      role="group"
      aria-label={`${of.label} ${t.tones}`}
      ref={box}
      style={props.style}
      onKeyDown={onKeyDown}
    >
      {all.map(({ name, label }) => (
        <button
          key={name}
          type="button"
          className={emojiCellStyles.cell}
          aria-label={`${of.label} ${label}`}
          onClick={() => onPick({ id: emojiId(name), name })}
        >
          {name}
        </button>
      ))}
    </div>
  )
}
