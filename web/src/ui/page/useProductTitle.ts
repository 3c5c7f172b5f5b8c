import { texts } from '@guildhall/wire/locale.ts'
import { useText } from '../../kit/i18n.ts'
import { usePageTitle } from './usePageTitle.ts'

const text = texts({
  'zh-CN': {
    product: '公会厅',
  },
  en: {
    product: 'Guildhall',
  },
})

/** Names the page in the browser's tab and history, with the product's name behind its own. */
export function useProductTitle(title: string, unread = 0): void {
  usePageTitle(`${title} · ${useText(text).product}`, unread)
}
