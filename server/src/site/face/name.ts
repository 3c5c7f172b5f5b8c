/** What this server calls the site. */
import type { Locale } from '@guildhall/wire/locale.ts'
import { siteName } from '@guildhall/wire/siteName.ts'

export type SiteNames = Readonly<Record<Locale, string>>

/** The product's own. */
export const PRODUCT: SiteNames = { ...siteName }

/** Takes the operator's names; the product's stay where there are none. */
export const nameSite = (names: Partial<SiteNames>): void => void Object.assign(siteName, PRODUCT, names)
