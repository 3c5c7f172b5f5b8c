import type { Guild } from '@guildhall/wire/channel/channel.ts'
import { type KmNode, parse } from '@guildhall/wire/kmarkdown/kmarkdown.ts'
import {
  type KeyboardEvent,
  type RefObject,
  useDeferredValue,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useMe } from '../../auth/auth.ts'
import { isCommand, isMac } from '../../kit/browser/command.ts'
import { readStored, writeStored } from '../../kit/browser/storage.ts'
import { useLocale, useText } from '../../kit/i18n.ts'
import { KMarkdown } from '../../kmarkdown/KMarkdown.tsx'
import { MentionTargetsContext } from '../../kmarkdown/mentionTargets.ts'
import { namesIn } from '../../kmarkdown/names.ts'
import { type Draft, type DraftWithCaret, mentionedIn } from '../draft/draftModel.ts'
import styles from './FormatBar.module.css'
import { EyeIcon, MARK_ICONS } from './formatIcons.tsx'
import { formatText } from './formatText.ts'
import { MARK_KEYS, MARKS, type Mark, marked } from './marks.ts'

interface Formatted {
  box: RefObject<HTMLTextAreaElement | null>
  written: Draft
  /** What it is sent as. */
  content: string
  guild: Guild | null
  /** Replaces the draft. */
  apply: (next: DraftWithCaret) => void
}

/**
 * The formats of a field, inside of its box: their keys, the button that unfolds their bar, and under the bar
 * what the text looks like when that is not how it is written. What is open is remembered by the device.
 */
export default function FormatBar(props: Formatted) {
  const { written, apply } = props
  const t = useText(formatText)
  const [shown, setShown] = useState(() => readStored('formats') ?? {})
  const change = (to: typeof shown) => {
    setShown({ ...shown, ...to })
    writeStored('formats', { ...shown, ...to })
  }
  const isOpen = shown.open === true
  const isPreviewed = shown.preview !== false
  const put = (mark: Mark) => {
    const box = props.box.current
    if (!box) return
    box.focus({ preventScroll: true })
    apply(marked(written, [box.selectionStart, box.selectionEnd], mark))
  }
  useMarkKeys(props.box, put)
  return (
    <>
      {isOpen && (
        <Bar isPreviewed={isPreviewed} onMark={put} onPreview={() => change({ preview: !isPreviewed })} />
      )}
      {isOpen && isPreviewed && <Preview {...props} />}
      <button
        type="button"
        className={styles.toggle}
        data-part="formats"
        aria-label={t.formats}
        title={t.formats}
        aria-expanded={isOpen}
        onPointerDown={(event) => event.preventDefault()}
        onClick={() => change({ open: !isOpen })}
      >
        <span aria-hidden="true">Aa</span>
      </button>
    </>
  )
}

/** The buttons of the formats: one stop of Tab, and the arrow keys between them. */
function Bar(props: { isPreviewed: boolean; onMark: (mark: Mark) => void; onPreview: () => void }) {
  const t = useText(formatText)
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    const buttons = [...event.currentTarget.querySelectorAll('button')]
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement)
    if (step === 0 || at === -1) return
    event.preventDefault()
    buttons[(at + step + buttons.length) % buttons.length]?.focus()
  }
  return (
    <div
      className={styles.bar}
      role="toolbar"
      aria-label={t.formats}
      onKeyDown={onKeyDown}
      // Keeps the focus in the field, and so the phone's keyboard.
      onPointerDown={(event) => event.preventDefault()}
      onMouseDown={(event) => event.preventDefault()}
    >
      {MARKS.map((mark, index) => {
        const Icon = MARK_ICONS[mark]
        return (
          <button
            key={mark}
            type="button"
            className={styles.button}
            tabIndex={index === 0 ? 0 : -1}
            aria-label={t[mark]}
            title={`${t[mark]} (${keyName(mark)})`}
            onClick={() => props.onMark(mark)}
          >
            <Icon size={18} />
          </button>
        )
      })}
      <button
        type="button"
        className={`${styles.button} ${styles.eye}`}
        tabIndex={-1}
        aria-label={t.preview}
        title={t.preview}
        aria-pressed={props.isPreviewed}
        onClick={props.onPreview}
      >
        <EyeIcon size={18} />
      </button>
    </div>
  )
}

function keyName(wanted: Mark): string {
  const found = MARK_KEYS.find(({ mark }) => mark === wanted)
  const keys = [isMac ? '⌘' : 'Ctrl', ...(found?.withShift ? ['Shift'] : []), found?.key.toUpperCase()]
  return keys.join('+')
}

/** The keys of the formats in the field, unless keys are switched off. */
function useMarkKeys(box: RefObject<HTMLTextAreaElement | null>, put: (mark: Mark) => void): void {
  const latest = useRef(put)
  latest.current = put
  useLayoutEffect(() => {
    const field = box.current
    if (!field) return
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (!isCommand(event) || event.altKey || event.isComposing || readStored('keys') === 'off') return
      const pressed = event.code.replace(/^(Key|Digit)/, '').toLowerCase()
      const found = MARK_KEYS.find(
        ({ key, withShift }) =>
          withShift === event.shiftKey && (key === event.key.toLowerCase() || key === pressed),
      )
      if (!found) return
      event.preventDefault()
      latest.current(found.mark)
    }
    field.addEventListener('keydown', onKey)
    return () => field.removeEventListener('keydown', onKey)
  }, [box])
}

/** Names and addresses are written as they look. */
const isPlain = (node: KmNode): boolean =>
  node.type === 'text' ||
  node.tagName === 'met' ||
  node.tagName === 'rol' ||
  node.tagName === 'chn' ||
  (node.tagName === 'a' &&
    node.children.every((it) => it.type === 'text') &&
    node.children.map((it) => (it.type === 'text' ? it.content : '')).join('') === node.href)

/** What is written as it will look; nothing where that is the same. */
function Preview({ written, content, guild }: Formatted) {
  const t = useText(formatText)
  const me = useMe()
  const locale = useLocale()
  const drawn = useDeferredValue(content)
  const nodes = useMemo(() => parse(drawn.trim(), { origin: location.origin }), [drawn])
  const names = useMemo(() => namesIn(null, guild, locale, mentionedIn(written)), [guild, locale, written])
  if (nodes.every(isPlain)) return null
  return (
    <section className={styles.preview} aria-label={t.preview} data-part="preview">
      <MentionTargetsContext value={null}>
        <KMarkdown nodes={nodes} names={names} reader={{ id: me.id, roles: guild?.my_roles ?? [] }} />
      </MentionTargetsContext>
    </section>
  )
}
