import type { Emoji, Message } from '@guildhall/wire/message/message.ts'
import { useState } from 'react'
import { useMe } from '../../auth/auth.ts'
import { useText } from '../../kit/i18n.ts'
import { ChevronIcon } from '../../ui/icon/icon.tsx'
import styles from '../MessageRow.module.css'
import { nameOf, type RowActions, Welcome } from '../MessageRow.tsx'
import { mayReact, type Rights } from '../rights.ts'
import { joinedText } from './joinedText.ts'

/** 👋, as a reaction to the welcome. */
const WAVE: Emoji = { id: '[#128075;]', name: '👋' }
/** Names that a row says before how many there are. */
const NAMED = 2

interface JoinedProps {
  rights: Rights
  actions: RowActions
}

/** People who joined one after the other: one line that opens. One alone is welcomed and waved to. */
export default function Joined({ messages, ...props }: JoinedProps & { messages: readonly Message[] }) {
  const t = useText(joinedText)
  const [isOpen, setOpen] = useState(false)
  const lines = messages.map((message) => <Line key={message.id} {...props} message={message} />)
  if (messages.length === 1) return lines
  const names = messages.slice(0, NAMED).map(({ author }) => nameOf(author))
  return (
    <>
      <button
        type="button"
        className={`${styles.welcome} ${styles.fold}`}
        data-part="joined"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <span className={styles.names}>{t.joined(names, messages.length)}</span>
        <ChevronIcon size={16} />
      </button>
      {isOpen && lines}
    </>
  )
}

/** A welcome, and how many waved. One waves once, and not to oneself. */
function Line({ message, rights, actions }: JoinedProps & { message: Message }) {
  const t = useText(joinedText)
  const me = useMe()
  const wave = message.reactions.find(({ emoji }) => emoji.id === WAVE.id)
  const name = nameOf(message.author)
  const mayWave = message.author.id !== me.id && mayReact(message, WAVE.id, rights)
  return (
    <Welcome message={message}>
      {(mayWave || wave) && (
        <button
          type="button"
          className={styles.wave}
          data-part="wave"
          aria-pressed={wave?.me ?? false}
          aria-label={wave ? t.waved(name, wave.count) : t.wave(name)}
          // Whoever cannot wave sees who did.
          onClick={() => (mayWave ? actions.react(message, WAVE) : actions.showReactors(message, WAVE))}
        >
          <span className={styles.pill}>
            {WAVE.name}
            {wave && <span>{wave.count}</span>}
          </span>
        </button>
      )}
    </Welcome>
  )
}
