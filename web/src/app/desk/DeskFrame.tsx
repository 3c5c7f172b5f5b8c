import type { ChannelId, GuildId } from '@guildhall/wire/id.ts'
import { useEffect, useMemo, useState } from 'react'
import { matchPath, Outlet, useLocation, useNavigate } from 'react-router'
import type { RailSheet } from '../../channel/ChannelsScreen.tsx'
import { ChannelsSkeleton } from '../../channel/ChannelsSkeleton.tsx'
import { readStored, writeStored } from '../../kit/browser/storage.ts'
import { storedList } from '../../kit/browser/storedList.ts'
import { lazy, Suspense } from '../../kit/lazy/lazy.tsx'
import { loadPart } from '../../kit/lazy/lazyPart.ts'
import { paths } from '../../kit/paths.ts'
import type { PersonSheet } from '../../member/MemberListScreen.tsx'
import { type Desk, DeskContext } from '../../ui/page/desk.ts'
import { screen } from '../screen.tsx'
import styles from './DeskFrame.module.css'
import { useKeys } from './keys/useKeys.ts'
import { useRoving } from './keys/useRoving.ts'
import { type Columns, useColumns } from './useColumns.ts'
import { usePointer } from './usePointer.ts'

// A room is shown as soon as it is there; the columns around it come in files of their own.
const LeftColumns = screen(() => import('./LeftColumns.tsx'))
const MembersColumn = screen(() => import('./MembersColumn.tsx'))
const LastRoom = screen(() => import('./LastRoom.tsx'))
const DeskRows = lazy(() => loadPart(() => import('./DeskRows.tsx')))
for (const column of [LeftColumns, MembersColumn]) column.preload().catch(() => undefined)
const Switcher = lazy(() => loadPart(() => import('./switcher/Switcher.tsx')))
const KeyList = lazy(() => loadPart(() => import('./keys/KeyList.tsx')))

/**
 * The columns of a desk: the rail on every page of who is logged in, a guild's channels, the open page, and
 * beside a room its members.
 */
export default function DeskFrame(props: { PersonSheet: PersonSheet }) {
  const { pathname, search, state } = useLocation()
  const navigate = useNavigate()
  const { guildId, channelId, isGuild } = openedBy(pathname, search)
  const [sheet, setSheet] = useState<RailSheet | null>(null)
  const [above, setAbove] = useState<'keys' | 'switcher' | null>(null)
  const columns = useColumns()
  const { hasMembers, toggleMembers } = columns
  const desk: Desk = useMemo(
    () => ({ addGuild: () => setSheet('add'), hasMembers, toggleMembers, SettingRows: DeskRows }),
    [hasMembers, toggleMembers],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes what the rail opened
  useEffect(() => setSheet(null), [pathname])
  useEffect(() => remember(pathname), [pathname])
  useEffect(() => {
    if (guildId && channelId)
      writeStored('last_channels', { ...readStored('last_channels'), [guildId]: channelId })
  }, [guildId, channelId])
  usePointer()
  useRoving()
  useKeys({
    channelId,
    showKeys: () => setAbove('keys'),
    openSwitcher: () => setAbove('switcher'),
    search: () =>
      void (channelId
        ? navigate(`${pathname}?search=`, { state: { ...state, isFinding: true } })
        : navigate('/search')),
  })
  return (
    <DeskContext value={desk}>
      <div className={styles.frame}>
        <Suspense fallback={<LeftSkeleton columns={guildId && columns} />}>
          <LeftColumns
            guildId={guildId}
            isDiscovering={pathname === paths.discover()}
            columns={columns}
            sheet={sheet}
            onSheet={setSheet}
          />
        </Suspense>
        <div className={styles.content} data-column>
          <Suspense>{isGuild ? <LastRoom guildId={guildId!} /> : <Outlet />}</Suspense>
        </div>
        {guildId && channelId && hasMembers && (
          <Suspense fallback={<div className={styles.column} style={{ width: columns.widths.members }} />}>
            <MembersColumn
              key={channelId}
              guildId={guildId}
              channelId={channelId}
              columns={columns}
              PersonSheet={props.PersonSheet}
            />
          </Suspense>
        )}
        <Suspense>
          {above === 'keys' && <KeyList onClose={() => setAbove(null)} />}
          {above === 'switcher' && <Switcher onClose={() => setAbove(null)} />}
        </Suspense>
      </div>
    </DeskContext>
  )
}

/** As wide as the rail, px. */
const RAIL = 72

/** In place of the rail and, on a page of a guild, of its channels. */
const LeftSkeleton = ({ columns }: { columns: Columns | null }) => (
  <div className={styles.column} style={{ width: RAIL + (columns?.widths.channels ?? 0) }}>
    {columns && <ChannelsSkeleton />}
  </div>
)

/** The guild and channel that a page is of. `isGuild`: it is the guild's own, which shows its last room. */
function openedBy(pathname: string, search: string) {
  // A search shows the guild from which it came.
  if (pathname === '/search')
    return {
      guildId: (/[?&]guild=(\d+)/.exec(search)?.[1] ?? null) as GuildId | null,
      channelId: null,
      isGuild: false,
    }
  const { params } = matchPath('/channels/:guildId/:channelId?', pathname) ?? {}
  if (params?.guildId === 'userlist')
    return { guildId: params.channelId as GuildId, channelId: null, isGuild: false }
  const guildId = (params?.guildId ?? null) as GuildId | null
  const channelId = (params?.channelId ?? null) as ChannelId | null
  return { guildId, channelId, isGuild: guildId !== null && channelId === null }
}

/** Rooms and conversations that the switcher offers first. */
const RECENT_MAX = 10

function remember(pathname: string): void {
  if (!/^\/(?:channels\/\d+|chats)\/\w+$/.test(pathname)) return
  const others = storedList('recent').filter((path) => path !== pathname)
  writeStored('recent', [pathname, ...others].slice(0, RECENT_MAX))
}
