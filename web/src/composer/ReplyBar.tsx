import type { Quote } from '@guildhall/wire/message/quote.ts'
import { useText } from '../kit/i18n.ts'
import type { MessageContext } from '../message/messageContext.ts'
import quotedStyles from '../message/Quoted.module.css'
import { authorNameOf, useQuoteLine } from '../message/Quoted.tsx'
import { text as messageText } from '../message/text.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { CloseIcon, ReplyIcon } from '../ui/icon/icons.tsx'
import styles from './ReplyBar.module.css'
import { text } from './text.ts'

/** Shows above the composer which message the draft replies to. */
export function ReplyBar({
  quote,
  context,
  onClose,
}: {
  quote: Quote
  context: MessageContext
  onClose: () => void
}) {
  const t = useText(text)
  const tMessage = useText(messageText)
  const line = useQuoteLine(quote, context.guild)
  return (
    <div className={styles.reply} data-part="reply" role="status">
      <ReplyIcon size={20} />
      <span className={styles.text}>
        <b className={quotedStyles.name}>{tMessage.replyTo(authorNameOf(quote))}</b>
        <span className={quotedStyles.line}>{line}</span>
      </span>
      <IconButton label={t.cancelReply} onPress={onClose}>
        <CloseIcon size={20} />
      </IconButton>
    </div>
  )
}
