import { type Guild, viewGuild } from '@guildhall/wire/channel/channel.ts'
import { flat } from '@guildhall/wire/channel/flat.ts'
import type { ChannelId, GuildId } from '@guildhall/wire/id.ts'
import { listMembers, type MemberGroup } from '@guildhall/wire/member/member.ts'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ComponentType, type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { Link, useLocation, useNavigate, useParams, useSearchParams } from 'react-router'
import { useMe } from '../auth/auth.ts'
import { useTitle } from '../guild/guild.ts'
import { useText } from '../kit/i18n.ts'
import { Suspense } from '../kit/lazy/lazy.tsx'
import { paths } from '../kit/paths.ts'
import { useRouteQuery } from '../kit/routeQuery.ts'
import { text as commonText } from '../kit/text.ts'
import { buttonClass } from '../ui/Button.tsx'
import { LockIcon } from '../ui/icon/channelIcons.tsx'
import { TextChannelIcon } from '../ui/icon/icons.tsx'
import { TopBar } from '../ui/page/TopBar.tsx'
import { useEntrance } from '../ui/page/useEntrance.ts'
import { EmptyState } from '../ui/state/EmptyState.tsx'
import { ErrorState } from '../ui/state/ErrorState.tsx'
import { Skeleton } from '../ui/state/Skeleton.tsx'
import { MemberListDrawing } from './drawings.tsx'
import styles from './MemberListScreen.module.css'
import { MemberRow, MemberRowSkeleton } from './MemberRow.tsx'
import { ListRows, type Member, type MemberPages } from './memberPages.ts'
import { text } from './text.ts'
import { useMemberPages } from './useMemberPages.ts'

/** What the card of a member needs; the app passes it in. */
export type PersonSheet = ComponentType<{
  userId: string
  known: Member | null
  guildId: GuildId
  guild: Guild | null
  meId: string
  onMention: null
  onClose: () => void
}>

const HEAD_HEIGHT = 40
const ROW_HEIGHT = 56
/**
 * Nearer to the end than this, px, the next page is loaded; and how often that is looked at, ms. chat.md §9.
 */
const NEAR_END = 10
const SCROLL_LOOK_MS = 200
/** After the last key of a search, ms. */
const SEARCH_AFTER_MS = 250

/**
 * /channels/userlist/:guildId, with `c` the members who may view a channel. chat.md §2 "Member list screen".
 */
export default function MemberListScreen({ PersonSheet }: { PersonSheet: PersonSheet }) {
  const { guildId = '' } = useParams()
  const [query] = useSearchParams()
  const channelId = query.get('c')
  return (
    <MemberList
      key={`${guildId} ${channelId}`}
      guildId={guildId as GuildId}
      channelId={channelId as ChannelId | null}
      PersonSheet={PersonSheet}
    />
  )
}

function MemberList(props: { guildId: GuildId; channelId: ChannelId | null; PersonSheet: PersonSheet }) {
  const { guildId, channelId } = props
  const t = useText(text)
  const enters = useEntrance('room')
  const guild = useRouteQuery(viewGuild, { id: guildId })
  const goBack = useWayBack(guildId, channelId)
  const location = locationName(guild.answer, channelId)
  useTitle(guildId, t.members, guild.answer?.name ?? '')
  return (
    <div className={styles.screen} data-enters={enters}>
      <TopBar
        title={
          location ||
          (guild.failure ? (
            t.members
          ) : (
            <>
              <Skeleton width={96} height={18} />
              <span className="unseen">{t.members}</span>
            </>
          ))
        }
        icon={channelId ? <TextChannelIcon size={20} /> : undefined}
        onBack={goBack}
      />
      <main className={styles.main} aria-label={t.membersOf(location)}>
        <Members {...props} guild={guild.answer} />
      </main>
    </div>
  )
}

/** The members, in groups or as they are found, and the card of the one who was chosen. */
export function Members(props: {
  guildId: GuildId
  channelId: ChannelId | null
  guild: Guild | null
  PersonSheet: PersonSheet
}) {
  const { guildId, channelId, guild, PersonSheet } = props
  const me = useMe()
  const [search, setSearch] = useState('')
  const [open, setOpen] = useState<Member | null>(null)
  return (
    <>
      <SearchBox value={search} onChange={setSearch} />
      {search.trim() === '' ? (
        <Everybody guildId={guildId} channelId={channelId} onOpen={setOpen} />
      ) : (
        <Found guildId={guildId} channelId={channelId} search={search.trim()} onOpen={setOpen} />
      )}
      {open && (
        <Suspense fallback={null}>
          <PersonSheet
            key={open.id}
            userId={open.id}
            known={open}
            guildId={guildId}
            guild={guild}
            meId={me.id}
            onMention={null}
            onClose={() => setOpen(null)}
          />
        </Suspense>
      )}
    </>
  )
}

