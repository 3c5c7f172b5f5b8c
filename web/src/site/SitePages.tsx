/** Pages around the product, in one file: /home, /activity/kook717, /buff-refund-info. */

import { type InviteCode, isInviteCode } from '@guildhall/wire/id.ts'
import { viewInvite } from '@guildhall/wire/invite/invite.ts'
import { useEffect, useRef, useState } from 'react'
import { Link, Navigate, useLocation, useNavigate } from 'react-router'
import { isLoggedIn } from '../auth/auth.ts'
import { acceptInvite } from '../invite/invite.ts'
import { readStored, writeStored } from '../kit/browser/storage.ts'
import { CallFailure } from '../kit/call.ts'
import { useText } from '../kit/i18n.ts'
import { paths } from '../kit/paths.ts'
import { useRouteQuery } from '../kit/routeQuery.ts'
import { Button, buttonClass } from '../ui/Button.tsx'
import { toast } from '../ui/overlay/Toast.tsx'
import { Page } from '../ui/page/Page.tsx'
import { useProductTitle } from '../ui/page/useProductTitle.ts'
import { GuildIcon } from '../ui/picture/GuildIcon.tsx'
import { EmptyState } from '../ui/state/EmptyState.tsx'
import { LoadingState } from '../ui/state/LoadingState.tsx'
import { InvitationDrawing, RefundDrawing } from './drawings.tsx'
import styles from './SitePages.module.css'
import { text } from './siteText.ts'

export default function SitePages() {
  const { pathname } = useLocation()
  if (pathname.startsWith('/home')) return <Home />
  return pathname.startsWith('/activity/kook717') ? <Activity /> : <RefundInfo />
}

/**
 * Where a guest of the native app waits with an invite: it is accepted as soon as there is a login. chat.md
 * §2, §4.
 */
function Home() {
  const [pending] = useState(() => readStored('pending_join'))
  if (!pending || !isInviteCode(pending.code))
    return <Navigate to={isLoggedIn() ? paths.channels() : paths.home()} replace />
  return isLoggedIn() ? <Joining code={pending.code} /> : <Waiting code={pending.code} />
}

function Joining({ code }: { code: InviteCode }) {
  const t = useText(text)
  const navigate = useNavigate()
  const isAsked = useRef(false)
  useEffect(() => {
    if (isAsked.current) return
    isAsked.current = true
    writeStored('pending_join', null)
    acceptInvite({ code }).then(
      ({ guild_id }) => void navigate(paths.guild(guild_id), { replace: true }),
      (error: unknown) => {
        if (error instanceof CallFailure) toast(error.message)
        void navigate(paths.channels(), { replace: true })
      },
    )
  }, [code, navigate])
  return (
    <Page>
      <LoadingState page message={t.joining} />
    </Page>
  )
}

function Waiting({ code }: { code: InviteCode }) {
  const t = useText(text)
  const navigate = useNavigate()
  useProductTitle(t.home)
  const guild = useRouteQuery(viewInvite, { id: code }).answer?.guild
  const leave = () => {
    writeStored('pending_join', null)
    void navigate(paths.home(), { replace: true })
  }
  return (
    <Page>
      <EmptyState
        page
        icon={
          guild ? (
            <GuildIcon id={guild.id} name={guild.name} src={guild.icon} size={72} />
          ) : (
            <InvitationDrawing />
          )
        }
        title={t.invited}
        message={guild ? t.invitedTo(guild.name) : t.invitedWhy}
        action={
          <>
            <Link className={buttonClass('main')} to={paths.login()}>
              {t.login}
            </Link>
            <Button kind="soft" onPress={leave}>
              {t.notNow}
            </Button>
          </>
        }
      />
    </Page>
  )
}

/** A picture, and nothing else. commerce.md §2. */
function Activity() {
  const t = useText(text)
  useProductTitle(t.activity)
  return (
    <Page>
      <main className={styles.activity}>
        <h1 className="unseen">{t.activity}</h1>
        <img src="/activity-717.svg" width={780} height={1688} alt={t.activityPicture} />
      </main>
    </Page>
  )
}

/** A notice. commerce.md §2. */
function RefundInfo() {
  const t = useText(text)
  useProductTitle(t.refund)
  return (
    <Page>
      <EmptyState
        page
        icon={<RefundDrawing />}
        title={t.refund}
        message={t.refundWords}
        action={
          <Link className={buttonClass('soft')} to={paths.home()}>
            {t.toHome}
          </Link>
        }
      />
    </Page>
  )
}
