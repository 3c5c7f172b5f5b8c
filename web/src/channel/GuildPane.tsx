import { viewGuild } from '@guildhall/wire/channel/channel.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import { offeredApps } from '@guildhall/wire/site/appsCookie.ts'
import { useState } from 'react'
import { Link, useLocation } from 'react-router'
import { useMe } from '../auth/auth.ts'
import { useText } from '../kit/i18n.ts'
import { lazy, Suspense } from '../kit/lazy/lazy.tsx'
import { loadPart } from '../kit/lazy/lazyPart.ts'
import { paths } from '../kit/paths.ts'
import { useRouteQuery } from '../kit/routeQuery.ts'
import { buttonClass } from '../ui/Button.tsx'
import { LockIcon, ShieldIcon } from '../ui/icon/channelIcons.tsx'
import { NextIcon } from '../ui/icon/icons.tsx'
import { EmptyState } from '../ui/state/EmptyState.tsx'
import { ErrorState } from '../ui/state/ErrorState.tsx'
import styles from './ChannelsScreen.module.css'
import { TreeSkeleton } from './ChannelsSkeleton.tsx'
import { NoChannelDrawing } from './face/drawings.tsx'
import { GuildFace } from './face/GuildFace.tsx'
import type { InviteFriendsSheet, LastWordsLine } from './face/later.ts'
import { Tree } from './Tree.tsx'
import { text } from './text.ts'

export const GuildMenu = lazy(() => loadPart(() => import('./GuildMenu.tsx')))
const GuildNotes = lazy(() =>
  loadPart(() => import('../onboarding/onboarding.tsx')).then((it) => ({ default: it.GuildNotes })),
)
const OpenAppTip = lazy(() => loadPart(() => import('../native/openApp/OpenAppTip.tsx')))

/** The open guild: its face and its channels. */
export function GuildPane(props: {
  guildId: GuildId
  InviteFriends: InviteFriendsSheet
  LastWords: LastWordsLine
}) {
  const { guildId, InviteFriends } = props
  const [isMenuOpen, setMenuOpen] = useState(false)
  const { search } = useLocation()
  const t = useText(text)
  const guild = useRouteQuery(viewGuild, { id: guildId })
  if (guild.status === 'failed') {
    const { name, message } = guild.failure
    const isGone = name === 'forbidden' || name === 'bad_input'
    return isGone ? <Gone /> : <ErrorState top title={t.failed} message={message} onRetry={guild.refetch} />
  }
  if (!guild.answer) return <TreeSkeleton />
  const { offers_roles, has_checklist } = guild.answer.user_config
  return (
    <>
      <GuildFace guild={guild.answer} InviteFriends={InviteFriends} onMenu={() => setMenuOpen(true)} />
      <Suspense>
        {isMenuOpen && (
          <GuildMenu guildId={guildId} InviteFriends={InviteFriends} onClose={() => setMenuOpen(false)} />
        )}
      </Suspense>
      <Tip path={paths.guild(guildId)} />
      {(offers_roles || has_checklist || search !== '') && (
        <Suspense>
          <GuildNotes key={guildId} guild={guild.answer} isCovered={isMenuOpen} />
        </Suspense>
      )}
      {guild.answer.channels.length === 0 ? (
        <EmptyState icon={<NoChannelDrawing />} title={t.noChannel} message={t.noChannelWhy} />
      ) : (
        <Tree guild={guild.answer} LastWords={props.LastWords} />
      )}
    </>
  )
}

/** In place of a guild that this person may not see, or no longer. */
function Gone() {
  const t = useText(text)
  return (
    <EmptyState
      top
      icon={<LockIcon />}
      title={t.gone}
      message={t.goneWhy}
      action={
        <Link className={buttonClass('soft')} to={paths.channels()} replace>
          {t.mine}
        </Link>
      }
    />
  )
}

/** Above the channels: the way to verify a number, or else to the app, where one is offered. */
function Tip({ path }: { path: string }) {
  const t = useText(text)
  if (!useMe().mobile_verified)
    return (
      <Link className={styles.tip} to={paths.authenticate()}>
        <ShieldIcon size={18} />
        <span>{t.verification}</span>
        <NextIcon size={16} />
      </Link>
    )
  return (
    offeredApps(document.cookie).length > 0 && (
      // On a phone its place is kept.
      <Suspense fallback={navigator.maxTouchPoints > 0 && <div className={styles.tip} data-app />}>
        <OpenAppTip path={path} className={styles.tip} />
      </Suspense>
    )
  )
}
