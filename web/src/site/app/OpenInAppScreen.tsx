import { viewGuild } from '@guildhall/wire/channel/channel.ts'
import type { GuildId, InviteCode } from '@guildhall/wire/id.ts'
import { viewInvite } from '@guildhall/wire/invite/invite.ts'
import { siteName } from '@guildhall/wire/siteName.ts'
import { useEffect, useState } from 'react'
import { Link, Navigate, useLocation } from 'react-router'
import { isLoggedIn } from '../../auth/auth.ts'
import { useText } from '../../kit/i18n.ts'
import { paths } from '../../kit/paths.ts'
import { useRouteQuery } from '../../kit/routeQuery.ts'
import { here, isInChatApp } from '../../native/environment.ts'
import { isAppOffered } from '../../native/openApp/appOffer.ts'
import BrowserMask from '../../native/openApp/BrowserMask.tsx'
import { loadNativeApp, openAppAloud, storeLink } from '../../native/openApp/openApp.ts'
import { shell } from '../../native/shell.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { Page } from '../../ui/page/Page.tsx'
import { useProductTitle } from '../../ui/page/useProductTitle.ts'
import { GuildIcon } from '../../ui/picture/GuildIcon.tsx'
import { EmptyState } from '../../ui/state/EmptyState.tsx'
import { LoadingState } from '../../ui/state/LoadingState.tsx'
import styles from './AppPages.module.css'
import { text } from './appText.ts'
import { NoSuchLinkDrawing } from './drawings.tsx'
import { type OpenedLocation, openedLocation } from './openedLocation.ts'

/**
 * /oia: opens the app at a guild, a channel or an invite; from iOS Safari, invites lead here. chat.md §2, §4;
 * decision 67.
 */
export default function OpenInAppScreen() {
  const { pathname, search } = useLocation()
  const opened = openedLocation(pathname, search)
  // Inside of the app the page itself is what is opened.
  if (shell()) return <Navigate to={opened.onWeb} replace />
  return <OpenInApp key={opened.path} opened={opened} />
}

function OpenInApp({ opened }: { opened: OpenedLocation }) {
  const t = useText(text)
  const product = useText(siteName)
  const seen = useSeen(opened)
  useProductTitle(t.inApp)
  if (seen === 'loading')
    return (
      <Page>
        <LoadingState page />
      </Page>
    )
  if (seen === 'invalid')
    return (
      <Page>
        <EmptyState
          page
          icon={<NoSuchLinkDrawing />}
          title={t.invalid}
          message={t.invalidWhy}
          action={
            <Link className={buttonClass('soft')} to={paths.home()}>
              {t.home}
            </Link>
          }
        />
      </Page>
    )
  return (
    <Page>
      <main className={styles.page}>
        <div className={styles.hero}>
          {seen ? (
            <GuildIcon id={seen.id} name={seen.name} src={seen.icon} size={96} className={styles.icon} />
          ) : (
            <img className={styles.icon} src="/logo.svg" alt="" width={96} height={96} />
          )}
          {seen?.inviter && <p className={styles.from}>{t.invited(seen.inviter)}</p>}
          <h1 className={styles.title}>{seen ? seen.name : product}</h1>
          <p className={styles.why}>{t.why}</p>
        </div>
        <Ways opened={opened} />
      </main>
    </Page>
  )
}

/** The app, its download, and the browser. */
function Ways({ opened }: { opened: OpenedLocation }) {
  const t = useText(text)
  const isOffered = isAppOffered()
  const [isBusy, setBusy] = useState(false)
  const [isMasked, setMasked] = useState(false)
  const [hasStore, setStore] = useState(false)
  useEffect(() => {
    if (!isOffered) return
    void loadNativeApp()
    void storeLink().then((store) => setStore(store !== null))
  }, [isOffered])
  const open = async () => {
    if (isInChatApp(here())) return setMasked(true)
    setBusy(true)
    await openAppAloud(opened.asked, opened.isInvite ? location.origin + opened.path : undefined)
    setBusy(false)
  }
  return (
    <div className={styles.ways}>
      {isOffered && (
        <Button
          block
          busy={isBusy}
          className={`${buttonClass('main', true)} ${styles.large}`}
          onPress={() => void open()}
        >
          {t.openApp}
        </Button>
      )}
      {hasStore && (
        <Link className={buttonClass('soft', true)} to={paths.download(opened.onWeb)}>
          {t.download}
        </Link>
      )}
      <Link className={buttonClass(isOffered ? 'plain' : 'main', true)} to={opened.onWeb}>
        {t.goOn}
      </Link>
      {isMasked && <BrowserMask path={opened.asked} onClose={() => setMasked(false)} />}
    </div>
  )
}

interface Seen {
  readonly id: string
  readonly name: string
  readonly icon: string
  readonly inviter: string
}

/** What is opened, as far as this person may know it; null: only the app itself is named. */
function useSeen({ invite, guildId }: OpenedLocation): Seen | null | 'loading' | 'invalid' {
  const asksGuild = guildId !== null && isLoggedIn()
  const invited = useRouteQuery(viewInvite, { id: (invite ?? '') as InviteCode }, invite !== null)
  const guild = useRouteQuery(viewGuild, { id: (guildId ?? '') as GuildId }, asksGuild)
  if (invite !== null) {
    if (invited.status === 'failed') return invited.failure.name.startsWith('invite.') ? 'invalid' : null
    return invited.answer ? { ...invited.answer.guild, inviter: invited.answer.inviter.username } : 'loading'
  }
  if (!asksGuild || guild.status === 'failed') return null
  return guild.answer ? { ...guild.answer, inviter: '' } : 'loading'
}
