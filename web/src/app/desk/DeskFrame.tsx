import type { ChannelId, GuildId } from '@guildhall/wire/id.ts'
import { lazy, Suspense, useEffect, useMemo, useState } from 'react'
import { matchPath, Outlet, useLocation } from 'react-router'
import {
  GuildPane,
  type InviteFriendsSheet,
  type NewGuildSheet,
  Rail,
  type RailSheet,
  RailSheets,
} from '../../channel/ChannelsScreen.tsx'
import { readStored, writeStored } from '../../kit/browser/storage.ts'
import { useText } from '../../kit/i18n.ts'
import { loadPart } from '../../kit/lazyPart.ts'
import { paths } from '../../kit/paths.ts'
import type { PersonSheet } from '../../member/MemberListScreen.tsx'
import { type Desk, DeskContext } from '../../ui/page/desk.ts'
import { Column } from './Column.tsx'
import styles from './DeskFrame.module.css'
import { DeskRows } from './DeskRows.tsx'
import { deskText } from './deskText.ts'
import { useKeys } from './keys/useKeys.ts'
import { useRoving } from './keys/useRoving.ts'
import { LastRoom } from './LastRoom.tsx'
import { MembersColumn } from './MembersColumn.tsx'
import { useColumns } from './useColumns.ts'
import { usePointer } from './usePointer.ts'

const Switcher = lazy(() => loadPart(() => import('./switcher/Switcher.tsx')))
const KeyList = lazy(() => loadPart(() => import('./keys/KeyList.tsx')))

/**
 * The columns of a desk: the rail on every page of who is logged in, a guild's channels, the open page, and
 * beside a room its members.
 */
export default function DeskFrame(props: {
  NewGuild: NewGuildSheet
  InviteFriends: InviteFriendsSheet
  PersonSheet: PersonSheet
}) {
  const { pathname } = useLocation()
  const { guildId, channelId, isGuild } = openedBy(pathname)
  const [sheet, setSheet] = useState<RailSheet | null>(null)
  const [above, setAbove] = useState<'keys' | 'switcher' | null>(null)
  const t = useText(deskText)
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
  })
  return (
    <DeskContext value={desk}>
      <div className={styles.frame}>
        <Rail
          guildId={guildId ?? undefined}
          isDiscovering={pathname === paths.discover()}
          onMenu={() => setSheet('menu')}
          onAdd={desk.addGuild}
          onGuild={(guildId) => setSheet({ guildId })}
        />
        {guildId && (
          <Column side="channels" label={t.channels} columns={columns}>
            <GuildPane key={guildId} guildId={guildId} InviteFriends={props.InviteFriends} />
          </Column>
        )}
        <div className={styles.content} data-column>
          {isGuild ? <LastRoom guildId={guildId!} /> : <Outlet />}
        </div>
        {guildId && channelId && hasMembers && (
          <MembersColumn
            key={channelId}
            guildId={guildId}
            channelId={channelId}
            columns={columns}
            PersonSheet={props.PersonSheet}
          />
        )}
        <Suspense>
          {above === 'keys' && <KeyList onClose={() => setAbove(null)} />}
          {above === 'switcher' && <Switcher onClose={() => setAbove(null)} />}
        </Suspense>
        <RailSheets
          open={sheet}
          NewGuild={props.NewGuild}
          InviteFriends={props.InviteFriends}
          onClose={() => setSheet(null)}
        />
      </div>
    </DeskContext>
  )
}

/** The guild and channel that a page is of. `isGuild`: it is the guild's own, which shows its last room. */
function openedBy(pathname: string) {
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
  const others = (readStored('recent') ?? []).filter((path) => path !== pathname)
  writeStored('recent', [pathname, ...others].slice(0, RECENT_MAX))
}
