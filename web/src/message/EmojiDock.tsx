import { emojiToken } from '@guildhall/wire/emoji/emoji.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import { emojiCharacters } from '@guildhall/wire/message/emoji.ts'
import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { EmojiBoard } from '../emoji/emoji.tsx'
import { useText } from '../kit/i18n.ts'
import { icon } from '../ui/icons.tsx'
import { isDesk } from './desk.ts'
import { text } from './text.ts'
import { type Caret, type Typed, withInserted, withoutLast } from './typed.ts'

export const EmojiIcon = icon(
  <>
    <circle cx="12" cy="12" r="9" />
    <path d="M8.5 14.200a4.300 4.300 0 0 0 7 0M9 9.500v.1m6-.1v.1" />
  </>,
)
const KeyboardIcon = icon(
  <>
    <rect x="3" y="6" width="18" height="12" rx="2" />
    <path d="M7 10h.01M11 10h.01M15 10h.01M17.500 10h.01M8 14.500h8" />
  </>,
)

/** The emoji in place of the keyboard: the button that calls them, the panel, and what the box must tell of its focus. */
export interface EmojiDock {
  readonly isOpen: boolean
  readonly button: ReactNode
  readonly panel: ReactNode
  readonly onFocus: () => void
  readonly onBlur: () => void
}

/** What is picked goes in where the caret of `box` is, or was when the box was left; the panel stays open. */
export function useEmojiDock(it: {
  box: RefObject<HTMLTextAreaElement | null>
  words: string
  /** `caret`: where it stands behind what was put there. */
  type: (words: string, caret: number) => void
  guild: { readonly id: GuildId; readonly name: string }
}): EmojiDock {
  const { box, words } = it
  const t = useText(text)
  const [isOpen, setIsOpen] = useState(false)
  /** Where the caret was when the box was left; picking moves it on. */
  const left = useRef<Caret | null>(null)
  const toPlace = useRef<Caret | null>(null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: a box whose words are changed for it loses its caret
  useLayoutEffect(() => {
    const caret = toPlace.current
    toPlace.current = null
    if (caret) box.current?.setSelectionRange(...caret)
  }, [words])

  const isInBox = () => document.activeElement === box.current
  const caretNow = (): Caret => {
    const here = box.current
    if (here && isInBox()) return [here.selectionStart, here.selectionEnd]
    const [from, to] = left.current ?? [words.length, words.length]
    return [Math.min(from, words.length), Math.min(to, words.length)]
  }
  const change = (by: (typed: Typed) => Typed) => {
    const next = by({ words, caret: caretNow() })
    left.current = next.caret
    if (isInBox()) toPlace.current = next.caret
    it.type(next.words, next.caret[1])
  }
  const toBox = () => {
    const caret = caretNow()
    setIsOpen(false)
    box.current?.focus({ preventScroll: true })
    box.current?.setSelectionRange(...caret)
  }
  const open = () => {
    // On a phone the keyboard makes way.
    if (!isDesk()) box.current?.blur()
    setIsOpen(true)
  }
  return {
    isOpen,
    onFocus: () => {
      if (!isDesk()) setIsOpen(false)
    },
    onBlur: () => {
      const here = box.current
      if (here) left.current = [here.selectionStart, here.selectionEnd]
    },
    button: (
      <button
        type="button"
        className="composer-emoji"
        aria-label={isOpen ? t.keyboard : t.emoji}
        aria-expanded={isOpen}
        onPointerDown={(event) => event.preventDefault()}
        onClick={isOpen ? toBox : open}
      >
        {isOpen ? <KeyboardIcon size={24} /> : <EmojiIcon size={24} />}
      </button>
    ),
    panel: isOpen && (
      <section className="dock" aria-label={t.emoji}>
        <EmojiBoard
          guildId={it.guild.id}
          guildName={it.guild.name}
          onPick={(emoji) =>
            change((typed) => withInserted(typed, emojiCharacters(emoji.id) ?? emojiToken(emoji)))
          }
          onErase={() => change(withoutLast)}
          onClose={toBox}
        />
      </section>
    ),
  }
}
