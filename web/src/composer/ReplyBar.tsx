import type { Quote } from '@guildhall/wire/message/quote.ts'
import { useMemo } from 'react'
import { useLocale, useText } from '../kit/i18n.ts'
import { namesIn } from '../kmarkdown/names.ts'
import type { MessageContext } from '../message/messageContext.ts'
import quotedStyles from '../message/Quoted.module.css'
import { authorNameOf, useQuoteLine } from '../message/Quoted.tsx'
import { text } from '../roomStore/text.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { CloseIcon, ReplyIcon } from '../ui/icons.tsx'
import styles from './ReplyBar.module.css'

/** Shows above the composer which message the draft replies to. */
export function ReplyBar({
  quote,
  place,
  onClose,
}: {
  quote: Quote
  place: MessageContext
  onClose: () => void
}) {
  const t = useText(text)
  const english = useLocale() === 'en'
  const names = useMemo(() => namesIn(null, place.guild, english), [place.guild, english])
  const line = useQuoteLine(quote, names)
  return (
    <div className={styles.reply} data-part="reply" role="status">
      <ReplyIcon size={20} />
      <span className={styles.text}>
        <b className={quotedStyles.name}>{t.replyTo(authorNameOf(quote))}</b>
        <span className={quotedStyles.line}>{line}</span>
      </span>
      <IconButton label={t.replyNot} onPress={onClose}>
        <CloseIcon size={20} />
      </IconButton>
    </div>
  )
}
