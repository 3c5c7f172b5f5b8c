/**
 * Keeps what an open room looks like, as markup, so that the next visit of it is readable before any script
 * has run (`showSnapshot.ts`). What is in it is kept on this device anyway (`roomStore/pageStorage.ts`).
 * Decision 135.
 */
import { readStored, type Snapshot, writeStored } from '../../kit/browser/storage.ts'
import { here } from '../../native/environment.ts'
import { isRoomPath } from '../RouteSkeleton.tsx'

/** After a change of the room, ms. One where much is said is kept once in this time. */
const DELAY_MS = 3_000
/** A larger one, in UTF-16 units, would take what drafts need of the browser's five million. */
const LENGTH_MAX = 250_000

/** What lies above a room, or is not what it shows first. */
const UNUSUAL =
  '[role=dialog],[role=menu],[role=listbox],[data-part=to-latest],[data-part=edit-input],[data-part=choose-bar]'

/** The room as it looks now; null when that is not what the next visit begins with. */
function snapshot(): Snapshot | null {
  const { pathname: path, search } = location
  const me = readStored('auth')?.id
  const { lang, dataset } = document.documentElement
  const room = document.querySelector<HTMLElement>('[data-part=room]')
  if (!me || !dataset.build || !room || search || !isRoomPath(path) || document.querySelector(UNUSUAL))
    return null
  const css = laterStyles()
  const html = markupOf(room)
  if (css === null || css.length + html.length > LENGTH_MAX) return null
  return { path, me, build: dataset.build, locale: lang, width: innerWidth, css, html }
}

/** Without what belongs to this window, what plays, and what comes after the first screen. */
function markupOf(room: HTMLElement): string {
  // At a desk it has its column around it, of which the skeleton knows neither the width nor the styles.
  const column = room.closest<HTMLElement>('[data-column]') ?? room
  const copy = column.cloneNode(true) as HTMLElement
  for (const each of copy.querySelectorAll('[data-part=room]')) each.removeAttribute('style')
  copy.setAttribute('style', `max-width:${column.offsetWidth}px`)
  for (const each of copy.querySelectorAll('audio,video,source,img[src^="blob:"]'))
    each.removeAttribute('src')
  const typed = room.querySelector<HTMLTextAreaElement>('textarea[data-part=composer-input]')
  const field = copy.querySelector('textarea[data-part=composer-input]')
  while (field?.previousSibling) field.previousSibling.remove()
  if (typed && field) field.textContent = typed.value
  // Nothing can be written into it, by whatever way.
  for (const each of copy.querySelectorAll('input,textarea')) each.setAttribute('readonly', '')
  return copy.outerHTML
}

/** What each style sheet says: they do not change. */
const texts = new WeakMap<CSSStyleSheet, string>()

/**
 * The styles that came after the page: its own stand in it. Null: the network has not carried all of them.
 */
function laterStyles(): string | null {
  try {
    const later = [...document.styleSheets].filter((it) => it.href?.startsWith(location.origin))
    return later.map(textOf).join('')
  } catch {
    return null
  }
}

/** @throws when it is not loaded */
function textOf(sheet: CSSStyleSheet): string {
  const known = texts.get(sheet)
  if (known !== undefined) return known
  const text = [...sheet.cssRules].map((it) => it.cssText).join('')
  texts.set(sheet, text)
  return text
}

let timer: ReturnType<typeof setTimeout> | undefined

function keep(): void {
  clearTimeout(timer)
  timer = undefined
  const kept = snapshot()
  // An older one of this room would be replaced by another view of it.
  if (kept || readStored('snapshot')?.path === location.pathname) writeStored('snapshot', kept)
}

/** Safari has no idle time. */
const whenIdle = (work: () => void) => (globalThis.requestIdleCallback ?? setTimeout)(work)

/**
 * Keeps the open room from now on. Inside of a native shell nothing is kept: the shell says who is logged
 * in.
 */
export function keepSnapshots(): void {
  const root = document.getElementById('root')
  if (!root || here().hasShell) return
  const keepSoon = () => {
    // Nobody sees the changes of a hidden page.
    if (!document.hidden) timer ??= setTimeout(() => whenIdle(keep), DELAY_MS)
  }
  new MutationObserver(keepSoon).observe(root, { childList: true, subtree: true })
  keepSoon()
  document.addEventListener('visibilitychange', () => document.hidden && keep())
}
