import type { Guild } from '@guildhall/wire/channel/channel.ts'
import { mentionText, showsAnything } from '@guildhall/wire/kmarkdown/kmarkdown.ts'
import type { Locale } from '@guildhall/wire/locale.ts'
import { COMPOSER_MAX } from '@guildhall/wire/message/limit.ts'
import type { Message } from '@guildhall/wire/message/message.ts'
import { type FormEvent, useRef, useState } from 'react'
import { useLocale, useText } from '../kit/i18n.ts'
import { namesIn } from '../kmarkdown/names.ts'
import type { Rights } from '../message/rights.ts'
import { toastFailure } from '../message/toastFailure.ts'
import type { RoomController } from '../roomStore/roomController.ts'
import { Button } from '../ui/Button.tsx'
import { Sheet } from '../ui/overlay/Sheet.tsx'
import composerStyles from './Composer.module.css'
import { decodeDraft } from './draft/decodeDraft.ts'
import { type Draft, mentionedIn } from './draft/draftModel.ts'
import { useDraftContent } from './draft/useDraftContent.ts'
import { useDraftField } from './draft/useDraftField.ts'
import styles from './EditSheet.module.css'
import { laterText } from './laterText.ts'
import { useMention } from './mention/useMention.tsx'
import { text } from './text.ts'

/** The message's content as a draft: tokens are shown as the names they refer to. */
function writtenOf(message: Message, guild: Guild | null, locale: Locale): Draft {
  const names = namesIn(message.kmarkdown, guild, locale)
  const isKnown = (tag: 'met' | 'rol' | 'chn', value: string) => {
    if (tag === 'rol') return names.role(Number(value)) !== null
    if (tag === 'chn') return names.channel(value) !== null
    return value === 'all' || value === 'here' || names.user(value) !== null
  }
  return decodeDraft(message.content, (node) => {
    if (node.tagName === 'emj') return `:${names.emojiName?.(node.id) ?? node.name}:`
    return isKnown(node.tagName, node.value) ? mentionText(node.tagName, node.value, names) : null
  })
}

/** Sheet that edits one of the reader's own messages. */
export function EditSheet(props: {
  message: Message
  rights: Rights
  guild: Guild | null
  actions: RoomController
  onClose: () => void
}) {
  const t = useText(text)
  const tLater = useText(laterText)
  const locale = useLocale()
  const { message, guild, rights } = props
  const [written, setWritten] = useState(() => writtenOf(message, guild, locale))
  const box = useRef<HTMLTextAreaElement>(null)
  const context = guild && { guild, channelId: message.channel_id, permissions: rights.permissions }
  const field = useDraftField(box, written, setWritten)
  const mention = useMention(box, written, context, field.apply)
  const content = useDraftContent(written, message.guild_id || null).trim()
  const left = COMPOSER_MAX - content.length
  const save = (event: FormEvent) => {
    event.preventDefault()
    props.onClose()
    if (content === message.content) return
    const edit = { kind: 'edit', content, names: mentionedIn(written) } as const
    void props.actions.act(message.id, edit).then(toastFailure)
  }
  return (
    <Sheet title={tLater.editTitle} onClose={props.onClose}>
      <form className={styles.edit} onSubmit={save}>
        {mention.list}
        <textarea
          data-first
          ref={box}
          className={styles.input}
          data-part="edit-input"
          rows={5}
          value={written.text}
          aria-label={t.input}
          aria-invalid={left < 0 || undefined}
          {...mention.field}
          // In the capture phase: Escape closes the picker here and not the sheet.
          onKeyDownCapture={(event) => mention.onKeyDown(event) && event.stopPropagation()}
          onChange={(event) => mention.onTyped(field.onChange(event))}
          onCopy={field.onCopy}
          onCut={field.onCopy}
          onPaste={field.onPaste}
        />
        {left < 0 && (
          <p className={composerStyles.count} data-over aria-live="polite">
            {t.charactersOver(-left)}
          </p>
        )}
        <Button type="submit" disabled={!showsAnything(content) || left < 0}>
          {tLater.save}
        </Button>
      </form>
    </Sheet>
  )
}
