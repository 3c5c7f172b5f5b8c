/**
 * The native shell's bar on pages that say nothing of it: a screen that has a bar with a way back of its own
 * needs no second one; all others get their title there, and the app's way back. Decision 64.
 */
import { siteName } from '@guildhall/wire/siteName.ts'
import { currentText } from '../../kit/i18n.ts'
import type { Shell, ShellData } from '../../native/shell.ts'
import { onWantedBar, wantedBar } from '../../native/shellPage.ts'

/** The unread count in front of a title, and the product's name behind it, are for tabs of browsers. */
export const barTitle = (title: string): string =>
  Object.values(siteName).reduce(
    (rest, name) => (rest.endsWith(` · ${name}`) ? rest.slice(0, -name.length - 3) : rest),
    title.replace(/^\(\d+\+?\) /, ''),
  )

/** A screen that has its title in a bar of its own does not get it twice. */
const usualTitle = () =>
  document.querySelector('header h1') ? currentText(siteName) : barTitle(document.title)

type Shown = ShellData<'show_navigation_bar'>

function barNow(): Shown | null {
  const wanted = wantedBar()
  if (wanted === 'hidden') return null
  if (!wanted) return document.querySelector('header[data-back]') ? null : { title: usualTitle() }
  const { title, color, action, onLeft } = wanted
  return {
    title,
    ...(color !== undefined && { color }),
    ...(action && { action: { text: action.text, enabled: action.enabled } }),
    ...(onLeft && { catch_left: true }),
  }
}

/** Keeps the shell's bar as the screen wants it, and does what its taps say. */
export function followBars(shell: Shell): void {
  let sent = ''
  let isPlanned = false
  const send = () => {
    isPlanned = false
    const bar = barNow()
    const next = JSON.stringify(bar)
    if (next === sent) return
    sent = next
    const done = bar ? shell.call('show_navigation_bar', bar) : shell.call('hide_navigation_bar', {})
    // A shell without the call keeps its bar as it is.
    done.catch(() => undefined)
  }
  const plan = () => {
    if (isPlanned) return
    isPlanned = true
    // After the screens have drawn: a screen that replaces another is one change.
    setTimeout(send)
  }
  onWantedBar(plan)
  new MutationObserver(plan).observe(document.documentElement, {
    childList: true,
    subtree: true,
    characterData: true,
  })
  shell.on('on_click_navigation_left', () => {
    const wanted = wantedBar()
    if (wanted && wanted !== 'hidden') wanted.onLeft?.()
  })
  shell.on('on_click_navigation_right', () => {
    const wanted = wantedBar()
    if (wanted && wanted !== 'hidden') wanted.action?.onPress()
  })
  // Other pages of this web view may have left it in any state.
  shell.on('on_webview_show', () => {
    sent = ''
    plan()
  })
}
