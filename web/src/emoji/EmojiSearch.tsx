import { useRef } from 'react'
import { useText } from '../kit/i18n.ts'
import { CloseIcon } from '../ui/icon/icons.tsx'
import { SearchIcon } from '../ui/icon/searchIcon.tsx'
import styles from './EmojiSearch.module.css'
import { text } from './text.ts'

/** Search field of the emoji picker. `onEnter`: the focus moves to the results. */
export function EmojiSearch(props: { typed: string; onType: (typed: string) => void; onEnter: () => void }) {
  const { typed, onType } = props
  const t = useText(text)
  const search = useRef<HTMLInputElement>(null)
  return (
    <div className={styles.search}>
      <SearchIcon size={18} />
      <input
        ref={search}
        className={styles.input}
        data-part="emoji-search-input"
        type="search"
        enterKeyHint="search"
        autoComplete="off"
        placeholder={t.search}
        aria-label={t.search}
        value={typed}
        onChange={(event) => onType(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown' || (event.key === 'Enter' && !event.nativeEvent.isComposing)) {
            event.preventDefault()
            props.onEnter()
          }
        }}
      />
      {typed !== '' && (
        <button
          type="button"
          className={styles.clear}
          aria-label={t.clear}
          onClick={() => {
            onType('')
            search.current?.focus()
          }}
        >
          <CloseIcon size={16} />
        </button>
      )}
    </div>
  )
}
