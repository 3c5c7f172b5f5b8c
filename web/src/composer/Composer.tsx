import type { GuildId } from '@guildhall/wire/id.ts'
import { showsAnything } from '@guildhall/wire/kmarkdown/kmarkdown.ts'
import { COMPOSER_MAX } from '@guildhall/wire/message/limit.ts'
import type { WhyCannotSend } from '@guildhall/wire/permission/permission.ts'
import {
  type ReactNode,
  type Ref,
  type RefObject,
  type SyntheticEvent,
  use,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from 'react'
import { Link } from 'react-router'
import { timeLabel } from '../kit/format/time.ts'
import { useLocale, useText } from '../kit/i18n.ts'
import { lazy, Suspense } from '../kit/lazy/lazy.tsx'
import { loadPart } from '../kit/lazy/lazyPart.ts'
import { paths } from '../kit/paths.ts'
import { buttonClass } from '../ui/Button.tsx'
import { useAutoFocus } from '../ui/form/useAutoFocus.ts'
import { toast } from '../ui/overlay/Toast.tsx'
import { DeskContext } from '../ui/page/desk.ts'
import { AttachmentChips } from './attachment/AttachmentChips.tsx'
import type { PendingAttachment, UploadedAttachment } from './attachment/attachments.ts'
import { useAttachments } from './attachment/useAttachments.ts'
import styles from './Composer.module.css'
import { AttachButton, SendButton, UnfoldButton } from './ComposerButtons.tsx'
import { type Draft, type DraftWithCaret, mentionedIn, withPick } from './draft/draftModel.ts'
import { loadDraft, saveDraft } from './draft/draftStorage.ts'
import { useDraftContent } from './draft/useDraftContent.ts'
import { type DraftField, useDraftField } from './draft/useDraftField.ts'
import { type EmojiDock, useEmojiDock } from './EmojiDock.tsx'
import { inLine } from './inLine.ts'
import { isDesktop, isSendKey, useToolsDue } from './isDesktop.ts'
import type { MentionContext } from './mention/MentionPicker.tsx'
import { type Mention, useMention } from './mention/useMention.tsx'
import { text } from './text.ts'
import { useGrowingHeight } from './useGrowingHeight.ts'

const ComposerTools = lazy(() => loadPart(() => import('./ComposerTools.tsx')))
const RulesGate = lazy(() => loadPart(() => import('../onboarding/onboarding.tsx')))

export interface ComposerHandle {
  /** Adds a mention of a person at the end of the draft, and focuses the field. */
  readonly mention: (person: { readonly id: string; readonly name: string }) => void
}

/** The number of characters left is shown from this number on. */
const COUNT_FROM = 100

interface OpenComposerProps {
  channelId: string
  /** What the empty field says. */
  placeholder: string
  /** Null in private conversations. */
  guild: { readonly id: GuildId; readonly name: string } | null
  /** The size limit of an attachment, bytes; null: none may be sent. */
  maxBytes: number | null
  /** Who can be mentioned; null: nobody is offered. */
  context: MentionContext | null
  /** `names`: the mentioned people, by id. */
  onSend: (
    content: string,
    files: readonly UploadedAttachment[],
    names: Readonly<Record<string, string>>,
  ) => void
  handle?: Ref<ComposerHandle>
}

/**
 * The composer of a conversation, or why its user cannot send. Persists the draft per conversation. chat.md
 * §2 "Bottom composer", §5 "Composer".
 */
export function Composer(
  props: OpenComposerProps & {
    why: WhyCannotSend | null
    /** Of a muted reader: when it ends, ms; 0: it has no end. */
    mutedUntil?: number | null
  },
) {
  const { why, mutedUntil, ...rest } = props
  if (why === 'unverified') return <Unverified />
  if (why === 'rules' && rest.guild)
    return (
      <Suspense fallback={<div className={styles.closed} />}>
        <RulesGate guildId={rest.guild.id} />
      </Suspense>
    )
  if (why !== null) return <Closed isMuted={why === 'muted'} mutedUntil={mutedUntil} />
  return <OpenComposer key={props.channelId} {...rest} />
}

function Unverified() {
  const t = useText(text)
  return (
    <div className={`${styles.composer} ${styles.closed}`}>
      <p className={styles.reason}>{t.unverified}</p>
      <Link className={buttonClass('main')} to={paths.authenticate()}>
        {t.verify}
      </Link>
    </div>
  )
}

/** A field that says why nothing can be written. */
function Closed({ isMuted, mutedUntil }: { isMuted: boolean; mutedUntil: number | null | undefined }) {
  const t = useText(text)
  const locale = useLocale()
  const muted = mutedUntil ? t.mutedUntil(timeLabel(mutedUntil, Date.now(), locale)) : t.muted
  const reason = isMuted ? muted : t.noPermission
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

function OpenComposer(props: OpenComposerProps) {
  const { channelId, maxBytes, guild } = props
  /** The buttons that a phone folds while there is text were unfolded. */
  const [isUnfolded, setIsUnfolded] = useState(false)
  const { written, update } = useStoredDraft(channelId, () => setIsUnfolded(false))
  const box = useRef<HTMLTextAreaElement>(null)
  const content = useDraftContent(written, guild?.id ?? null)
  const left = COMPOSER_MAX - content.length
  const { attachments, items, add } = useAttachments(channelId, maxBytes)
  const isEmpty = useMemo(() => !showsAnything(content), [content])
  const canAttach = maxBytes !== null
  const areToolsDue = useToolsDue()
  useGrowingHeight(box, written.text)
  const field = useDraftField(box, written, update)
  const mention = useMention(box, written, props.context, field.apply)
  useMentionHandle(props.handle, box, written, field.apply)
  const dock = useEmojiDock({ box, written, apply: field.apply, guild })
  const { canSend, isDue, submit } = useSending(items, (!isEmpty || items.length > 0) && left >= 0, () => {
    props.onSend(isEmpty ? '' : content.trim(), attachments.take(), mentionedIn(written))
    update({ text: '', picks: [] })
    if (!dock.isOpen) box.current?.focus()
  })
  return (
    <>
      {items.length > 0 && <AttachmentChips items={items} attachments={attachments} />}
      {mention.list}
      <form
        className={styles.composer}
        data-part="composer"
        data-docked={dock.isOpen || undefined}
        data-folded={(written.text !== '' && !isUnfolded) || undefined}
        onSubmit={submit}
      >
        {canAttach && <AttachButton onFiles={add} />}
        {canAttach && <UnfoldButton onPress={() => setIsUnfolded(true)} />}
        <WritingField
          box={box}
          written={written}
          left={left}
          placeholder={props.placeholder}
          field={field}
          mention={mention}
          dock={dock}
          onSend={submit}
        >
          {areToolsDue && (
            <ComposerTools
              box={box}
              written={written}
              content={content}
              guild={props.context?.guild ?? null}
              apply={field.apply}
              add={canAttach ? add : null}
            />
          )}
        </WritingField>
        <SendButton isDue={isDue} disabled={!canSend || isDue} />
      </form>
      {dock.panel}
    </>
  )
}

/** The field with the button of the emoji panel, and how many characters are left once they are few. */
function WritingField(props: {
  box: RefObject<HTMLTextAreaElement | null>
  written: Draft
  left: number
  placeholder: string
  field: DraftField
  mention: Mention
  dock: EmojiDock
  onSend: (event: SyntheticEvent) => void
  children: ReactNode
}) {
  const { left, placeholder, field, mention, dock } = props
  // At a desk one arrives to write; the columns are reached by F6.
  useAutoFocus(props.box, use(DeskContext) !== null)
  return (
    <div className={styles.box}>
      <Suspense>{props.children}</Suspense>
      <textarea
        className={styles.input}
        data-part="composer-input"
        ref={props.box}
        rows={1}
        value={props.written.text}
        placeholder={placeholder}
        aria-label={placeholder}
        aria-describedby={left <= COUNT_FROM ? 'composer-count' : undefined}
        aria-invalid={left < 0 || undefined}
        enterKeyHint={isDesktop() ? 'send' : 'enter'}
        {...mention.field}
        onChange={(event) => mention.onTyped(field.onChange(event))}
        onKeyDown={(event) => {
          if (!mention.onKeyDown(event) && isSendKey(event)) props.onSend(event)
        }}
        onCopy={field.onCopy}
        onCut={field.onCopy}
        onPaste={field.onPaste}
        onFocus={dock.onFocus}
        onBlur={() => {
          mention.field.onBlur()
          dock.onBlur()
        }}
      />
      {dock.button}
      <CharacterCount left={left} />
    </div>
  )
}

/** The draft of a channel, stored at every change; says once that the browser does not store it. */
function useStoredDraft(channelId: string, onChange: () => void) {
  const t = useText(text)
  const [written, setWritten] = useState(() => loadDraft(channelId))
  const isRefused = useRef(false)
  const update = (next: Draft) => {
    onChange()
    setWritten(next)
    const isKept = saveDraft(channelId, next)
    if (!isKept && !isRefused.current) toast(t.draftNotKept)
    isRefused.current = !isKept
  }
  return { written, update }
}

/** Lets others add a mention at the end of the draft. */
function useMentionHandle(
  handle: Ref<ComposerHandle> | undefined,
  box: RefObject<HTMLTextAreaElement | null>,
  written: Draft,
  apply: (next: DraftWithCaret) => void,
): void {
  useImperativeHandle(handle, () => ({
    mention({ id, name }) {
      const { length } = written.text
      const space = length > 0 && !/\s$/.test(written.text) ? ' ' : ''
      const at = length + space.length
      const option = { label: `@${inLine(name)}`, token: `(met)${id}(met)`, name }
      apply(withPick({ ...written, text: written.text + space }, { start: at, end: at }, option))
      box.current?.focus()
    },
  }))
}

/**
 * Sends what is written, with its files when their uploads have ended; if one failed, everything stays.
 * `isComplete`: it can be sent but for the uploads. `isDue`: send was pressed during uploads.
 */
function useSending(items: readonly PendingAttachment[], isComplete: boolean, sendNow: () => void) {
  const [isDue, setIsDue] = useState(false)
  const isUploading = items.some((it) => it.state === 'waiting' || it.state === 'uploading')
  const hasFailed = items.some((it) => it.state === 'failed')
  const canSend = isComplete && !hasFailed
  const send = () => {
    if (!canSend) return
    setIsDue(isUploading)
    if (!isUploading) sendNow()
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the files triggers it
  useEffect(() => {
    if (!isDue || isUploading) return
    setIsDue(false)
    if (!hasFailed) send()
  }, [isDue, isUploading, hasFailed])
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    send()
  }
  return { canSend, isDue, submit }
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