function SearchBox({ value, onChange }: { value: string; onChange: (typed: string) => void }) {
  const t = useText(text)
  return (
    <div className={styles.search}>
      <input
        type="search"
        className={styles.input}
        aria-label={t.search}
        placeholder={t.searchHint}
        maxLength={60}
        autoCapitalize="off"
        autoCorrect="off"
        spellCheck={false}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </div>
  )
}

interface ListProps {
  guildId: GuildId
  channelId: ChannelId | null
  onOpen: (member: Member) => void
}

/** All members in their groups. Only what is on screen is drawn. */
function Everybody({ guildId, channelId, onOpen }: ListProps) {
  const t = useText(text)
  const scroller = useRef<HTMLDivElement>(null)
  const visible = useRef<readonly number[]>([])
  const { state, failure, loadMore } = useMemberPages(guildId, channelId, () => visible.current)
  const rows = useMemo(() => new ListRows(state), [state])
  const list = useVirtualizer({
    count: rows.count,
    getScrollElement: () => scroller.current,
    estimateSize: (row) => (rows.at(row).kind === 'head' ? HEAD_HEIGHT : ROW_HEIGHT),
    getItemKey: (row) => row,
    overscan: 8,
  })
  // Groups that grow or shrink move their heads.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the heights depend on the rows
  useEffect(() => list.measure(), [list, rows])
  const items = list.getVirtualItems()
  visible.current = rows.pagesOf(items.map(({ index }) => index))
  useNearEnd(scroller, loadMore)
  const onArrow = useArrowKeys((row) => list.scrollToIndex(row), rows.count)

  if (failure && (failure.name === 'forbidden' || failure.name === 'bad_input')) return <Refused />
  if (failure && state.groups === null)
    return <ErrorState title={t.failed} message={failure.message} onRetry={loadMore} />
  if (state.groups === null) return <ListSkeleton />
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys move among its buttons
    <div className={styles.list} ref={scroller} onKeyDown={onArrow} data-part="members">
      <ul className={styles.rows} style={{ height: list.getTotalSize() }}>
        {items.map(({ index, start, size }) => {
          const row = rows.at(index)
          return (
            <li
              key={index}
              className={styles.position}
              aria-setsize={rows.count}
              aria-posinset={index + 1}
              style={{ height: size, transform: `translateY(${start}px)` }}
            >
              {row.kind === 'head' ? (
                <GroupHead group={row.group} />
              ) : row.member ? (
                <MemberRow member={row.member} row={index} onOpen={onOpen} />
              ) : (
                <MemberRowSkeleton />
              )}
            </li>
          )
        })}
      </ul>
      <More state={state} failure={failure} rows={rows} onRetry={loadMore} />
    </div>
  )
}

function More(props: {
  state: MemberPages
  failure: { readonly message: string } | null
  rows: ListRows
  onRetry: () => void
}) {
  const t = useText(commonText)
  const { groups } = props.state
  const all = (groups ?? []).reduce((sum, { count }) => sum + count + 1, 0)
  if (props.rows.count >= all) return null
  return props.failure ? (
    <p className={styles.more} role="alert">
      {props.failure.message}
      <button type="button" className={buttonClass('plain')} onClick={props.onRetry}>
        {t.retry}
      </button>
    </p>
  ) : (
    <div role="status" aria-label={t.loading}>
      <MemberRowSkeleton />
    </div>
  )
}

function GroupHead({ group }: { group: MemberGroup }) {
  const t = useText(text)
  const name = group.kind === 'role' ? group.name : t[group.kind]
  return <h2 className={styles.group}>{t.group(name, group.count)}</h2>
}

