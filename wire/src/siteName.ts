/**
 * What the site is called, by locale: everything that says its name reads it here, when it is shown and not
 * when it is loaded. These are the product's; the server puts the operator's in their place when it starts
 * (`site/face/name.ts`), the page when the document that the server sent has them (`kit/i18n.ts`).
 */
import type { Locale } from './locale.ts'

export const siteName: Record<Locale, string> = { 'zh-CN': '公会厅', en: 'Guildhall' }
