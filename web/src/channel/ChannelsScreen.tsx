import { listGuilds } from '@guildhall/wire/guild/guild.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import { siteName } from '@guildhall/wire/siteName.ts'
import { type ComponentType, use, useEffect, useLayoutEffect, useState } from 'react'
import { Navigate, useParams } from 'react-router'
import { useTitle } from '../guild/guild.ts'
import { readStored, writeStored } from '../kit/browser/storage.ts'
import { useText } from '../kit/i18n.ts'
import { Suspense } from '../kit/lazy/lazy.tsx'
import { paths } from '../kit/paths.ts'
import { useRouteQuery } from '../kit/routeQuery.ts'
import { Button } from '../ui/Button.tsx'

import { DeskContext } from '../ui/page/desk.ts'
import { left, useEntrance } from '../ui/page/useEntrance.ts'
import { EmptyState } from '../ui/state/EmptyState.tsx'
import { ErrorState } from '../ui/state/ErrorState.tsx'
import styles from './ChannelsScreen.module.css'
import { TreeSkeleton } from './ChannelsSkeleton.tsx'
import { NoGuildDrawing } from './face/drawings.tsx'
import type { InviteFriendsSheet, LastWordsLine } from './face/later.ts'
import { GuildPane } from './GuildPane.tsx'
import { Rail } from './Rail.tsx'
import { type NewGuildSheet, type RailSheet, RailSheets } from './RailSheets.tsx'
import { text } from './text.ts'

export type { InviteFriendsSheet, LastWordsLine, NewGuildSheet, RailSheet }
// From here, because they are in one file of the built page with this screen.
export { GuildPane, Rail, RailSheets }

/** Sheets of a later noun, which are loaded when they are opened, and the second line of a channel. */
export interface GuildSheets {
  /** Creates a guild or joins one. */
  readonly NewGuild: NewGuildSheet
  readonly InviteFriends: InviteFriendsSheet
  readonly LastWords: LastWordsLine
  /** What stands beside the rail in place of a guild, at /discover. */
  readonly Discover?: ComponentType
}

/** /channels/ and /channels/:guildId: the rail of guilds and the channels of the open guild. chat.md §2. */
export default function ChannelsScreen({ NewGuild, InviteFriends, LastWords, Discover }: GuildSheets) {
  const t = useText(text)
  const { guildId } = useParams()
  const desk = use(DeskContext)
  const guilds = useRouteQuery(listGuilds, {})
  const [sheet, setSheet] = useState<RailSheet | null>(null)
  const add = desk?.addGuild ?? (() => setSheet('add'))
  const name = guilds.answer?.find((guild) => guild.id === guildId)?.name ?? ''
  useTitle((guildId ?? null) as GuildId | null, Discover ? t.discover : name || t.title, useText(siteName))
  const enters = useEntrance('list')
  useLayoutEffect(() => keepList, [])
  useEffect(() => {
    setSheet((open) => (open === 'add' ? null : open))
    if (guildId) writeStored('last_guild', guildId)
  }, [guildId])
  if (!guildId && !Discover && sheet !== 'add' && guilds.answer && guilds.answer.length > 0) {
    const last = readStored('last_guild')
    const open = guilds.answer.find((guild) => guild.id === last) ?? guilds.answer[0]
    if (open) return <Navigate to={paths.guild(open.id)} replace />
  }
  const content = Discover ? (
    <Suspense>
      <Discover />
    </Suspense>
  ) : guildId ? (
    desk ? null : (
      <GuildPane
        key={guildId}
        guildId={guildId as GuildId}
        InviteFriends={InviteFriends}
        LastWords={LastWords}
      />
    )
  ) : (
    <NoGuild onAdd={add} />
  )
  if (desk) return <main className={styles.guild}>{content}</main>
  return (
    <div className={styles.channels} data-enters={enters}>
      <Rail
        guildId={guildId}
        isDiscovering={Discover !== undefined}
        onMenu={() => setSheet('menu')}
        onAdd={add}
        onGuild={(guildId) => setSheet({ guildId })}
      />
      <main className={styles.guild}>{content}</main>
      <RailSheets
        open={sheet}
        NewGuild={NewGuild}
        InviteFriends={InviteFriends}
        onClose={() => setSheet(null)}
      />
    </div>
  )
}

/** Keeps a copy of the list that is about to go, for a drag that leads back to it. */
const keepList = () => {
  const list = document.querySelector('main')?.parentElement
  if (!list) return
  const copy = list.cloneNode(true) as Element
  const tops = Array.from(list.querySelectorAll('nav,ul'), (it) => it.scrollTop)
  copy.querySelectorAll('nav,ul').forEach((it, index) => {
    it.setAttribute('data-top', `${tops[index]}`)
  })
  left.list = copy
}

/** In place of a guild until the user is in one. */
function NoGuild({ onAdd }: { onAdd: () => void }) {
  const t = useText(text)
  const guilds = useRouteQuery(listGuilds, {})
  if (guilds.status === 'failed')
    return <ErrorState top title={t.failed} message={guilds.failure.message} onRetry={guilds.refetch} />
  if (!guilds.answer) return <TreeSkeleton />
  return (
    <EmptyState
      top
      icon={<NoGuildDrawing />}
      title={t.noGuild}
      message={t.noGuildWhy}
      action={<Button onPress={onAdd}>{t.addGuild}</Button>}
    />
  )
}
