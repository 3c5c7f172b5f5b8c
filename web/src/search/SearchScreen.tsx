import type { ChannelId, GuildId } from '@guildhall/wire/id.ts'
import type { AnswerOf } from '@guildhall/wire/route.ts'
import { QUERY_MAX, searchMessages } from '@guildhall/wire/search/search.ts'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { dayLabel, sameDay } from '../kit/format/time.ts'
import { useLocale, useText } from '../kit/i18n.ts'
import { cache, queryKeyOf, useRouteQuery } from '../kit/routeQuery.ts'
import { Button } from '../ui/Button.tsx'
import { Chip, ChipGroup, ChipLine } from '../ui/Chips.tsx'
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
import { type Asked, type Hit, inputOf, keepPages, type PageAt, pageAfter, pagesShown } from './hits.ts'
import { forgetSearch, recentSearches, rememberSearch } from './recent.ts'
import styles from './Search.module.css'
import { operators, text } from './text.ts'

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
  return (
    <Page>
      <TopBar title={t.title} onBack={back} />
      <main className={styles.screen}>
        <SearchField label={t.field} hint={t.hint} of={of} />
        <ChipLine>
          <Choice label={t.where} all={scopes} chosen={scope} onChange={(it) => set('where', it)} />
          <Choice
            label={t.sort}
            all={['time', 'fit']}
            chosen={asked.sort}
            onChange={(it) => set('sort', it)}
          />
        </ChipLine>
        {q === '' ? (
          <Start onPick={of.setTyped} typed={of.typed} />
        ) : (
          <Results key={JSON.stringify(asked)} asked={asked} onOpen={() => rememberSearch(q)} />
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
    ...(scope === 'channel' && { channel_id: channel as ChannelId }),
    ...(scope === 'guild' && { guild_id: guild as GuildId }),
    ...(scope === 'chat' && { chat_code: chat! }),
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
    <ChipGroup label={props.label}>
      {props.all.map((it) => (
        <Chip key={it} isOn={it === props.chosen} onPress={() => props.onChange(it)}>
          {t[it]}
        </Chip>
      ))}
    </ChipGroup>
  )
}

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

function Results({ asked, onOpen }: { asked: Asked; onOpen: () => void }) {
  const t = useText(text)
  const list = useScrollPosition(`search ${JSON.stringify(asked)}`)
  const [pages, setPages] = useState(() => pagesShown(asked))
  const first = useRouteQuery(searchMessages, inputOf(asked, pages[0]!))
  if (first.status === 'failed')
    return <ErrorState title={t.failed} message={first.failure.message} onRetry={first.refetch} />
  if (!first.answer) return <Waiting />
  const { items, meta } = first.answer
  if (items.length === 0)
    return <EmptyState icon={<NothingFoundDrawing />} title={t.none} message={t.noneWhy} />
  const add = (next: PageAt) => {
    const all = [...pages, next]
    setPages(all)
    keepPages(asked, all)
  }
  return (
    <div className={styles.results} ref={list}>
      <p className={styles.count} role="status" data-part="hit-count">
        {t.found(meta.total, meta.more)}
      </p>
      {pages.map((at, index) => (
        <PageOfHits
          key={`${at.page} ${at.before}`}
          asked={asked}
          at={at}
          previous={pages[index - 1] ?? null}
          onOpen={onOpen}
          onMore={index + 1 === pages.length ? add : null}
        />
      ))}
    </div>
  )
}

/** A page of the results; the last one leads to the next. */
function PageOfHits(props: {
  asked: Asked
  at: PageAt
  previous: PageAt | null
  onOpen: () => void
  onMore: ((next: PageAt) => void) | null
}) {
  const { asked, at, previous, onMore } = props
  const t = useText(text)
  const found = useRouteQuery(searchMessages, inputOf(asked, at))
  if (found.status === 'failed')
    return <ErrorState title={t.failed} message={found.failure.message} onRetry={found.refetch} />
  if (!found.answer) return <p className={styles.end}>{t.loading}</p>
  const next = pageAfter(found.answer, asked.sort, at)
  return (
    <>
      <Days hits={found.answer.items} after={previous && lastHitOf(asked, previous)} onOpen={props.onOpen} />
      {onMore &&
        (next ? (
          <button type="button" className={styles.more} onClick={() => onMore(next)}>
            {t.more}
          </button>
        ) : (
          <p className={styles.end}>{t.end}</p>
        ))}
    </>
  )
}

function lastHitOf(asked: Asked, at: PageAt): Hit | null {
  const key = queryKeyOf(searchMessages, inputOf(asked, at))
  return cache.getQueryData<AnswerOf<typeof searchMessages>>(key)?.items.at(-1) ?? null
}

/** The hits under the days on which they were sent; those of the day of `after` go on under it. */
function Days(props: { hits: readonly Hit[]; after: Hit | null; onOpen: () => void }) {
  const locale = useLocale()
  const days: Hit[][] = []
  for (const hit of props.hits) {
    const day = days.at(-1)
    if (day && sameDay(day[0]!.message.create_at, hit.message.create_at)) day.push(hit)
    else days.push([hit])
  }
  return days.map((day, index) => {
    const at = day[0]!.message.create_at
    const goesOn = index === 0 && props.after && sameDay(props.after.message.create_at, at)
    return (
      <section key={day[0]!.message.id}>
        {!goesOn && <h2 className={styles.day}>{dayLabel(at, Date.now(), locale)}</h2>}
        <ul className={styles.card}>
          {day.map((hit) => (
            <HitRow key={hit.message.id} hit={hit} onOpen={props.onOpen} />
          ))}
        </ul>
      </section>
    )
  })
}

/** Rows in the place of those that are looked for. */
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
