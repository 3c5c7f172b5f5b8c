/**
 * What a page does with the native shell around it. In a plain browser all of it does nothing, or goes on in
 * the page. docs/native.md.
 */
import { useEffect, useRef } from 'react'
import { currentText } from '../kit/i18n.ts'
import { createListeners } from '../kit/listeners.ts'
import { toast } from '../ui/overlay/Toast.tsx'
import { type Shell, type ShellCall, type ShellData, type ShellResult, shell } from './shell.ts'
import { ShellFailure } from './shellFailure.ts'
import { text } from './text.ts'

/** The shell's bar above a page. */
export interface NavigationBar {
  readonly title: string
  /** `#RRGGBB`; by default the app's colour. */
  readonly color?: string
  /** The action on the right. */
  readonly action?: { readonly text: string; readonly enabled: boolean; readonly onPress: () => void }
  /** What the way back does instead of leaving the page. */
  readonly onLeft?: () => void
}

let current: NavigationBar | 'hidden' | null = null
const listeners = createListeners()

/** The bar that the page on the screen wants; null: it says nothing of it. */
export const wantedBar = (): NavigationBar | 'hidden' | null => current

/** Subscribes to what pages want of the bar; returns what stops it. */
export const onWantedBar = listeners.subscribe

function want(bar: NavigationBar | 'hidden' | null): void {
  current = bar
  listeners.notify()
}

/** Whether the shell shows a bar of its own, so that a page needs none. */
export const hasNativeBar = (): boolean => shell()?.has('show_navigation_bar') ?? false

/** Sets the shell's bar as long as the component is there. */
export function useNavigationBar(bar: NavigationBar | 'hidden'): void {
  // What the taps do is that of the newest render.
  const newest = useRef(bar)
  newest.current = bar
  const hasLeft = bar !== 'hidden' && bar.onLeft !== undefined
  const shown = bar === 'hidden' ? null : bar
  const { title, color } = shown ?? {}
  const content = shown?.action?.text
  const isEnabled = shown?.action?.enabled ?? false
  useEffect(() => {
    const press = (side: 'onLeft' | 'action') => () => {
      const now = newest.current
      if (now === 'hidden') return
      if (side === 'onLeft') now.onLeft?.()
      else if (now.action?.enabled) now.action.onPress()
    }
    if (title === undefined) want('hidden')
    else
      want({
        title,
        ...(color && { color }),
        ...(content !== undefined && {
          action: { text: content, enabled: isEnabled, onPress: press('action') },
        }),
        ...(hasLeft && { onLeft: press('onLeft') }),
      })
  }, [title, color, content, isEnabled, hasLeft])
  useEffect(() => () => want(null), [])
}

/**
 * Calls `listener` each time the web view is shown again: another one may have changed what this page shows.
 */
export function useOnShown(listener: () => void): void {
  const newest = useRef(listener)
  newest.current = listener
  useEffect(() => shell()?.on('on_webview_show', () => newest.current()), [])
}

/** Closes the web view. False where there is none to close. */
export const closePage = (): Promise<boolean> => did(shell()?.call('close_webview', {}))

/**
 * Opens a path of this site in a web view of its own, else in this one. `data`: for the page there, by
 * `get_page_data`.
 */
export async function openPage(path: string, data?: unknown): Promise<void> {
  const url = location.origin + path
  if (!(await did(shell()?.call('new_page', data === undefined ? { url } : { url, data }))))
    location.assign(path)
}

/**
 * Leaves the page as its way back does: to the page before in this web view, else the web view closes.
 * `otherwise`: what is done in a browser where the page was the first one.
 */
export async function leavePage(otherwise: () => void = () => history.back()): Promise<void> {
  const { idx } = (history.state ?? {}) as { idx?: number }
  if ((idx ?? 0) > 0) history.back()
  else if (!(await closePage())) otherwise()
}

const did = (asked: Promise<unknown> | undefined): Promise<boolean> =>
  Promise.resolve(asked).then(
    () => asked !== undefined,
    () => false,
  )

/**
 * Says that this is done in the app, and leads there where the demo world has one. chat.md §8 "Not in the
 * native app".
 */
export function sayOpenInApp(): void {
  toast(currentText(text).openInApp)
  // Without a network the words are all there is.
  import('./openApp/openApp.ts').then((it) => it.openHereInShell()).catch(() => undefined)
}

/**
 * Calls the shell, and says so in a toast when it cannot: outside of the app, in a version without the call,
 * and when the app refuses or does not answer. Null then. chat.md §8 "Not in the native app", "unsupported
 * features".
 */
export async function askShell<C extends ShellCall>(
  call: C,
  data: ShellData<C>,
  it: Shell | null = shell(),
): Promise<ShellResult<C> | null> {
  if (!it) {
    sayOpenInApp()
    return null
  }
  const t = currentText(text)
  try {
    return await it.call(call, data)
  } catch (error) {
    if (!(error instanceof ShellFailure) || error.name === 'bad_data') throw error
    const content = error.name === 'unsupported' ? t.useInApp : error.message
    toast(error.name === 'refused' || error.name === 'unsupported' ? content || t.refused : t.noAnswer)
    return null
  }
}
