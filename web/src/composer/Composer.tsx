import type { GuildId } from '@guildhall/wire/id.ts'
import { showsAnything } from '@guildhall/wire/kmarkdown/kmarkdown.ts'
import { COMPOSER_MAX } from '@guildhall/wire/message/limit.ts'
import type { WhyCannotSend } from '@guildhall/wire/permission/permission.ts'
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type Ref,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { Link } from 'react-router'
import { useNamedEmoji } from '../emoji/emoji.tsx'
import { useLocale, useText } from '../kit/i18n.ts'
import { paths } from '../kit/paths.ts'
import { timeLabel } from '../kit/time.ts'
import { buttonClass } from '../ui/Button.tsx'
import { AttachIcon, NextIcon, SendIcon } from '../ui/icons.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { toast } from '../ui/Toast.tsx'
import { AttachmentChips } from './AttachmentChips.tsx'
import { ATTACHMENTS_MAX, attachmentsOf, type UploadedAttachment } from './attachments.ts'
import styles from './Composer.module.css'
import { type Draft, encodeDraft, mentionedIn, withPick } from './draftModel.ts'
import { loadDraft, saveDraft } from './draftStorage.ts'
import { useEmojiDock } from './EmojiDock.tsx'
import { inLine } from './inLine.ts'
import { isDesktop } from './isDesktop.ts'
import type { MentionContext } from './MentionPicker.tsx'
import { pastedFiles } from './pastedFiles.ts'
import { text } from './text.ts'
import { useDraftField } from './useDraftField.ts'
import { useFileDrop } from './useFileDrop.ts'
import { useMention } from './useMention.tsx'

export interface ComposerHandle {
  /** Adds a mention of a person at the end of the draft, and focuses the field. */
  readonly mention: (it: { readonly id: string; readonly name: string }) => void
}

/** The number of characters left is shown from this number on. */
const COUNT_FROM = 100
/** The maximum height of the field, px: five lines of 24 px and the padding. */
const HEIGHT_MAX = 5 * 24 + 20

/**
 * The composer of a conversation, or why its user cannot send. Persists the draft per conversation. chat.md
 * §2 "Bottom composer", §5 "Composer".
 */
export function Composer(props: {
  channelId: string
  /** What the empty field says. */
  placeholder: string
  /** Null in private conversations. */
  guild: { readonly id: GuildId; readonly name: string } | null
  why: WhyCannotSend | null
  /** Of a muted reader: when it ends, ms; 0: it has no end. */
  mutedUntil?: number | null
  /** The size limit of an attachment, bytes; null: none may be sent. */
  maxBytes: number | null
  /** Who can be mentioned; null: nobody is offered. */
  context: MentionContext | null
  /** `names`: the mentioned people, by id. */
  onSend: (
    words: string,
    files: readonly UploadedAttachment[],
    names: Readonly<Record<string, string>>,
  ) => void
  handle?: Ref<ComposerHandle>
}) {
  const t = useText(text)
  const locale = useLocale()
  const mutedWords = props.mutedUntil
    ? t.mutedUntil(timeLabel(props.mutedUntil, Date.now(), locale))
    : t.muted
  if (props.why === 'unverified')
    return (
      <div className={`${styles.composer} ${styles.closed}`}>
        <p className={styles.reason}>{t.unverified}</p>
        <Link className={buttonClass('main')} to={paths.authenticate()}>
          {t.verify}
        </Link>
      </div>
    )
  if (props.why !== null) {
    const reason = props.why === 'muted' ? mutedWords : t.noPermission
    return (
      <div className={`${styles.composer} ${styles.closed}`}>
        <textarea
          className={styles.input}
          data-part="composer-input"
          rows={1}
          disabled
          placeholder={reason}
          aria-label={reason}
        />
      </div>
    )
  }
  return <OpenComposer key={props.channelId} {...props} />
}

