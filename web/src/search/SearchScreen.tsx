import { useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate, useNavigationType } from 'react-router'
import { useText } from '../kit/i18n.ts'
import { lazy, Suspense } from '../kit/lazy/lazy.tsx'
import { loadPart } from '../kit/lazy/lazyPart.ts'
import { paths } from '../kit/paths.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { BackIcon } from '../ui/icon/icons.tsx'
import { useProductTitle } from '../ui/page/useProductTitle.ts'
import { useScrollPosition } from '../ui/page/useScrollPosition.ts'
import { type Asked, addressOf, readAddress } from './address.ts'
import { QueryField } from './field/QueryField.tsx'
import { GallerySkeleton, RowsSkeleton } from './hits/HitsSkeleton.tsx'
import type { ShownProps } from './hits/HitsState.tsx'
import { Kinds } from './Kinds.tsx'
import { Narrowing } from './Narrowing.tsx'
import { rememberSearch } from './recent.ts'
import styles from './SearchScreen.module.css'
import { Start } from './Start.tsx'
import { text } from './text.ts'

// The field is there at once; what shows messages comes with the first search.
const MessageHits = lazy(() => loadPart(() => import('./hits/MessageHits.tsx')))
const FileHits = lazy(() => loadPart(() => import('./hits/FileHits.tsx')))
const NamedHits = lazy(() => loadPart(() => import('./hits/NamedHits.tsx')))

/** After the last key, ms. */
const SEARCH_AFTER_MS = 250

/** /search: messages, pictures, files, people, channels and guilds, wherever one may view them. */
export default function SearchScreen() {
  const t = useText(text)
  const { search, key, state } = useLocation()
  const navigate = useNavigate()
  const isComingBack = useNavigationType() === 'POP'
  const asked = readAddress(search)
  const change = (more: Partial<Asked>) =>
    void navigate(addressOf({ ...asked, ...more }), { replace: true, state })
  const { typed, setTyped, search: searchNow } = useTyped(asked.q, (q) => change({ q }))
  const field = useRef<HTMLInputElement>(null)
  const list = useScrollPosition(`search ${key}`)
  useProductTitle(asked.q === '' ? t.title : `${asked.q} · ${t.title}`)
  // What is typed replaces the entry, which stays the first one of the visit.
  const [isFirst] = useState(key === 'default')
  const back = () => void (isFirst ? navigate(paths.channels(), { replace: true }) : navigate(-1))
  const begin = (label: string) => {
    const before = /(?:^|\s)$/.test(typed) ? typed : `${typed} `
    setTyped(`${before}${label}:`)
    field.current?.focus()
  }
  const remember = () => rememberSearch(asked.q)
  const shown = { asked, isComingBack, onOpen: remember, onWider: () => change({ scope: 'all' }) }
  return (
    <div className={styles.screen}>
      <header className={styles.head}>
        <h1 className="unseen">{t.title}</h1>
        <div className={styles.bar}>
          <IconButton label={t.back} onPress={back}>
            <BackIcon />
          </IconButton>
          <QueryField
            asked={asked}
            typed={typed}
            field={field}
            onType={setTyped}
            onEnter={() => {
              searchNow()
              rememberSearch(typed)
            }}
          />
        </div>
        <Kinds chosen={asked.kind} onChoose={(kind) => change({ kind })} />
        <Narrowing asked={asked} onChange={change} onOperator={begin} />
      </header>
      <main className={styles.list} aria-label={t.found} ref={list} onKeyDown={moveAmongHits}>
        <Shown {...shown} onSearch={(q) => setTyped(q)} />
      </main>
    </div>
  )
}

/** What was found of the chosen kind. */
function Shown(props: ShownProps & { onSearch: (q: string) => void }) {
  const { kind, q } = props.asked
  if (kind === 'messages' && q === '') return <Start onSearch={props.onSearch} />
  const isOfFiles = kind === 'pictures' || kind === 'videos' || kind === 'files'
  const List = kind === 'messages' ? MessageHits : isOfFiles ? FileHits : NamedHits
  return (
    <Suspense fallback={kind === 'pictures' ? <GallerySkeleton /> : <RowsSkeleton />}>
      <List key={kind} {...props} />
    </Suspense>
  )
}

/** What is searched for: what is typed, without an operator that has no value yet at its end. */
const wordsOf = (typed: string): string => typed.replace(/(?:^|\s)[^\s:：]+[:：]$/, '').trim()

/** What stands in the field; the address follows it, and it follows an address to which somebody went. */
function useTyped(q: string, onSearch: (q: string) => void) {
  const [typed, setTyped] = useState(q)
  /** What the address was last made of. */
  const own = useRef(q)
  const search = () => {
    own.current = wordsOf(typed)
    if (own.current !== q) onSearch(own.current)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what was typed leads on
  useEffect(() => {
    if (q !== own.current) {
      own.current = q
      setTyped(q)
    } else if (wordsOf(typed) !== q) {
      const timer = setTimeout(search, typed === '' ? 0 : SEARCH_AFTER_MS)
      return () => clearTimeout(timer)
    }
  }, [typed, q])
  return { typed, setTyped, search }
}

/** The arrow keys lead from one of what was found to the next. */
function moveAmongHits(event: React.KeyboardEvent<HTMLElement>): void {
  const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (by === 0) return
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-part=hit]')]
  const next = all[all.indexOf(document.activeElement as HTMLElement) + by]
  if (!next) return
  event.preventDefault()
  next.focus()
}
