import { useRef } from 'react'
import { useText } from '../kit/i18n.ts'
import { AttachIcon, NextIcon, SendIcon } from '../ui/icon/icons.tsx'
import { Spinner } from '../ui/state/Spinner.tsx'
import styles from './Composer.module.css'
import { text } from './text.ts'

/** Opens the file picker. */
export function AttachButton({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const t = useText(text)
  const picker = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        data-attach
        onChange={(event) => {
          onFiles([...(event.currentTarget.files ?? [])])
          // Allows the same file to be picked again.
          event.currentTarget.value = ''
        }}
      />
      <button
        type="button"
        className={styles.attach}
        aria-label={t.attach}
        onClick={() => picker.current?.click()}
      >
        <AttachIcon size={24} />
      </button>
    </>
  )
}

/** Shows the buttons that a phone folds while there is text. */
export function UnfoldButton({ onPress }: { onPress: () => void }) {
  const t = useText(text)
  return (
    <button
      type="button"
      className={styles.unfold}
      data-part="unfold"
      aria-label={t.moreTools}
      onPointerDown={(event) => event.preventDefault()}
      onClick={onPress}
    >
      <NextIcon size={20} />
    </button>
  )
}

/** `isDue`: it was pressed, and the message is sent when the uploads have ended. */
export function SendButton({ isDue, disabled }: { isDue: boolean; disabled: boolean }) {
  const t = useText(text)
  return (
    <button
      type="submit"
      className={styles.send}
      data-part="send"
      aria-label={t.send}
      disabled={disabled}
      // Keeps the focus, and so the phone's keyboard, between messages.
      onPointerDown={(event) => event.preventDefault()}
    >
      {isDue ? <Spinner size={18} /> : <SendIcon size={22} />}
    </button>
  )
}
