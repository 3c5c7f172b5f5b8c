import type { Guild } from '@guildhall/wire/channel/channel.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import { userList } from '@guildhall/wire/member/userList.ts'
import { EVERYONE, has, permission } from '@guildhall/wire/permission/permission.ts'
import { useEffect, useRef, useState } from 'react'
import { useMe } from '../../auth/auth.ts'
import { useText } from '../../kit/i18n.ts'
import { useDebounced } from '../../kit/useDebounced.ts'
import { type RoutePages, useRoutePages } from '../../kit/useRoutePages.ts'
import { ActionRows } from '../../ui/ActionRow.tsx'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/state/EmptyState.tsx'
import { Loaded } from '../../ui/state/Loaded.tsx'
import { onMembersChanged } from '../refreshMembers.ts'
import { BulkSheet, kindsFor } from './BulkSheet.tsx'
import { MembersDrawing } from './drawings.tsx'
import { ListedRow, mayChoose } from './ListedRow.tsx'
import { ALL, type Filter, MemberFilters } from './MemberFilters.tsx'
import styles from './Members.module.css'
import { OutcomeSheet } from './OutcomeSheet.tsx'
import { PruneSheet } from './PruneSheet.tsx'
import { pruneText } from './pruneText.ts'
import { text } from './text.ts'
import { BULK_MAX, type BulkAct, type ListedMember, useBulk } from './useBulk.ts'

/** After the last key of a search, ms. */
const SEARCH_AFTER_MS = 250

type Chosen = ReadonlyMap<UserId, ListedMember>
const NOBODY: Chosen = new Map()

/** The members of a guild, found by name, role and times, each and several of them to be acted on. */
export function MembersSettings(props: { guild: Guild; filter: Filter; onFilter: (filter: Filter) => void }) {
  const { guild, filter, onFilter } = props
  const search = useDebounced(filter.search.trim(), SEARCH_AFTER_MS)
  const { roleId, joinedDays, silentDays, muted } = filter
  const found = useRoutePages(userList, {
    guild_id: guild.id,
    ...(search !== '' && { search }),
    ...(roleId !== EVERYONE && { role_id: roleId }),
    // Of those who came lately the last one is first.
    ...(joinedDays > 0 && { joined_days: joinedDays, joined_at: 1 }),
    ...(silentDays > 0 && { silent_days: silentDays }),
    ...(muted !== '' && { muted: Number(muted) }),
  })
  useAgain(found.refetch)
  return (
    <>
      <MemberFilters guild={guild} filter={filter} onChange={onFilter} />
      {has(guild.permissions, permission.remove_member) && <Prune guild={guild} />}
      <Found guild={guild} found={found} filter={filter} onClear={() => onFilter(ALL)} />
    </>
  )
}

function Prune({ guild }: { guild: Guild }) {
  const t = useText(pruneText)
  const [isOpen, setOpen] = useState(false)
  return (
    <div className={styles.prune}>
      <Button kind="soft" onPress={() => setOpen(true)}>
        {t.title}
      </Button>
      {isOpen && <PruneSheet guild={guild} onClose={() => setOpen(false)} />}
    </div>
  )
}

/** Loads again when the reader changed a member. */
function useAgain(refetch: () => void): void {
  const latest = useRef(refetch)
  latest.current = refetch
  useEffect(() => onMembersChanged(() => latest.current()), [])
}

function Found(props: {
  guild: Guild
  found: RoutePages<ListedMember>
  filter: Filter
  onClear: () => void
}) {
  const { guild, found, filter } = props
  const t = useText(text)
  const meId = useMe()?.id ?? ''
  const [chosen, setChosen] = useState(NOBODY)
  const isAll = JSON.stringify(filter) === JSON.stringify(ALL)
  const choose = (members: readonly ListedMember[]) =>
    setChosen((now) => new Map([...now, ...members.map((it) => [it.id, it] as const)].slice(0, BULK_MAX)))
  const unchoose = (id: UserId) => setChosen((now) => new Map([...now].filter(([each]) => each !== id)))
  const isFull = chosen.size >= BULK_MAX
  return (
    <Loaded of={found} title={t.failed}>
      {({ items, total }) => {
        const free = items.filter((it) => mayChoose(guild, meId, it) && !chosen.has(it.id))
        return (
          <>
            <div className={styles.head}>
              <p className={styles.count} role="status">
                {t.count(total)}
              </p>
              {!isAll && (
                <Button kind="quiet" onPress={props.onClear}>
                  {t.clear}
                </Button>
              )}
              {free.length > 0 && !isFull && (
                <Button kind="quiet" onPress={() => choose(free)}>
                  {t.selectAll}
                </Button>
              )}
            </div>
            {items.length === 0 ? (
              <EmptyState icon={<MembersDrawing />} title={t.none} message={t.noneWhy} />
            ) : (
              <ActionRows
                label={t.members}
                hasMore={found.hasMore}
                isLoadingMore={found.isLoadingMore}
                onMore={found.loadMore}
              >
                {items.map((it) => (
                  <ListedRow
                    key={it.id}
                    guild={guild}
                    meId={meId}
                    member={it}
                    isChosen={chosen.has(it.id)}
                    isFull={isFull}
                    onChosen={(isOn) => (isOn ? choose([it]) : unchoose(it.id))}
                  />
                ))}
              </ActionRows>
            )}
            <Several guild={guild} chosen={chosen} onOver={() => setChosen(NOBODY)} />
          </>
        )
      }}
    </Loaded>
  )
}

/** The bar of those who are chosen, and what is done to them. */
function Several(props: { guild: Guild; chosen: Chosen; onOver: () => void }) {
  const { guild, chosen } = props
  const t = useText(text)
  const [isAsked, setAsked] = useState(false)
  const [isHidden, setHidden] = useState(false)
  const { bulk, start, again, undo, end } = useBulk(guild.id)
  const act = (what: BulkAct) => {
    setAsked(false)
    setHidden(false)
    void start(what, [...chosen.values()])
    props.onOver()
  }
  const done = bulk?.outcomes.filter(({ state }) => state !== 'waiting').length ?? 0
  return (
    <>
      {bulk?.isBusy && isHidden ? (
        <div className={styles.bar}>
          <p className={styles.chosen}>{t.working(done, bulk.outcomes.length)}</p>
        </div>
      ) : (
        chosen.size > 0 && (
          <div className={styles.bar}>
            <p className={styles.chosen} role="status">
              {t.selected(chosen.size)}
              {chosen.size >= BULK_MAX && <span className={styles.most}>{t.selectMost(BULK_MAX)}</span>}
            </p>
            <Button kind="quiet" onPress={props.onOver}>
              {t.unselect}
            </Button>
            {kindsFor(guild).length > 0 && <Button onPress={() => setAsked(true)}>{t.act}</Button>}
          </div>
        )
      )}
      {isAsked && (
        <BulkSheet guild={guild} count={chosen.size} onChosen={act} onClose={() => setAsked(false)} />
      )}
      {bulk && !(bulk.isBusy && isHidden) && (
        <OutcomeSheet
          guildId={guild.id}
          bulk={bulk}
          onAgain={again}
          onUndo={undo}
          onClose={() => (bulk.isBusy ? setHidden(true) : end())}
        />
      )}
    </>
  )
}
