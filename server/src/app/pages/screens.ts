/** The addresses that the page draws itself, and the file of the built page that each answers. */
import { type Page, pages } from '@guildhall/wire/pages.ts'
import type { Screens } from '../../kit/http/screens.ts'

const addressOf = (address: string, { params = {} }: Page): string =>
  address.replace(/:(\w+)/g, (part, name) => (params[name] ? `${part}(^${params[name]}$)` : part))

/** Those into which the server writes are none of these: `site/startPage.ts`, `invite/landingPage.ts`. */
export const SCREENS: Screens = Object.fromEntries(
  Object.entries(pages)
    .filter(([, page]) => !page.isWritten)
    .flatMap(([address, page]) => {
      // `/oia/*` is all below `/oia`, and that itself.
      const addresses = new Set([address.replace(/\/\*$/, ''), address])
      return [...addresses].map((it) => [addressOf(it, page), page.document ?? 'index.html'])
    }),
)
