import { QUERY_MAX } from '@guildhall/wire/search/search.ts'
import { type ReactNode, useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { dayLabel, sameDay } from '../kit/format/time.ts'
import { useLocale, useText } from '../kit/i18n.ts'
import { Button } from '../ui/Button.tsx'
import { SearchField } from '../ui/form/SearchField.tsx'
import { useSearch } from '../ui/form/useSearch.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { CloseIcon } from '../ui/icon/icon.tsx'
import { Page } from '../ui/page/Page.tsx'
import { TopBar } from '../ui/page/TopBar.tsx'
import { useBackToChannels } from '../ui/page/useBackToChannels.ts'
import { useProductTitle } from '../ui/page/useProductTitle.ts'
import { useScrollPosition } from '../ui/page/useScrollPosition.ts'
import { EmptyState } from '../ui/state/EmptyState.tsx'
import { ErrorState } from '../ui/state/ErrorState.tsx'
import { Skeleton } from '../ui/state/Skeleton.tsx'
import { NothingFoundDrawing, SearchDrawing } from './drawings.tsx'
import { HitRow } from './HitRow.tsx'
import { forgetSearch, recentSearches, rememberSearch } from './recent.ts'
import styles from './Search.module.css'
import { operators, text } from './text.ts'
import { type Asked, type Hit, useHits } from './useHits.ts'

type Scope = 'channel' | 'guild' | 'chat' | 'all'

/**
 * /search?q=: messages that somebody finds, in a channel, a guild, a chat (as the address says), or
 * everywhere.
 */
export default function SearchScreen() {
  const t = useText(text)
  const back = useBackToChannels()
  const [address, setAddress] = useSearchParams()
  const of = useSearch(address.get('q') ?? '')
  const q = of.search.slice(0, QUERY_MAX)
  const set = (name: string, value: string) =>
    setAddress(
      (before) => {
        const next = new URLSearchParams(before)
        if (value === '') next.delete(name)
        else next.set(name, value)
        return next
      },
      { replace: true },
    )
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address follows what is searched for
  useEffect(() => {
    if (q !== (address.get('q') ?? '')) set('q', q)
  }, [q])
  useProductTitle(t.title)
  const { scopes, scope, asked } = askedIn(address, q)
  const hits = useHits(asked)
  return (
    <Page>
      <TopBar title={t.title} onBack={back} />
      <main className={styles.screen}>
        <SearchField label={t.field} hint={t.hint} of={of} />
        <div className={styles.choices}>
          <Choice label={t.where} all={scopes} chosen={scope} onChange={(it) => set('where', it)} />
          <Choice
            label={t.sort}
            all={['time', 'fit']}
            chosen={asked.sort}
            onChange={(it) => set('sort', it)}
          />
        </div>
        {q === '' ? (
          <Start onPick={of.setTyped} typed={of.typed} />
        ) : (
          <Results hits={hits} onOpen={() => rememberSearch(q)} />
        )}
      </main>
    </Page>
  )
}

/** What an address asks for. The narrowest scope that it names is chosen first. */
function askedIn(address: URLSearchParams, q: string) {
  const [channel, guild, chat] = ['channel', 'guild', 'chat'].map((name) => address.get(name))
  const scopes = (['channel', 'guild', 'chat'] as const).filter((name) => address.get(name) !== null)
  const all: Scope[] = [...scopes, 'all']
  const scope = all.find((it) => it === address.get('where')) ?? all[0]!
  const asked: Asked = {
    q,
    sort: address.get('sort') === 'fit' ? 'fit' : 'time',
    ...(scope === 'channel' && { channel_id: channel as never }),
    ...(scope === 'guild' && { guild_id: guild as never }),
    ...(scope === 'chat' && { chat_code: chat as never }),
  }
  return { scopes: all, scope, asked }
}

/** One of some, if there is more than one. */
function Choice<C extends Scope | 'time' | 'fit'>(props: {
  label: string
  all: readonly C[]
  chosen: C
  onChange: (it: C) => void
}) {
  const t = useText(text)
  if (props.all.length < 2) return null
  return (
    <fieldset className={styles.group} aria-label={props.label}>
      {props.all.map((it) => (
        <Chip key={it} isOn={it === props.chosen} onPress={() => props.onChange(it)}>
          {t[it]}
        </Chip>
      ))}
    </fieldset>
  )
}

const Chip = (props: { isOn?: boolean; onPress: () => void; children: ReactNode }) => (
  <button type="button" className={styles.chip} aria-pressed={props.isOn} onClick={props.onPress}>
    <span>{props.children}</span>
  </button>
)

/** Before anything is typed: what was searched for before, and how a search is narrowed down. */
function Start({ typed, onPick }: { typed: string; onPick: (typed: string) => void }) {
  const t = useText(text)
  const locale = useLocale()
  const [recent, setRecent] = useState(recentSearches)
  const add = (operator: string) => onPick(`${typed.trimEnd()} ${operator}`.trimStart())
  return (
    <>
      <section className={styles.section}>
        <h2 className={styles.heading}>{t.narrow}</h2>
        <div className={styles.operators}>
          {operators[locale].map(([label, operator]) => (
            <Chip key={operator} onPress={() => add(operator)}>
              {label}
            </Chip>
          ))}
        </div>
      </section>
      {recent.length > 0 ? (
        <section className={styles.section}>
          <h2 className={styles.heading}>
            {t.recent}
            <Button kind="quiet" onPress={() => setRecent(forgetSearch())}>
              {t.clear}
            </Button>
          </h2>
          <ul className={styles.card}>
            {recent.map((words) => (
              <li key={words} className={styles.recent}>
                <button type="button" className={styles.again} onClick={() => onPick(words)}>
                  {words}
                </button>
                <IconButton label={t.forget(words)} onPress={() => setRecent(forgetSearch(words))}>
                  <CloseIcon size={18} />
                </IconButton>
              </li>
            ))}
          </ul>
        </section>
      ) : (
        <EmptyState icon={<SearchDrawing />} title={t.start} message={t.startWhy} />
      )}
    </>
  )
}

function Results({ hits: all, onOpen }: { hits: ReturnType<typeof useHits>; onOpen: () => void }) {
  const t = useText(text)
  const list = useScrollPosition('search')
  const { hits, meta, failure } = all
  if (failure && hits.length === 0)
    return <ErrorState title={t.failed} message={failure.message} onRetry={all.retry} />
  if (!meta) return <Waiting />
  if (hits.length === 0)
    return <EmptyState icon={<NothingFoundDrawing />} title={t.none} message={t.noneWhy} />
  return (
    <div className={styles.results} ref={list}>
      <p className={styles.count} role="status" data-part="hit-count">
        {t.found(meta.total, meta.more)}
      </p>
      <Days hits={hits} onOpen={onOpen} />
      {all.hasMore ? (
        <button type="button" className={styles.more} disabled={all.isFetchingMore} onClick={all.more}>
          {all.isFetchingMore ? t.loading : t.more}
        </button>
      ) : (
        <p className={styles.end}>{t.end}</p>
      )}
    </div>
  )
}

/** The hits under the days on which they were sent; by fit the days come as they come. */
function Days({ hits, onOpen }: { hits: readonly Hit[]; onOpen: () => void }) {
  const locale = useLocale()
  const days: Hit[][] = []
  for (const hit of hits) {
    const day = days.at(-1)
    if (day && sameDay(day[0]!.message.create_at, hit.message.create_at)) day.push(hit)
    else days.push([hit])
  }
  return days.map((day) => (
    <section key={day[0]!.message.id}>
      <h2 className={styles.day}>{dayLabel(day[0]!.message.create_at, Date.now(), locale)}</h2>
      <ul className={styles.card}>
        {day.map((hit) => (
          <HitRow key={hit.message.id} hit={hit} onOpen={onOpen} />
        ))}
      </ul>
    </section>
  ))
}

/** Rows in the scope of those that are looked for. */
function Waiting() {
  const t = useText(text)
  return (
    <div className={styles.results} role="status" aria-label={t.loading}>
      <p className={styles.count}>
        <Skeleton width={64} height={13} />
      </p>
      <div className={styles.card}>
        {[90, 60, 75, 50, 80].map((width) => (
          <div key={width} className={`${styles.hit} ${styles.link}`}>
            <Skeleton className={styles.face} />
            <span className={styles.body}>
              <Skeleton width={80} height={14} />
              <Skeleton width={`${width}%`} height={16} />
              <Skeleton width={120} height={12} />
            </span>
          </div>
        ))}
      </div>
    </div>
  )
}
