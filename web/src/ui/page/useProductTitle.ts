import { siteName } from '@guildhall/wire/siteName.ts'
import { useText } from '../../kit/i18n.ts'
import { usePageTitle } from './usePageTitle.ts'

/** Names the page in the browser's tab and history, with the product's name behind its own. */
export function useProductTitle(title: string, unread = 0): void {
  usePageTitle(`${title} · ${useText(siteName)}`, unread)
}
