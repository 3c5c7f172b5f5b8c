import { createPrivate } from '@guildhall/wire/chat/chat.ts'
import { forwardMessage } from '@guildhall/wire/chat/forward.ts'
import type { MessageId } from '@guildhall/wire/id.ts'
import { createMessage } from '@guildhall/wire/message/message.ts'
import { readWords } from '@guildhall/wire/words.ts'
import { type FormEvent, useRef, useState } from 'react'
import { randomKey } from '../../kit/browser/randomKey.ts'
import { writeStored } from '../../kit/browser/storage.ts'
import { storedList } from '../../kit/browser/storedList.ts'
import { CallFailure, call } from '../../kit/call.ts'
import { useText } from '../../kit/i18n.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { toast } from '../../ui/overlay/Toast.tsx'
import styles from './ForwardSheet.module.css'
import type { Target } from './forwardTargets.ts'
import { forwardText } from './forwardText.ts'
import { TargetPicture } from './TargetPicture.tsx'

/** Up to so many messages are sent on at once; more with a pause, as the server takes them. */
const FORWARDED_AT_ONCE = 15
/** Between two of more, ms. */
const FORWARD_PAUSE_MS = 600
/** Characters of the word that goes with them. */
const WORDS_MAX = 500
/** Rooms and people that are remembered. */
const RECENT_MAX = 30

/**
 * Where the messages go, a word that is sent after them, and the sending. A second try sends the same to the
 * server. It ends at the first message that is refused after others, and says how many were not sent.
 */
export function ForwardStep(props: {
  messageIds: readonly MessageId[]
  chatCode?: string
  to: Target
  onBack: () => void
  onClose: () => void
}) {
  const { to } = props
  const t = useText(forwardText)
  const [all] = useState(() => props.messageIds.map((msg_id) => ({ msg_id, nonce: randomKey() })))
  const [nonce] = useState(randomKey)
  const [words, setWords] = useState('')
  const [wrong, setWrong] = useState<string>()
  const [isSending, setSending] = useState(false)
  const isBusy = useRef(false)
  const send = async () => {
    const target = to.kind === 'person' ? { to_user_id: to.id } : { to_channel_id: to.id }
    for (const [at, message] of all.entries()) {
      try {
        await call(forwardMessage, { ...message, chat_code: props.chatCode, ...target })
      } catch (error) {
        if (!(error instanceof CallFailure) || at === 0) throw error
        toast(t.notForwarded(all.length - at))
        return props.onClose()
      }
      if (all.length > FORWARDED_AT_ONCE) await new Promise((done) => setTimeout(done, FORWARD_PAUSE_MS))
    }
    const content = readWords(words)
    if (content !== '') await sendWords(to, content, nonce)
    remember(to.path)
    toast(t.done(to.kind === 'room' ? `#${to.name}` : to.name))
    props.onClose()
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy.current) return
    isBusy.current = true
    setSending(true)
    try {
      await send()
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error
      setWrong(error.message)
    } finally {
      isBusy.current = false
      setSending(false)
    }
  }
  return (
    <form className={styles.step} onSubmit={(event) => void submit(event)} noValidate>
      <div className={styles.to}>
        <TargetPicture of={to} />
        <span className={styles.name}>{to.name}</span>
        <Button kind="plain" onPress={props.onBack}>
          {t.other}
        </Button>
      </div>
      <Field
        label={t.words}
        name="words"
        autoComplete="off"
        value={words}
        maxLength={WORDS_MAX}
        error={wrong}
        onChange={(value) => {
          setWords(value)
          setWrong(undefined)
        }}
        autoFocus
      />
      <Button type="submit" block busy={isSending}>
        {t.send(all.length)}
      </Button>
    </form>
  )
}

async function sendWords(to: Target, content: string, nonce: string): Promise<void> {
  if (to.kind === 'person') await call(createPrivate, { target_id: to.id, content, type: 9, nonce })
  else await call(createMessage, { target_id: to.id, content, type: 9, nonce })
}

/** It is offered first the next time. */
function remember(path: string): void {
  const others = storedList('recent').filter((it) => it !== path)
  writeStored('recent', [path, ...others].slice(0, RECENT_MAX))
}
