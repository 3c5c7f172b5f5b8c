import type { Guild } from '@guildhall/wire/channel/channel.ts'
import type { ChannelId, GuildId } from '@guildhall/wire/id.ts'
import type { Emoji } from '@guildhall/wire/message/message.ts'
import {
  type KeyboardEvent,
  type Ref,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from 'react'
import { loadEmojiFinder } from '../../emoji/emoji.tsx'
import { useLocale, useText } from '../../kit/i18n.ts'
import { lazy } from '../../kit/lazy/lazy.tsx'
import { loadPart } from '../../kit/lazy/lazyPart.ts'
import { text as commonText } from '../../kit/text.ts'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { type Draft, type DraftWithCaret, type Trigger, withPick } from '../draft/draftModel.ts'
import { insertEmoji } from '../editing.ts'
import { laterText } from '../laterText.ts'
import styles from './MentionPicker.module.css'
import { channelOptions, emojiOptions, type Option, peopleOptions } from './mentionOptions.ts'
import { OptionRow } from './OptionRow.tsx'
import { type MemberSearch, useMemberSearch } from './useMemberSearch.ts'

/** What the field calls while the list is open. */
export interface PickerHandle {
  /** True: the list handled the key, and the field must not. */
  readonly onKey: (event: KeyboardEvent) => boolean
}

/** The environment of the field: its guild and channel. */
export interface MentionContext {
  readonly guild: Guild
  readonly channelId: ChannelId
  /** The writer's permissions in the channel. */
  readonly permissions: number
}

const EmojiFinder = lazy(() => loadPart(loadEmojiFinder))

const LABELS = { '@': 'mentionPeople', '#': 'mentionChannels', ':': 'emojiByName' } as const

interface Shown {
  readonly trigger: Trigger
  /** The id of the list and prefix of its rows' ids. */
  readonly id: string
  readonly now: Draft
  /** The draft with what was picked in place of the search. */
  readonly onPick: (next: DraftWithCaret) => void
  readonly onClose: () => void
  /** Reports the id of the active row, which Enter picks; null: none. */
  readonly onActive: (id: string | null) => void
  readonly handle: Ref<PickerHandle>
}

/** The suggestions for `@`, `#` and `:`, above the field. chat.md §2 "Bottom composer". */
export default function MentionPicker(props: Shown & { context: MentionContext | null }) {
  const { trigger, context } = props
  if (trigger.sign === ':') return <EmojiOptions {...props} guildId={context?.guild.id ?? null} />
  return context && <NameOptions {...props} context={context} />
}

/** People and roles, or channels. */
function NameOptions(props: Shown & { context: MentionContext }) {
  const { trigger, context } = props
  const locale = useLocale()
  const isPeople = trigger.sign === '@'
  const found = useMemberSearch(context.guild.id, context.channelId, isPeople ? trigger.search : null)
  // Nothing is shown before the first members are loaded: a tap could hit everyone where a member appears a
  // moment later.
  const isWaiting = found.status === 'loading' && found.members.length === 0 && trigger.search === ''
  const members = isWaiting ? null : found.members
  const { guild, permissions } = context
  const options = useMemo(() => {
    if (!isPeople) return channelOptions(trigger.search, guild)
    return peopleOptions(trigger.search, members, guild, permissions, locale)
  }, [isPeople, trigger.search, members, guild, permissions, locale])
  return <PickerList {...props} options={options} found={found} />
}

/** Nothing to wait for. */
const DONE: MemberSearch = { status: 'done', members: [] }

/** Emoji by their names. Where none is found there is no list: Enter sends what is written. */
function EmojiOptions(props: Shown & { guildId: GuildId | null }) {
  return (
    <EmojiFinder guildId={props.guildId} wanted={props.trigger.search}>
      {(found, onPicked) =>
        found.length > 0 && (
          <PickerList {...props} onEmoji={onPicked} options={emojiOptions(found)} found={DONE} />
        )
      }
    </EmojiFinder>
  )
}

/** The list with its options. */
export function PickerList(
  props: Shown & {
    options: readonly Option[]
    found: MemberSearch
    /** An emoji was picked. */
    onEmoji?: (emoji: Emoji) => void
  },
) {
  const { trigger, id, options, found } = props
  const t = useText(laterText)
  const box = useRef<HTMLDivElement>(null)
  const onPick = (option: Option) => {
    if (option.of.kind === 'emoji') props.onEmoji?.(option.of.emoji)
    props.onPick(picked(props.now, trigger, option))
  }
  const { active, isChosen, move } = useActiveOption(options, trigger.search)
  useShownOption(box, active ? rowId(id, active) : null, props.onActive)
  useImperativeHandle(props.handle, () => ({
    onKey(event) {
      const isSure = found.status !== 'loading' || active?.of.kind === 'member' || isChosen
      const act = actOfKey(event, active !== undefined, isSure)
      if (act === 'close') props.onClose()
      else if (act === 'down') move(1)
      else if (act === 'up') move(-1)
      else if (act === 'pick' && active) onPick(active)
      return act !== null
    },
  }))
  const isEmpty = options.length === 0
  const isLoading = found.status === 'loading'
  return (
    <div className={styles.picker} data-part="mention-picker">
      <div className={styles.list} data-busy={isLoading || undefined}>
        <div
          className={styles.options}
          ref={box}
          role="listbox"
          id={id}
          aria-label={t[LABELS[trigger.sign]]}
          aria-busy={isLoading || undefined}
          tabIndex={-1}
          // Keeps the focus in the field, and so the phone's keyboard.
          onPointerDown={(event) => event.preventDefault()}
          onMouseDown={(event) => event.preventDefault()}
        >
          {options.map((option) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus, and its keys move along the list
            // biome-ignore lint/a11y/useFocusableInteractive: as above
            <div
              key={option.key}
              id={rowId(id, option)}
              role="option"
              className={styles.option}
              aria-selected={option === active}
              onClick={() => onPick(option)}
            >
              <OptionRow option={option} />
            </div>
          ))}
          {isEmpty && isLoading && <Waiting />}
        </div>
        {isEmpty && found.status === 'done' && <p className={styles.none}>{t.mentionNotFound}</p>}
        {found.status === 'failed' && <SearchFailed onRetry={found.again} />}
      </div>
      <p className="unseen" role="status">
        {isLoading ? '' : isEmpty ? t.mentionNotFound : t.mentionFound(options.length)}
      </p>
    </div>
  )
}

