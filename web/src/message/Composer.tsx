import { COMPOSER_MAX } from '@guildhall/wire/message/message.ts'
import type { WhyCannotSend } from '@guildhall/wire/permission/permission.ts'
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import { useText } from '../kit/i18n.ts'
import { SendIcon } from '../ui/icons.tsx'
import { Button } from '../ui/parts.tsx'
import { draftOf, keepDraft } from './message.ts'
import { text } from './text.ts'

/** From so many characters left on, the number is shown. */
const COUNT_FROM = 100
/** Five lines of 24 px and the space around them. */
const HEIGHT_MAX = 5 * 24 + 20

/** Where Enter sends: at a keyboard with a mouse. On a phone it begins a new line, and the button sends. */
const isDesk = () => matchMedia('(hover: hover) and (pointer: fine)').matches

/**
 * Where a message is written, or why it cannot be. Keeps what is typed per channel until it is sent. chat.md §2
 * "Bottom composer", §5 "Composer".
 */
export function Composer(props: {
  channelId: string
  channelName: string
  why: WhyCannotSend | null
  onSend: (words: string) => void
  onVerify: () => void
}) {
  const t = useText(text)
  if (props.why === 'unverified')
    return (
      <div className="composer composer-closed">
        <p className="composer-why">{t.unverified}</p>
        <Button kind="soft" onPress={props.onVerify}>
          {t.verify}
        </Button>
      </div>
    )
  if (props.why !== null)
    return (
      <div className="composer composer-closed">
        <textarea
          className="composer-input"
          rows={1}
          disabled
          placeholder={t.noPermission}
          aria-label={t.noPermission}
        />
      </div>
    )
  return <Writing key={props.channelId} {...props} />
}

function Writing(props: { channelId: string; channelName: string; onSend: (words: string) => void }) {
  const t = useText(text)
  const [words, setWords] = useState(() => draftOf(props.channelId))
  const box = useRef<HTMLTextAreaElement>(null)
  const left = COMPOSER_MAX - words.length
  const canSend = words.trim() !== '' && left >= 0

  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the words
  useLayoutEffect(() => {
    const here = box.current
    if (!here) return
    here.style.height = 'auto'
    here.style.height = `${Math.min(here.scrollHeight, HEIGHT_MAX)}px`
  }, [words])

  const type = (next: string) => {
    setWords(next)
    keepDraft(props.channelId, next)
  }
  const send = () => {
    if (!canSend) return
    props.onSend(words.trim())
    type('')
    box.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // While an input method composes, Enter picks a candidate. Safari says so only by the key code 229.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing || event.keyCode === 229)
      return
    if (!isDesk()) return
    event.preventDefault()
    send()
  }
  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <div className="composer-box">
        <textarea
          className="composer-input"
          ref={box}
          rows={1}
          value={words}
          placeholder={t.placeholder(props.channelName)}
          aria-label={t.placeholder(props.channelName)}
          aria-describedby={left <= COUNT_FROM ? 'composer-count' : undefined}
          aria-invalid={left < 0 || undefined}
          enterKeyHint={isDesk() ? 'send' : 'enter'}
          onChange={(event) => type(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        {left <= COUNT_FROM && (
          <p
            className="composer-count"
            id="composer-count"
            data-over={left < 0 || undefined}
            aria-live="polite"
          >
            {left < 0 ? t.over(-left) : t.left(left)}
          </p>
        )}
      </div>
      <button
        type="submit"
        className="composer-send"
        aria-label={t.send}
        disabled={!canSend}
        // The keyboard of a phone stays up while one message follows another.
        onPointerDown={(event) => event.preventDefault()}
      >
        <SendIcon size={22} />
      </button>
    </form>
  )
}
