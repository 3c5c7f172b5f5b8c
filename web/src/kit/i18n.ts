import { useSyncExternalStore } from 'react'
import { recall, remember } from './storage.ts'

/**
 * Two languages, one table per noun. A table is an object of strings and of functions that take parameters; the
 * English one must have the very keys of the Chinese one, so a missing sentence is a type error, not a blank.
 * A library would cost the invite page 15 kB for what the type checker does for nothing.
 */
export type Locale = 'zh-CN' | 'en'
type Sentence = string | ((...parameters: never[]) => string)
type Same<T> = { [K in keyof T]: T[K] extends string ? string : T[K] }
export type Text<T> = { readonly 'zh-CN': T; readonly en: Same<T> }

let current: Locale = recall('locale') ?? localeOf(globalThis.navigator?.language)
const listeners = new Set<() => void>()

/** What a first visit speaks: Chinese, except to a browser that asks for English. The server draws by the same rule. */
export function localeOf(language: string | undefined): Locale {
  return language?.toLowerCase().startsWith('en') ? 'en' : 'zh-CN'
}

/** Declares the sentences of a noun in both languages. */
export function texts<T extends Record<string, Sentence>>(zh: T, en: Same<NoInfer<T>>): Text<T> {
  return { 'zh-CN': zh, en }
}

/** The language in use now, as sent in `Accept-Language`. */
export function locale(): Locale {
  return current
}

/** Switches every screen at once and remembers the choice. */
export function setLocale(next: Locale): void {
  current = next
  remember('locale', next)
  document.documentElement.lang = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The language in use, re-rendering when it changes. */
export function useLocale(): Locale {
  return useSyncExternalStore(subscribe, locale)
}

/** The sentences of a noun in the language in use. */
export function useText<T>(text: Text<T>): Same<T> {
  return text[useLocale()] as Same<T>
}

/** The same outside of React, for reducers and effects. */
export function say<T>(text: Text<T>): Same<T> {
  return text[current] as Same<T>
}
