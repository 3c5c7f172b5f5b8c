import {
  type AriaAttributes,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  type SyntheticEvent,
  useCallback,
  useId,
  useRef,
  useState,
} from 'react'
import { lazy, Suspense } from '../../kit/lazy/lazy.tsx'
import { loadPart } from '../../kit/lazy/lazyPart.ts'
import { type Draft, type DraftWithCaret, triggerAt } from '../draft/draftModel.ts'
import type { MentionContext, PickerHandle } from './MentionPicker.tsx'

const MentionPicker = lazy(() => loadPart(() => import('./MentionPicker.tsx')))

export interface Mention {
  /** The list, to be placed right above the field's box. */
  readonly list: ReactNode
  /** Attributes of the field. HTML allows no combobox role on a text area. */
  readonly field: AriaAttributes & {
    onSelect: (event: SyntheticEvent<HTMLTextAreaElement>) => void
    onBlur: () => void
  }
  /** The text changed; the caret is here now. */
  readonly onTyped: (caret: number) => void
  /** Call first for every key. True: the list handled it. */
  readonly onKeyDown: (event: KeyboardEvent) => boolean
}

/**
 * Adds the picker for `@`, `#` and `:` to a field. Without a context there are emoji alone. `apply` replaces
 * the draft.
 */
export function useMention(
  box: RefObject<HTMLTextAreaElement | null>,
  now: Draft,
  context: MentionContext | null,
  apply: (next: DraftWithCaret) => void,
): Mention {
  const id = useId()
  /** The caret; null: no focus, or a selection. */
  const [caret, setCaret] = useState<number | null>(null)
  const [active, setActive] = useState<string | null>(null)
  /** The index of the sign whose list was closed. */
  const [closed, setClosed] = useState<number | null>(null)
  const handle = useRef<PickerHandle>(null)

  const typing = caret === null || caret > now.text.length ? null : triggerAt(now, caret)
  const trigger = typing && typing.start !== closed ? typing : null
  if (closed !== null && !typing) setClosed(null)

  const onPick = (next: DraftWithCaret) => {
    box.current?.focus()
    apply(next)
    setCaret(next.caret)
  }
  const onActive = useCallback((row: string | null) => setActive(row), [])
  return {
    list: trigger && (context || trigger.sign === ':') && (
      <Suspense>
        <MentionPicker
          trigger={trigger}
          now={now}
          context={context}
          id={id}
          onPick={onPick}
          onClose={() => setClosed(trigger.start)}
          onActive={onActive}
          handle={handle}
        />
      </Suspense>
    ),
    field: {
      'aria-autocomplete': 'list',
      ...(trigger && { 'aria-controls': id }),
      ...(trigger && active !== null && { 'aria-activedescendant': active }),
      onSelect({ currentTarget: { selectionStart, selectionEnd } }) {
        setCaret(selectionStart === selectionEnd ? selectionEnd : null)
      },
      onBlur: () => setCaret(null),
    },
    onTyped: setCaret,
    onKeyDown(event) {
      if (!trigger || !handle.current?.onKey(event)) return false
      event.preventDefault()
      return true
    },
  }
}
