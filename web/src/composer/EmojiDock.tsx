import type { GuildId } from '@guildhall/wire/id.ts'
import { type ReactNode, type RefObject, useRef, useState } from 'react'
import { EmojiBoard } from '../emoji/emoji.tsx'
import { useText } from '../kit/i18n.ts'
import { EmojiIcon } from '../message/EmojiIcon.tsx'
import { icon } from '../ui/icon/icons.tsx'
import { useLayer } from '../ui/overlay/layers.ts'
import type { Draft, DraftWithCaret } from './draft/draftModel.ts'
import styles from './EmojiDock.module.css'
import { backspace, type Caret, insertEmoji } from './editing.ts'
import { isDesktop } from './isDesktop.ts'
import { text } from './text.ts'

const KeyboardIcon = icon(
  <>
    <rect x="3" y="6" width="18" height="12" rx="2" />
    <path d="M7 10h.01M11 10h.01M15 10h.01M17.500 10h.01M8 14.500h8" />
  </>,
)

/** The emoji panel in place of the keyboard: its button, the panel, and focus handlers for the field. */
export interface EmojiDock {
  readonly isOpen: boolean
  readonly button: ReactNode
  readonly panel: ReactNode
  readonly onFocus: () => void
  readonly onBlur: () => void
}

/** Inserts emoji at the caret of `box`, or where it was when the field lost focus; the panel stays open. */
export function useEmojiDock(input: {
  box: RefObject<HTMLTextAreaElement | null>
  written: Draft
  /** Replaces the draft. */
  apply: (next: DraftWithCaret) => void
  guild: { readonly id: GuildId; readonly name: string } | null
}): EmojiDock {
  const { box, written, guild } = input
  const t = useText(text)
  const [isOpen, setIsOpen] = useState(false)
  useLayer(isOpen, () => setIsOpen(false))
  const { left, caretNow, onBlur } = useLastCaret(box, written)
  const change = (next: DraftWithCaret) => {
    left.current = [next.caret, next.caret]
    input.apply(next)
  }
  const toBox = () => {
    const caret = caretNow()
    setIsOpen(false)
    box.current?.focus({ preventScroll: true })
    box.current?.setSelectionRange(...caret)
  }
  const open = () => {
    // On a phone the panel replaces the keyboard.
    if (!isDesktop()) box.current?.blur()
    setIsOpen(true)
  }
  return {
    isOpen,
    onFocus: () => {
      if (!isDesktop()) setIsOpen(false)
    },
    onBlur,
    button: <DockButton isOpen={isOpen} onPress={isOpen ? toBox : open} />,
    panel: isOpen && (
      <section className={styles.dock} data-part="emoji-dock" aria-label={t.emoji}>
        <EmojiBoard
          guildId={guild?.id ?? null}
          guildName={guild?.name ?? ''}
          onPick={(emoji) => change(insertEmoji(written, caretNow(), emoji))}
          onErase={() => change(backspace(written, caretNow()))}
          onClose={toBox}
        />
      </section>
    ),
  }
}

/** The caret of the field, or where it was when the field lost focus (`left`); inserting moves it. */
function useLastCaret(box: RefObject<HTMLTextAreaElement | null>, written: Draft) {
  const left = useRef<Caret | null>(null)
  const caretNow = (): Caret => {
    const here = box.current
    if (here && document.activeElement === here) return [here.selectionStart, here.selectionEnd]
    const { length } = written.text
    const [from, to] = left.current ?? [length, length]
    return [Math.min(from, length), Math.min(to, length)]
  }
  const onBlur = () => {
    const here = box.current
    if (here) left.current = [here.selectionStart, here.selectionEnd]
  }
  return { left, caretNow, onBlur }
}

/** Opens the panel, or leads back to the keyboard. */
function DockButton({ isOpen, onPress }: { isOpen: boolean; onPress: () => void }) {
  const t = useText(text)
  return (
    <button
      type="button"
      className={styles.button}
      data-part="emoji-button"
      aria-label={isOpen ? t.keyboard : t.emoji}
      aria-expanded={isOpen}
      onPointerDown={(event) => event.preventDefault()}
      onClick={onPress}
    >
      {isOpen ? <KeyboardIcon size={24} /> : <EmojiIcon size={24} />}
    </button>
  )
}
