import AccountPages from '../app/AccountPages.tsx'
import { Suspense } from '../kit/lazy/lazy.tsx'
import { sessionOf } from './fixtures.ts'
import { renderAt } from './renderAt.tsx'

/**
 * Opens the settings of the guild `10` for the person of `sessionOf`. `path`: a section with its query,
 * such as `/bans`; empty: the list of sections.
 */
export const openSettings = (path = '') =>
  renderAt(
    `/guild/settings/10${path}`,
    '/*',
    <Suspense>
      <AccountPages />
    </Suspense>,
    sessionOf().user,
  )
