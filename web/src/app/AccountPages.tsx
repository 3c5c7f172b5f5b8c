import pages from 'virtual:account-pages'
import type { GuildId } from '@guildhall/wire/id.ts'
import { matchPath, useLocation } from 'react-router'
import { BesideSections } from '../account/AccountScreen.tsx'
import { lazy, Suspense } from '../kit/lazy/lazy.tsx'
import { loadPart } from '../kit/lazy/lazyPart.ts'
import { PaySheet } from '../pay/pay.tsx'

const UnpaidLink = lazy(() => loadPart(() => import('../order/UnpaidLink.tsx')))
const NoGuildScreen = lazy(() => loadPart(() => import('./NoGuildScreen.tsx')))
const NotFoundScreen = lazy(() => loadPart(() => import('../site/NotFoundScreen.tsx')))

/** The pages of one's own account, and those of the shop. */
export default function AccountPages() {
  const { pathname } = useLocation()
  for (const [path, Screen] of pages) {
    const found = matchPath({ path, caseSensitive: true }, pathname)
    if (!found) continue
    const { guildId = '' } = found.params
    if (/\D/.test(guildId)) return <NoGuildScreen />
    const unpaid = (
      <Suspense>
        <UnpaidLink />
      </Suspense>
    )
    const screen = <Screen guildId={guildId as GuildId} PaySheet={PaySheet} unpaid={unpaid} />
    return path.startsWith('/account') ? <BesideSections>{screen}</BesideSections> : screen
  }
  return <NotFoundScreen />
}