/** The members whose names fit, the likeliest first. */
function Found(props: ListProps & { search: string }) {
  const { guildId, channelId, onOpen } = props
  const t = useText(text)
  const search = useLater(props.search)
  const asked = useRouteQuery(listMembers, { id: guildId, search, ...(channelId && { c: channelId }) })
  const list = useRef<HTMLDivElement>(null)
  const found = asked.answer?.data ?? []
  const onArrow = useArrowKeys(() => undefined, found.length)
  return (
    <>
      <p className="unseen" role="status">
        {asked.answer ? t.found(found.length) : ''}
      </p>
      {asked.status === 'failed' ? (
        asked.failure.name === 'forbidden' ? (
          <Refused />
        ) : (
          <ErrorState title={t.failed} message={asked.failure.message} onRetry={asked.refetch} />
        )
      ) : asked.status === 'loading' ? (
        <ListSkeleton />
      ) : found.length === 0 ? (
        <EmptyState icon={<MemberListDrawing />} title={t.none} message={t.noneWhy} />
      ) : (
        // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys move among its buttons
        <div className={styles.list} ref={list} onKeyDown={onArrow} data-part="members-found">
          <ul>
            {found.map((member, row) => (
              <li key={member.id}>
                <MemberRow member={member} row={row} onOpen={onOpen} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  )
}

function Refused() {
  const t = useText(text)
  return (
    <EmptyState
      icon={<LockIcon />}
      title={t.refused}
      message={t.refusedWhy}
      action={
        <Link className={buttonClass('soft')} to={paths.channels()} replace>
          {t.mine}
        </Link>
      }
    />
  )
}

function ListSkeleton() {
  const t = useText(commonText)
  return (
    <div className={styles.list} role="status" aria-label={t.loading}>
      <div className={styles.group}>
        <Skeleton width={72} height={14} />
      </div>
      {[1, 2, 3, 4, 5, 6, 7, 8, 9].map((row) => (
        <MemberRowSkeleton key={row} />
      ))}
    </div>
  )
}

/** Calls at the end of the list, looked at a few times a second. */
function useNearEnd(scroller: { readonly current: HTMLDivElement | null }, act: () => void): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | null = null
    const look = () => {
      timer = null
      const box = scroller.current
      if (box && box.scrollHeight - box.scrollTop - box.clientHeight <= NEAR_END) act()
    }
    const onScroll = () => {
      timer ??= setTimeout(look, SCROLL_LOOK_MS)
    }
    const box = scroller.current
    box?.addEventListener('scroll', onScroll, { passive: true })
    // A tall window may show the whole first page.
    onScroll()
    return () => {
      box?.removeEventListener('scroll', onScroll)
      if (timer) clearTimeout(timer)
    }
  })
}

/** The arrow keys move among the members of a list, over the heads between them. */
function useArrowKeys(show: (row: number) => void, count: number) {
  return (event: KeyboardEvent<HTMLDivElement>) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    const from = (event.target as Element).closest('[data-row]')
    // At a desk its keys move in all lists.
    if (step === 0 || !from || event.defaultPrevented) return
    event.preventDefault()
    const list = event.currentTarget
    const focus = (row: number, tries: number): void => {
      if (row < 0 || row >= count || tries === 0) return
      show(row)
      const next = list.querySelector<HTMLElement>(`[data-row="${row}"]`)
      if (next) return next.focus()
      requestAnimationFrame(() => {
        const drawn = list.querySelector<HTMLElement>(`[data-row="${row}"]`)
        if (drawn) drawn.focus()
        else focus(row + step, tries - 1)
      })
    }
    focus(Number(from.getAttribute('data-row')) + step, 3)
  }
}

/** A value once it has stayed the same for a moment. */
function useLater(value: string): string {
  const [late, setLate] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setLate(value), SEARCH_AFTER_MS)
    return () => clearTimeout(timer)
  }, [value])
  return late
}

function locationName(guild: Guild | null, channelId: string | null): string {
  if (!channelId) return guild?.name ?? ''
  const all = flat(guild?.channels ?? [])
  return all.find(({ id }) => id === channelId)?.name ?? guild?.name ?? ''
}

/** The way of the header's arrow: back to where the list was opened, else to the room or the guild. */
function useWayBack(guildId: GuildId, channelId: ChannelId | null): () => void {
  const navigate = useNavigate()
  const isFromHere = useLocation().state?.from === 'guild'
  const path = channelId ? paths.room(guildId, channelId) : paths.guild(guildId)
  return () => void (isFromHere ? navigate(-1) : navigate(path, { replace: true }))
}
