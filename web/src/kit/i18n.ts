/**
 * The locale in use, kept in storage, and the texts in it. Each noun's texts are a table in its `text.ts`.
 * Decision 8.
 */
import { type Locale, locales, pickLocale } from '@guildhall/wire/locale.ts'
import { siteName } from '@guildhall/wire/siteName.ts'
import { useSyncExternalStore } from 'react'
import { readStored, writeStored } from './browser/storage.ts'
import { createListeners } from './listeners.ts'

// The operator's name, where the server has written one into the document.
Object.assign(siteName, JSON.parse(globalThis.document?.getElementById('names')?.textContent ?? 'null'))

let current: Locale = pickLocale(readStored('locale') ?? globalThis.navigator?.language)
const listeners = createListeners()

/** The locale in use now. */
export function locale(): Locale {
  return current
}

/** Switches every screen at once and stores the choice. */
export function setLocale(next: Locale): void {
  current = next
  writeStored('locale', next)
  document.documentElement.lang = next
  listeners.notify()
}

/** The locale in use; the component renders again when it changes. */
export function useLocale(): Locale {
  return useSyncExternalStore(listeners.subscribe, locale)
}

/** The texts of a table in the locale in use; the component renders again when it changes. */
export function useText<T>(table: Readonly<Record<Locale, T>>): T {
  return table[useLocale()]
}

/** The same outside of React, for reducers and effects. */
export function currentText<T>(table: Readonly<Record<Locale, T>>): T {
  return table[current]
}

/** The locale that the language switch offers. */
export const nextLocale = (now: Locale): Locale => locales[(locales.indexOf(now) + 1) % locales.length]!

/** The value of `Accept-Language`. The protocol spells Chinese `zh`. protocol.md §1.2. */
export const acceptLanguage = (): string => (current === 'zh-CN' ? 'zh' : current)
