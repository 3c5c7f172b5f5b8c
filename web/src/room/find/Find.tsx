import type { ChannelId } from '@guildhall/wire/id.ts'
import { QUERY_MAX, searchMessages } from '@guildhall/wire/search/search.ts'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { useText } from '../../kit/i18n.ts'
import { useRouteQuery } from '../../kit/routeQuery.ts'
import { text as general } from '../../kit/text.ts'
import { useDebounced } from '../../kit/useDebounced.ts'
import { Button } from '../../ui/Button.tsx'
import { useAutoFocus } from '../../ui/form/useAutoFocus.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { CloseIcon, DownIcon, NextIcon, UpIcon } from '../../ui/icon/icons.tsx'
import { text } from '../text.ts'
import styles from './Find.module.css'
import type { FindProps } from './FindWay.tsx'
import { findText } from './findText.ts'
import { useMarkedWords } from './useMarkedWords.ts'

/** After the last key, ms. */
const SEARCH_AFTER_MS = 300
/** Hits of one answer. */
const PAGE_SIZE = 50

/** The search in a room, in place of its bar: `?search=` of the address has the words. */
export default function Find(props: FindProps) {
  const navigate = useNavigate()
  const { pathname, search, state } = useLocation()
  const to = (query: string) => `${pathname}?search=${encodeURIComponent(query)}`
  return (
    <FindBar
      {...props}
      first={new URLSearchParams(search).get('search') ?? ''}
      onSearch={(query) => void navigate(to(query), { replace: true, state })}
      onClose={() => void (state?.isFinding ? navigate(-1) : navigate(pathname, { replace: true, state }))}
    />
  )
}

function FindBar(
  props: FindProps & { first: string; onSearch: (query: string) => void; onClose: () => void },
) {
  const { room, guildId, onSearch, onClose } = props
  const t = useText(findText)
  const tGeneral = useText(general)
  const tRoom = useText(text)
  const field = useRef<HTMLInputElement>(null)
  useAutoFocus(field)
  const [typed, setTyped] = useState(props.first)
  const words = useDebounced(typed.trim(), SEARCH_AFTER_MS)
  const hits = useRoomHits(props, words)
  const { hit, move } = hits
  // biome-ignore lint/correctness/useExhaustiveDependencies: only other words change the address
  useEffect(() => {
    if (words !== props.first) onSearch(words)
  }, [words])
  const id = hit?.message.id
  // biome-ignore lint/correctness/useExhaustiveDependencies: each hit is jumped to once
  useEffect(() => {
    if (id) room.list.current?.jumpTo(id)
  }, [id])
  useMarkedWords(hit)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const isOlder = event.key === 'ArrowUp' || (event.key === 'Enter' && !event.shiftKey)
    const isNewer = event.key === 'ArrowDown' || (event.key === 'Enter' && event.shiftKey)
    if (event.key === 'Escape') onClose()
    else if ((isOlder || isNewer) && event.target === field.current) move(isOlder ? 1 : -1)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the field and the buttons in it
    <div className={styles.bar} onKeyDown={onKeyDown} data-part="find" ref={standAlone}>
      <input
        ref={field}
        className={styles.field}
        type="search"
        enterKeyHint="search"
        aria-label={tRoom.search}
        placeholder={t.hint}
        autoComplete="off"
        autoCapitalize="off"
        autoCorrect="off"
        spellCheck={false}
        maxLength={QUERY_MAX}
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        // A message that is jumped to takes the focus; whoever types keeps it.
        onBlur={({ relatedTarget, currentTarget }) =>
          relatedTarget?.matches('[data-flash]') && currentTarget.focus()
        }
      />
      {hits.failure && (
        <p className={styles.failure} role="alert">
          {hits.failure.message}
          <Button kind="quiet" onPress={hits.refetch}>
            {tGeneral.retry}
          </Button>
        </p>
      )}
      <Link
        className={styles.count}
        to={`/search?q=${encodeURIComponent(words)}&${guildId ? `guild=${guildId}&channel` : 'chat'}=${room.id}`}
        title={t.all}
      >
        <span role="status">{hits.label}</span>
        {hits.label && <NextIcon size={14} />}
      </Link>
      <IconButton label={t.older} onPress={() => move(1)}>
        <UpIcon />
      </IconButton>
      <IconButton label={t.newer} onPress={() => move(-1)}>
        <DownIcon />
      </IconButton>
      <IconButton label={t.close} onPress={onClose}>
        <CloseIcon />
      </IconButton>
    </div>
  )
}

/** While it is there, the rest of the room's bar is not; its name is left for screen readers. */
function standAlone(bar: HTMLElement | null) {
  const others = [...(bar?.parentElement?.children ?? [])].filter((it) => it !== bar) as HTMLElement[]
  for (const it of others)
    if (it.matches('h1')) it.classList.add('unseen')
    else it.style.display = 'none'
  return () => {
    for (const it of others) {
      it.classList.remove('unseen')
      it.style.display = ''
    }
  }
}

/** The hits of a conversation one by one, the newest first. */
function useRoomHits({ room, guildId }: FindProps, words: string) {
  const t = useText(findText)
  const where = guildId ? { channel_id: room.id as ChannelId } : { chat_code: room.id }
  const [moved, setMoved] = useState({ words, at: 0 })
  const at = moved.words === words ? moved.at : 0
  const page = Math.floor(at / PAGE_SIZE) + 1
  const { answer, failure, refetch } = useRouteQuery(
    searchMessages,
    { q: words, ...where, page, page_size: PAGE_SIZE },
    words !== '',
  )
  const total = answer?.meta.total ?? 0
  const hit = words === '' ? null : (answer?.items[at % PAGE_SIZE] ?? null)
  const of = answer?.meta.more ? `${total}+` : String(total)
  return {
    hit,
    failure: words === '' ? null : failure,
    refetch,
    move: (by: 1 | -1) => total > 0 && setMoved({ words, at: (at + by + total) % total }),
    label:
      words === '' ? '' : failure ? t.failed : !answer ? t.loading : total === 0 ? t.none : t.at(at + 1, of),
  }
}