/** The draft with an option in place of its search. */
function picked(now: Draft, { start, search }: Trigger, option: Option): DraftWithCaret {
  const end = start + 1 + search.length
  if (option.of.kind === 'emoji') return insertEmoji(now, [start, end], option.of.emoji)
  return withPick(now, { start, end }, option)
}

/** The id of an option's row in the list of this id. */
const rowId = (listId: string, { key }: Option): string => `${listId}-${key}`

/** The option that Enter picks: the first one after a new search, then what the arrow keys choose. */
function useActiveOption(options: readonly Option[], search: string) {
  const [chosen, setChosen] = useState<{ search: string; key: string } | null>(null)
  const at = chosen?.search === search ? options.findIndex((it) => it.key === chosen.key) : -1
  const move = (by: number) => {
    const next = options[(Math.max(0, at) + by + options.length) % options.length]
    if (next) setChosen({ search, key: next.key })
  }
  return { active: options[Math.max(0, at)], isChosen: at >= 0, move }
}

/** Reports the active row by its id, and scrolls the list to it, but nothing that contains the list. */
function useShownOption(
  box: RefObject<HTMLDivElement | null>,
  activeId: string | null,
  onActive: (id: string | null) => void,
): void {
  useEffect(() => onActive(activeId), [onActive, activeId])
  useEffect(() => () => onActive(null), [onActive])
  useEffect(() => {
    const row = activeId === null ? null : document.getElementById(activeId)
    const here = box.current
    if (!row || !here) return
    const under = row.offsetTop + row.offsetHeight - here.clientHeight
    here.scrollTop = Math.max(under, Math.min(here.scrollTop, row.offsetTop))
  }, [box, activeId])
}

/**
 * What a key does in the list; `nothing`: the field must not handle it either; null: it is the field's.
 * `isSure`: the active option is not about to be replaced by the answer.
 */
function actOfKey(event: KeyboardEvent, hasActive: boolean, isSure: boolean) {
  const { key } = event
  // While an input method composes, these keys are its own. Safari signals that only by key code 229.
  if (event.nativeEvent.isComposing || event.keyCode === 229) return null
  if (event.ctrlKey || event.metaKey || event.altKey) return null
  if (key === 'Escape') return 'close'
  if (key === 'ArrowDown') return hasActive ? 'down' : null
  if (key === 'ArrowUp') return hasActive ? 'up' : null
  if ((key !== 'Enter' && key !== 'Tab') || event.shiftKey) return null
  // Enter waits for the answer: it must not pick a role in place of a member who is still being searched.
  if (!isSure) return key === 'Enter' ? 'nothing' : null
  return hasActive ? 'pick' : null
}

function SearchFailed({ onRetry }: { onRetry: () => void }) {
  const t = useText(laterText)
  const tCommon = useText(commonText)
  return (
    <p className={styles.failed}>
      <span>{t.mentionFailed}</span>
      <button
        type="button"
        className={styles.retry}
        onMouseDown={(event) => event.preventDefault()}
        onClick={onRetry}
      >
        {tCommon.retry}
      </button>
    </p>
  )
}

/** Placeholders of the rows' size until the first answer. */
function Waiting() {
  return [96, 64, 120].map((width) => (
    <div className={styles.option} role="presentation" key={width}>
      <Skeleton className={styles.face} />
      <Skeleton width={width} height={14} />
    </div>
  ))
}
