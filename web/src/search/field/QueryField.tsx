import { QUERY_MAX } from '@guildhall/wire/search/search.ts'
import {
  type ChangeEvent,
  type KeyboardEvent,
  type RefObject,
  type SyntheticEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { useText } from '../../kit/i18n.ts'
import { lazy, Suspense } from '../../kit/lazy/lazy.tsx'
import { loadPart } from '../../kit/lazy/lazyPart.ts'
import { useAutoFocus } from '../../ui/form/useAutoFocus.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { CloseIcon } from '../../ui/icon/icons.tsx'
import { SearchIcon } from '../../ui/icon/searchIcon.tsx'
import type { Asked } from '../address.ts'
import styles from '../SearchScreen.module.css'
import { text } from '../text.ts'

const Suggestions = lazy(() => loadPart(() => import('./Suggestions.tsx')))

/** What the query may become, and where the caret stands then. */
export interface Suggestion {
  readonly label: string
  readonly detail: string
  readonly typed: string
  readonly caret: number
}

interface QueryFieldProps {
  asked: Asked
  typed: string
  field: RefObject<HTMLInputElement | null>
  onType: (typed: string) => void
  onEnter: () => void
}

/** The field of the query; operators and their values are completed below it as one types. */
export function QueryField(props: QueryFieldProps) {
  const { typed, field, onType } = props
  const t = useText(text)
  const id = useId()
  // Whoever opens an empty search is about to type.
  useAutoFocus(field, typed === '')
  const { shown, active, pick, handlers, caret, setAll } = useCompletion(props)
  return (
    <div className={styles.box}>
      <SearchIcon size={20} />
      <input
        ref={field}
        className={styles.field}
        type="search"
        name="search"
        enterKeyHint="search"
        role="combobox"
        aria-label={t.title}
        aria-expanded={shown.length > 0}
        aria-controls={id}
        aria-activedescendant={active && `${id}-${shown.indexOf(active)}`}
        aria-autocomplete="list"
        placeholder={t.hint}
        autoComplete="off"
        autoCapitalize="off"
        autoCorrect="off"
        spellCheck={false}
        maxLength={QUERY_MAX}
        value={typed}
        {...handlers}
      />
      {typed !== '' && (
        <IconButton
          label={t.clear}
          onPress={() => {
            onType('')
            field.current?.focus()
          }}
        >
          <CloseIcon size={18} />
        </IconButton>
      )}
      <Suspense>
        {typed !== '' && <Suggestions asked={props.asked} typed={typed} caret={caret} onChange={setAll} />}
      </Suspense>
      <Options id={id} shown={shown} active={active} onPick={pick} />
    </div>
  )
}

/** What completes the query, which of it the arrow keys are at, and how it comes into the field. */
function useCompletion({ typed, field, onType, onEnter }: QueryFieldProps) {
  const [noted, setNoted] = useState({ typed, caret: typed.length })
  // Where others write into the field, such as a chip, it stands at the end.
  const caret = noted.typed === typed ? noted.caret : typed.length
  const [isOpen, setOpen] = useState(false)
  const [at, setAt] = useState<number | null>(null)
  const moveTo = useRef<number | null>(null)
  const [all, setAll] = useState<readonly Suggestion[]>([])
  const shown = isOpen && typed !== '' ? all : []
  const active = at === null ? undefined : shown[Math.min(at, shown.length - 1)]
  useLayoutEffect(() => {
    if (moveTo.current === null) return
    field.current?.setSelectionRange(moveTo.current, moveTo.current)
    moveTo.current = null
  })
  const pick = (it: Suggestion) => {
    moveTo.current = it.caret
    setNoted(it)
    setAt(null)
    onType(it.typed)
    field.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (by !== 0 && shown.length > 0) {
      event.preventDefault()
      setAt(((at ?? (by === 1 ? -1 : 0)) + by + shown.length) % shown.length)
    } else if (event.key === 'ArrowDown') {
      event.preventDefault()
      document.querySelector<HTMLElement>('[data-part=hit]')?.focus()
    } else if (event.key === 'Enter' && active) {
      pick(active)
    } else if (event.key === 'Enter') {
      setOpen(false)
      onEnter()
    } else if (event.key === 'Escape' && shown.length > 0) {
      event.preventDefault()
      setOpen(false)
    }
  }
  const handlers = {
    onChange({ currentTarget: { value, selectionStart } }: ChangeEvent<HTMLInputElement>) {
      setNoted({ typed: value, caret: selectionStart ?? value.length })
      setAt(null)
      setOpen(true)
      onType(value)
    },
    onSelect: ({ currentTarget }: SyntheticEvent<HTMLInputElement>) =>
      setNoted({ typed, caret: currentTarget.selectionStart ?? typed.length }),
    onFocus: () => setOpen(true),
    onBlur: () => setOpen(false),
    onKeyDown,
  }
  return { shown, active, pick, handlers, caret, setAll }
}

function Options(props: {
  id: string
  shown: readonly Suggestion[]
  active: Suggestion | undefined
  onPick: (it: Suggestion) => void
}) {
  const { id, active } = props
  const t = useText(text)
  return (
    <div className={styles.options} role="listbox" id={id} aria-label={t.suggestions}>
      {props.shown.map((it, at) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus, and its keys move along the list
        // biome-ignore lint/a11y/useFocusableInteractive: as above
        <div
          key={it.typed}
          id={`${id}-${at}`}
          role="option"
          className={styles.option}
          aria-selected={it === active}
          ref={it === active ? (row) => row?.scrollIntoView({ block: 'nearest' }) : undefined}
          // The field keeps the focus.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => props.onPick(it)}
        >
          <b className={styles.optionName}>{it.label}</b>
          <span className={styles.optionDetail}>{it.detail}</span>
        </div>
      ))}
    </div>
  )
}
