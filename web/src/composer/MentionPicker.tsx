import type { Guild } from '@guildhall/wire/channel/channel.ts'
import type { ChannelId } from '@guildhall/wire/id.ts'
import {
  type KeyboardEvent,
  type Ref,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useLocale, useText } from '../kit/i18n.ts'
import { text as commonText } from '../kit/text.ts'
import { useTheme } from '../kit/theme.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { EmojiText } from '../ui/EmojiText.tsx'
import { TextChannelIcon, VoiceIcon } from '../ui/icons.tsx'
import { nameLook } from '../ui/nameLook.ts'
import { Skeleton } from '../ui/Skeleton.tsx'
import type { Trigger } from './draftModel.ts'
import styles from './MentionPicker.module.css'
import { channelOptions, type Option, peopleOptions } from './mentionOptions.ts'
import { text } from './text.ts'
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

interface Shown {
  readonly trigger: Trigger
  /** The id of the list and prefix of its rows' ids. */
  readonly id: string
  readonly onPick: (option: Option) => void
  readonly onClose: () => void
  /** Reports the id of the active row, which Enter picks; null: none. */
  readonly onActive: (id: string | null) => void
  readonly handle: Ref<PickerHandle>
}

/** The suggestions for `@` and `#`, above the field. chat.md §2 "Bottom composer". */
export default function MentionPicker(props: Shown & { context: MentionContext }) {
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

/** The list with its options. */
export function PickerList(props: Shown & { options: readonly Option[]; found: MemberSearch }) {
  const { trigger, id, options, found, onActive, onClose, onPick } = props
  const t = useText(text)
  const tCommon = useText(commonText)
  const box = useRef<HTMLDivElement>(null)
  const [chosen, setChosen] = useState<{ search: string; key: string } | null>(null)
  // After a new search the first option is active.
  const at = chosen?.search === trigger.search ? options.findIndex((it) => it.key === chosen.key) : -1
  const active = options[Math.max(0, at)]
  const rowId = (option: Option) => `${id}-${option.key}`
  const activeId = active ? rowId(active) : null
  useEffect(() => onActive(activeId), [onActive, activeId])
  useEffect(() => () => onActive(null), [onActive])
  useEffect(() => {
    const row = activeId === null ? null : document.getElementById(activeId)
    const here = box.current
    if (!row || !here) return
    // Scrolls only the list, not what contains it.
    const under = row.offsetTop + row.offsetHeight - here.clientHeight
    here.scrollTop = Math.max(under, Math.min(here.scrollTop, row.offsetTop))
  }, [activeId])

  const move = (by: number) => {
    const next = options[(Math.max(0, at) + by + options.length) % options.length]
    if (next) setChosen({ search: trigger.search, key: next.key })
  }
  useImperativeHandle(props.handle, () => ({
    onKey(event) {
      // While an input method composes, these keys are its own. Safari signals that only by key code 229.
      if (event.nativeEvent.isComposing || event.keyCode === 229) return false
      if (event.ctrlKey || event.metaKey || event.altKey) return false
      if (event.key === 'Escape') onClose()
      else if (event.key === 'ArrowDown' && active) move(1)
      else if (event.key === 'ArrowUp' && active) move(-1)
      else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey) {
        // Enter waits for the answer: it must not pick a role in place of a member who is still being
        // searched.
        const isSure = found.status !== 'loading' || active?.of.kind === 'member' || at >= 0
        if (!isSure) return event.key === 'Enter'
        if (!active) return false
        onPick(active)
      } else return false
      return true
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
          aria-label={trigger.sign === '@' ? t.mentionPeople : t.mentionChannels}
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
              id={rowId(option)}
              role="option"
              className={styles.option}
              aria-selected={option === active}
              onClick={() => onPick(option)}
            >
              <Row option={option} />
            </div>
          ))}
          {isEmpty && isLoading && <Waiting />}
        </div>
        {isEmpty && found.status === 'done' && <p className={styles.none}>{t.mentionNotFound}</p>}
        {found.status === 'failed' && (
          <p className={styles.failed}>
            <span>{t.mentionFailed}</span>
            <button
              type="button"
              className={styles.retry}
              onMouseDown={(event) => event.preventDefault()}
              onClick={found.again}
            >
              {tCommon.retry}
            </button>
          </p>
        )}
      </div>
      <p className="unseen" role="status">
        {isLoading ? '' : isEmpty ? t.mentionNotFound : t.mentionFound(options.length)}
      </p>
    </div>
  )
}

function Row({ option }: { option: Option }) {
  const t = useText(text)
  const theme = useTheme()
  const { of, label } = option
  const name = label.slice(1)
  switch (of.kind) {
    case 'member': {
      const { member } = of
      return (
        <>
          <Avatar id={member.id} name={name} src={member.avatar} size={32} />
          <span className={styles.name}>{name}</span>
          {member.can_view ? (
            <span className={`${styles.detail} ${styles.number}`}>
              {member.username !== name && <span className={styles.username}>{member.username}</span>}
              <span>#{member.identify_num}</span>
            </span>
          ) : (
            <span className={styles.detail} data-warn>
              {t.cannotViewChannel}
            </span>
          )}
        </>
      )
    }
    case 'role': {
      // The sign is one letter, too small for more than the first colour.
      const { style } = nameLook(of.colors, theme)
      return (
        <>
          <span className={styles.sign} aria-hidden="true" style={style}>
            @
          </span>
          <span className={styles.name} {...nameLook(of.colors, theme)}>
            <EmojiText>{name}</EmojiText>
          </span>
          <span className={styles.detail}>{t.mentionRole}</span>
        </>
      )
    }
    case 'all':
    case 'here':
      return (
        <>
          <span className={styles.sign} aria-hidden="true">
            @
          </span>
          <span className={styles.name}>{name}</span>
          <span className={styles.detail}>{of.kind === 'all' ? t.notifiesEveryone : t.notifiesOnline}</span>
        </>
      )
    case 'channel': {
      const Icon = of.isVoice ? VoiceIcon : TextChannelIcon
      return (
        <>
          <span className={styles.sign} aria-hidden="true">
            <Icon size={20} />
          </span>
          <span className={styles.name}>{name}</span>
          {of.under && <span className={styles.detail}>{of.under}</span>}
        </>
      )
    }
  }
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
