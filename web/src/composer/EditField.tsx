import type { Guild } from '@guildhall/wire/channel/channel.ts'
import { mentionText, showsAnything } from '@guildhall/wire/kmarkdown/kmarkdown.ts'
import type { Locale } from '@guildhall/wire/locale.ts'
import { COMPOSER_MAX } from '@guildhall/wire/message/limit.ts'
import type { Message } from '@guildhall/wire/message/message.ts'
import { type RefObject, type SyntheticEvent, useLayoutEffect, useRef, useState } from 'react'
import { useLocale, useText } from '../kit/i18n.ts'
import { text as commonText } from '../kit/text.ts'
import { namesIn } from '../kmarkdown/names.ts'
import type { Rights } from '../message/rights.ts'
import { toastFailure } from '../message/toastFailure.ts'
import type { RoomController } from '../roomStore/roomController.ts'
import { Button } from '../ui/Button.tsx'
import { useLayer } from '../ui/overlay/layers.ts'
import composerStyles from './Composer.module.css'
import { decodeDraft } from './draft/decodeDraft.ts'
import { type Draft, mentionedIn } from './draft/draftModel.ts'
import { useDraftContent } from './draft/useDraftContent.ts'
import { useDraftField } from './draft/useDraftField.ts'
import styles from './EditField.module.css'
import FormatBar from './format/FormatBar.tsx'
import { isSendKey } from './isDesktop.ts'
import { laterText } from './laterText.ts'
import { useMention } from './mention/useMention.tsx'
import { text } from './text.ts'
import { useGrowingHeight } from './useGrowingHeight.ts'

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

/** What was written of edits that are open, by message: the list draws only the rows on screen. */
const open = new Map<string, Draft>()

/** In place of what one of the reader's own messages says: the field that edits it. */
export default function EditField(props: {
  message: Message
  rights: Rights
  guild: Guild | null
  actions: RoomController
  onClose: () => void
}) {
  const t = useText(text)
  const tLater = useText(laterText)
  const tCommon = useText(commonText)
  const locale = useLocale()
  const { message, guild, rights } = props
  const [written, setWritten] = useState(() => open.get(message.id) ?? writtenOf(message, guild, locale))
  open.set(message.id, written)
  const box = useRef<HTMLTextAreaElement>(null)
  const context = guild && { guild, channelId: message.channel_id, permissions: rights.permissions }
  const field = useDraftField(box, written, setWritten)
  const mention = useMention(box, written, context, field.apply)
  const content = useDraftContent(written, message.guild_id || null).trim()
  const left = COMPOSER_MAX - content.length
  const close = () => {
    open.delete(message.id)
    props.onClose()
  }
  useLayer(true, close)
  useGrowingHeight(box, written.text)
  useFocusAtEnd(box)
  const canSave = showsAnything(content) && left >= 0
  const save = (event: SyntheticEvent) => {
    event.preventDefault()
    if (!canSave) return
    close()
    if (content === message.content) return
    const edit = { kind: 'edit', content, names: mentionedIn(written) } as const
    void props.actions.act(message.id, edit).then(toastFailure)
  }
  return (
    <form className={styles.edit} aria-label={tLater.editTitle} onSubmit={save}>
      {mention.list}
      <div className={styles.box}>
        <FormatBar box={box} written={written} content={content} guild={guild} apply={field.apply} />
        <textarea
          ref={box}
          className={styles.input}
          data-part="edit-input"
          rows={1}
          value={written.text}
          aria-label={tLater.editTitle}
          aria-invalid={left < 0 || undefined}
          {...mention.field}
          // In the capture phase: Escape closes the picker here and not the field.
          onKeyDownCapture={(event) => mention.onKeyDown(event) && event.stopPropagation()}
          onKeyDown={(event) => isSendKey(event) && save(event)}
          onChange={(event) => mention.onTyped(field.onChange(event))}
          onCopy={field.onCopy}
          onCut={field.onCopy}
          onPaste={field.onPaste}
        />
      </div>
      {left < 0 && (
        <p className={composerStyles.count} data-over aria-live="polite">
          {t.charactersOver(-left)}
        </p>
      )}
      <div className={styles.acts}>
        <Button kind="quiet" onPress={close}>
          {tCommon.cancel}
        </Button>
        <Button type="submit" disabled={!canSave}>
          {tLater.save}
        </Button>
      </div>
    </form>
  )
}

/** Writing begins at the end of what is there, and the field stays above a phone's keyboard. */
function useFocusAtEnd(box: RefObject<HTMLTextAreaElement | null>): void {
  useLayoutEffect(() => {
    const field = box.current
    if (!field) return
    const before = document.activeElement
    field.focus({ preventScroll: true })
    field.setSelectionRange(field.value.length, field.value.length)
    const show = () => field.form?.scrollIntoView({ block: 'nearest' })
    show()
    const seen = window.visualViewport
    seen?.addEventListener('resize', show)
    return () => {
      seen?.removeEventListener('resize', show)
      // The focus goes back to where it was, unless it went elsewhere.
      const { activeElement, body } = document
      if ((activeElement === field || activeElement === body) && before instanceof HTMLElement)
        before.focus({ preventScroll: true })
    }
  }, [box])
}
