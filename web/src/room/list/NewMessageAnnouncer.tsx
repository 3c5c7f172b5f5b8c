import type { Message } from '@guildhall/wire/message/message.ts'
import { useState } from 'react'
import { useText } from '../../kit/i18n.ts'
import { sheetText } from '../../message/menu/sheetText.ts'
import { text as messageText } from '../../message/text.ts'
import type { Room } from '../../roomStore/room.ts'

/**
 * Announces new messages of others to screen readers. The list is not a live region: scrolling would read it
 * out.
 */
export function NewMessageAnnouncer({ room }: { room: Room }) {
  const last = room.run.at(-1)
  const t = useText(sheetText)
  const tMessage = useText(messageText)
  const [startSeq] = useState(last?.seq ?? 0)
  const message = last && last.seq > startSeq && last.author.id !== room.me ? last : null
  const ephemeral = room.ephemeral.at(-1)
  const [startId] = useState(ephemeral?.message.id)
  const spoken = ({ author, kmarkdown }: Message) =>
    `${t.messageOf(author.nickname)} ${kmarkdown.raw_content}`
  return (
    <>
      <p className="unseen" aria-live="polite">
        {message && spoken(message)}
      </p>
      <p className="unseen" aria-live="polite">
        {ephemeral &&
          ephemeral.message.id !== startId &&
          ephemeral.to === room.me &&
          `${spoken(ephemeral.message)} ${tMessage.visibleToMe}`}
      </p>
    </>
  )
}