function OpenComposer(props: {
  channelId: string
  placeholder: string
  guild: { readonly id: GuildId; readonly name: string } | null
  maxBytes: number | null
  context: MentionContext | null
  onSend: (
    words: string,
    files: readonly UploadedAttachment[],
    names: Readonly<Record<string, string>>,
  ) => void
  handle?: Ref<ComposerHandle>
}) {
  const t = useText(text)
  const [written, setWritten] = useState(() => loadDraft(props.channelId))
  const { words } = written
  const box = useRef<HTMLTextAreaElement>(null)
  const named = useNamedEmoji(props.guild?.id ?? null, words)
  const content = useMemo(() => encodeDraft(written, named), [written, named])
  const left = COMPOSER_MAX - content.length
  const { maxBytes, onSend } = props
  const { attachments, items, add } = useAttachments(props.channelId, maxBytes)
  /** The buttons that a phone folds while there is text were unfolded. */
  const [isUnfolded, setIsUnfolded] = useState(false)
  /** Send was pressed during uploads: the message is sent when they end. */
  const [isDue, setIsDue] = useState(false)
  const isUploading = items.some((it) => it.state === 'waiting' || it.state === 'uploading')
  const hasFailed = items.some((it) => it.state === 'failed')
  const isEmpty = useMemo(() => !showsAnything(content), [content])
  const canSend = (!isEmpty || items.length > 0) && left >= 0 && !hasFailed
  const canAttach = maxBytes !== null

  const isDropping = useFileDrop(canAttach, add)
  useGrowingHeight(box, words)
  /** The browser did not store the draft, and that was said. */
  const isRefused = useRef(false)
  const update = (next: Draft) => {
    setIsUnfolded(false)
    setWritten(next)
    const isKept = saveDraft(props.channelId, next)
    if (!isKept && !isRefused.current) toast(t.draftNotKept)
    isRefused.current = !isKept
  }
  const field = useDraftField(box, written, update)
  const mention = useMention(box, written, props.context, field.apply)
  useImperativeHandle(props.handle, () => ({
    mention({ id, name }) {
      const { length } = words
      const space = length > 0 && !/\s$/.test(words) ? ' ' : ''
      const roomy = { ...written, words: words + space }
      const at = length + space.length
      const option = { label: `@${inLine(name)}`, token: `(met)${id}(met)`, name }
      field.apply(withPick(roomy, { start: at, end: at }, option))
      box.current?.focus()
    },
  }))
  const dock = useEmojiDock({ box, written, apply: field.apply, guild: props.guild })
  const send = () => {
    if (!canSend) return
    setIsDue(isUploading)
    if (isUploading) return
    onSend(isEmpty ? '' : content.trim(), attachments.take(), mentionedIn(written))
    update({ words: '', picks: [] })
    if (!dock.isOpen) box.current?.focus()
  }
  // Sends when the uploads have ended; if one failed, everything stays in place.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the files triggers it
  useEffect(() => {
    if (!isDue || isUploading) return
    setIsDue(false)
    if (!hasFailed) send()
  }, [isDue, isUploading, hasFailed])
  const onKeyDown = (event: KeyboardEvent) => {
    if (mention.onKeyDown(event)) return
    // While an input method composes, Enter picks a candidate. Safari signals that only by key code 229.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing || event.keyCode === 229)
      return
    if (!isDesktop()) return
    event.preventDefault()
    send()
  }
  return (
    <>
      {isDropping && (
        <div className={styles.dropTarget} role="status">
          {t.dropHere}
        </div>
      )}
      {items.length > 0 && <AttachmentChips items={items} attachments={attachments} />}
      {mention.list}
      <form
        className={styles.composer}
        data-part="composer"
        data-docked={dock.isOpen || undefined}
        data-folded={(words !== '' && !isUnfolded) || undefined}
        onSubmit={(event) => {
          event.preventDefault()
          send()
        }}
      >
        {canAttach && <AttachButton onFiles={add} />}
        {canAttach && (
          <button
            type="button"
            className={styles.unfold}
            data-part="unfold"
            aria-label={t.moreTools}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => setIsUnfolded(true)}
          >
            <NextIcon size={20} />
          </button>
        )}
        <div className={styles.box}>
          <textarea
            className={styles.input}
            data-part="composer-input"
            ref={box}
            rows={1}
            value={words}
            placeholder={props.placeholder}
            aria-label={props.placeholder}
            aria-describedby={left <= COUNT_FROM ? 'composer-count' : undefined}
            aria-invalid={left < 0 || undefined}
            enterKeyHint={isDesktop() ? 'send' : 'enter'}
            {...mention.field}
            onChange={(event) => mention.onTyped(field.onChange(event))}
            onKeyDown={onKeyDown}
            onCopy={field.onCopy}
            onCut={field.onCopy}
            onPaste={(event) => {
              if (!pasteFiles(event, add)) field.onPaste(event)
            }}
            onFocus={dock.onFocus}
            onBlur={() => {
              mention.field.onBlur()
              dock.onBlur()
            }}
          />
          {dock.button}
          <CharacterCount left={left} />
        </div>
        <SendButton isDue={isDue} disabled={!canSend || isDue} />
      </form>
      {dock.panel}
    </>
  )
}

/** The attachments of a channel's draft; `add` reports those over the limits. */
function useAttachments(channelId: string, maxBytes: number | null) {
  const t = useText(text)
  const attachments = attachmentsOf(channelId)
  const items = useSyncExternalStore(attachments.subscribe, attachments.snapshot)
  const add = (files: readonly File[]) => {
    if (maxBytes === null || files.length === 0) return
    const mb = Math.floor(maxBytes / 1024 / 1024)
    const unplaced = attachments.add(files, ({ size }) => (size > maxBytes ? t.fileTooLarge(mb) : null))
    if (unplaced > 0) toast(t.tooManyFiles(ATTACHMENTS_MAX))
  }
  return { attachments, items, add }
}

/** Attaches the files of a paste; false: it has none. */
function pasteFiles(
  event: ClipboardEvent<HTMLTextAreaElement>,
  add: (files: readonly File[]) => void,
): boolean {
  const files = pastedFiles(event.clipboardData)
  if (files.length === 0) return false
  event.preventDefault()
  add(files)
  return true
}

/** Opens the file picker. */
function AttachButton({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
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

/** How many characters are left, once they are few. */
function CharacterCount({ left }: { left: number }) {
  const t = useText(text)
  if (left > COUNT_FROM) return null
  return (
    <p className={styles.count} id="composer-count" data-over={left < 0 || undefined} aria-live="polite">
      {left < 0 ? t.charactersOver(-left) : t.charactersLeft(left)}
    </p>
  )
}

/** Makes the field as high as its text, up to `HEIGHT_MAX`. */
function useGrowingHeight(box: RefObject<HTMLTextAreaElement | null>, words: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text
  useLayoutEffect(() => {
    const here = box.current
    if (!here) return
    const around = here.parentElement
    // The parent keeps its height meanwhile: a list that grew for a moment would lose its place at the end.
    if (around) around.style.minHeight = `${around.offsetHeight}px`
    here.style.height = 'auto'
    here.style.height = `${Math.min(here.scrollHeight, HEIGHT_MAX)}px`
    if (around) around.style.minHeight = ''
  }, [words])
}

function SendButton({ isDue, disabled }: { isDue: boolean; disabled: boolean }) {
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
