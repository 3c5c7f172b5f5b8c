/**
 * The lists of a desk: each is one stop of Tab, and keys move inside of it. They find their rows in the
 * document, so that rows know nothing of it and a phone loads nothing of it.
 */

interface List {
  readonly box: string
  readonly item: string
}

const MESSAGE = '[data-part=message]'

const LISTS: readonly List[] = [
  { box: 'nav[data-column] > ul', item: 'a,button' },
  { box: '[data-side=channels] nav', item: '[data-part=channel],[aria-expanded]' },
  { box: '[data-part=sections]', item: 'a,button' },
  { box: '[data-part=members],[data-part=members-found]', item: '[data-part=member]' },
  { box: '[data-part=message-scroll]', item: MESSAGE },
]

const FOCUSABLE = 'a[href],button,audio,video,[tabindex]'

/** The row that one was at last: `index` finds its neighbour when it is gone. */
interface Held {
  readonly id: string
  readonly index: number
}

/** How much of its height a page of a list is. */
const PAGE = 0.9

/** What the attribute was before the list was one stop. */
const attributes = new Map<HTMLElement, string | null>()
const heldIn = new WeakMap<Element, Held>()
/** The list that has the focus, also when the row that had it is not drawn any more. */
let active: HTMLElement | null = null

const idOf = (item: HTMLElement): string =>
  item.dataset.id ?? item.dataset.row ?? item.getAttribute('href') ?? item.textContent

const indexOf = (item: HTMLElement, items: readonly HTMLElement[]): number =>
  Number(item.closest<HTMLElement>('[data-index]')?.dataset.index ?? item.dataset.row ?? items.indexOf(item))

const itemsIn = (box: Element): HTMLElement[] => {
  const list = LISTS.find((it) => box.matches(it.box))
  return list ? [...box.querySelectorAll<HTMLElement>(list.item)] : []
}

const BOXES = LISTS.map(({ box }) => box).join()

const boxes = () => document.querySelectorAll<HTMLElement>(BOXES)

const boxOf = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>(BOXES) : null

/** The links and buttons that belong to a row. */
function controlsOf(item: HTMLElement): HTMLElement[] {
  const around = item.matches(MESSAGE) ? item : item.parentElement
  const all = [...(around?.querySelectorAll<HTMLElement>(FOCUSABLE) ?? [])]
  return all.filter((it) => it !== item && attributeBefore(it) !== '-1')
}

const attributeBefore = (element: HTMLElement): string | null =>
  attributes.has(element) ? (attributes.get(element) ?? null) : element.getAttribute('tabindex')

function setTab(element: HTMLElement, isStop: boolean): void {
  if (!attributes.has(element)) attributes.set(element, element.getAttribute('tabindex'))
  const value = isStop ? '0' : '-1'
  if (element.getAttribute('tabindex') !== value) element.setAttribute('tabindex', value)
}

function isShown(item: HTMLElement, box: Element): boolean {
  const { top, bottom } = item.getBoundingClientRect()
  const { top: from, bottom: to } = box.getBoundingClientRect()
  return bottom > from && top < to
}

const isMessages = (box: HTMLElement): boolean => box.dataset.part === 'message-scroll'

/** The row that Tab leads to: where one was, what is open, the newest message, or the first row. */
function currentIn(box: HTMLElement, items: readonly HTMLElement[]): HTMLElement | undefined {
  const held = heldIn.get(box)
  return (
    items.find((it) => idOf(it) === held?.id) ??
    items.find((it) => it.hasAttribute('aria-current')) ??
    items.at(isMessages(box) ? -1 : 0)
  )
}

/** Before Tab leads into a list: where one was and what is not in view is not where it leads. */
export function beforeTab(from: EventTarget | null): void {
  for (const box of boxes()) {
    const items = itemsIn(box)
    const current = currentIn(box, items)
    if (box === boxOf(from) || !current || isShown(current, box)) continue
    const shown = items.filter((it) => isShown(it, box)).at(isMessages(box) ? -1 : 0)
    if (shown) heldIn.set(box, { id: idOf(shown), index: indexOf(shown, items) })
  }
  refreshLists()
}

/** Makes every list on the page one stop of Tab, and gives the focus back to a row that lost it. */
export function refreshLists(): void {
  for (const element of attributes.keys()) if (!element.isConnected) attributes.delete(element)
  for (const box of boxes()) {
    const items = itemsIn(box)
    const current = currentIn(box, items)
    if (isMessages(box) && current) setTab(box, false)
    for (const item of items) {
      setTab(item, item === current)
      // What is written in a message that is edited is reached by Tab.
      if (item.querySelector('textarea')) continue
      const isInside = item.matches(MESSAGE) && item.contains(document.activeElement)
      for (const control of controlsOf(item)) setTab(control, isInside)
    }
  }
  giveBack()
}

/** The row that had the focus is gone or drawn anew. */
function giveBack(): void {
  const at = document.activeElement
  if (!active?.isConnected || (at !== document.body && at !== active && at !== null)) return
  const held = heldIn.get(active)
  const items = itemsIn(active)
  if (!held) return
  const row = items.find((it) => idOf(it) === held.id) ?? neighbourOf(held, active, items)
  if (row) return row.focus({ preventScroll: true })
  // It is scrolled away: the keys go on from there.
  if (!active.hasAttribute('tabindex')) setTab(active, false)
  active.focus({ preventScroll: true })
}

/** The row nearest to where one was that is no more; none: it is not drawn, because it is out of view. */
function neighbourOf(held: Held, box: HTMLElement, items: readonly HTMLElement[]) {
  if (!isMessages(box)) return items.findLast((it) => indexOf(it, items) <= held.index) ?? items[0]
  // By their ids, which are in the order of time: an index is another's once older messages are loaded.
  const before = items.findLast((it) => idOf(it) < held.id)
  const isAtEnd = box.scrollTop + box.clientHeight >= box.scrollHeight - 1
  return before !== items.at(-1) || isAtEnd ? before : undefined
}

/** The focus is in a list, or has left it. */
export function onFocus({ target }: { readonly target: EventTarget | null }): void {
  const box = boxOf(target)
  active = box
  if (box && target instanceof Element) {
    const items = itemsIn(box)
    const item = items.find((it) => it.contains(target) || it.parentElement === target.parentElement)
    if (item) heldIn.set(box, { id: idOf(item), index: indexOf(item, items) })
    if (item?.matches(MESSAGE)) item.setAttribute('aria-label', wordsOf(item))
  }
  refreshLists()
}

/** A press beside the lists: what lost the focus by it does not get it back. */
export function onPress({ target }: { readonly target: EventTarget | null }): void {
  active = boxOf(target)
}

/** What a screen reader says of a message: who, when, and what. */
function wordsOf(message: HTMLElement): string {
  const [header, ...content] = [
    ...(message.querySelector('time')?.closest('p')?.parentElement?.children ?? []),
  ]
  const words = [...(header?.children ?? []), ...content].map(
    (it) => it.textContent || it.querySelector('[aria-label]')?.getAttribute('aria-label') || '',
  )
  return words.filter((it) => it !== '').join(' ')
}

/** After the rows at another position are drawn. */
const soon = (act: () => void): number => requestAnimationFrame(() => requestAnimationFrame(act))

/** Acts on a key that was pressed in a list; whether it meant something there. */
export function pressedInList({ key, target }: KeyboardEvent): boolean {
  const box = boxOf(target)
  if (!box || !(target instanceof HTMLElement)) return false
  const items = itemsIn(box)
  const held = heldIn.get(box)
  const item = items.find((it) => idOf(it) === held?.id) ?? currentIn(box, items)
  if (!item) return false
  switch (key) {
    case 'ArrowDown':
      return focus(items[items.indexOf(item) + 1])
    case 'ArrowUp':
      return focus(items[items.indexOf(item) - 1])
    case 'Home':
    case 'End':
      return toEnd(box, key === 'End')
    case 'PageUp':
    case 'PageDown':
      return byPage(box, key === 'PageDown')
    case 'ArrowRight':
    case 'ArrowLeft':
      return sideways(item, target, key === 'ArrowRight')
    case 'Enter':
    case ' ':
      return target === item && open(item, key)
    default:
      return false
  }
}

function focus(item: HTMLElement | undefined): boolean {
  item?.focus({ preventScroll: true })
  item?.scrollIntoView({ block: 'nearest' })
  return true
}

function toEnd(box: HTMLElement, isLast: boolean): boolean {
  const latest = isLast ? box.parentElement?.querySelector<HTMLElement>('[data-part=to-latest]') : null
  // Not at once: a key that reaches the list ends its way to the newest.
  requestAnimationFrame(() => {
    if (latest) latest.click()
    else box.scrollTop = isLast ? box.scrollHeight : 0
    soon(() => focus(itemsIn(box).at(isLast ? -1 : 0)))
  })
  return true
}

function byPage(box: HTMLElement, isDown: boolean): boolean {
  box.scrollTop += (isDown ? 1 : -1) * PAGE * box.clientHeight
  soon(() =>
    focus(
      itemsIn(box)
        .filter((it) => isShown(it, box))
        .at(isDown ? -1 : 0),
    ),
  )
  return true
}

/** Into what belongs to a row and back; opens and closes a category. */
function sideways(item: HTMLElement, target: HTMLElement, isForth: boolean): boolean {
  const stops = [item, ...controlsOf(item)]
  const isOpen = item.getAttribute('aria-expanded')
  if (isOpen !== null) {
    if (isOpen !== `${isForth}`) item.click()
    return true
  }
  const next = stops[stops.indexOf(target) + (isForth ? 1 : -1)]
  if (!next) return false
  next.focus()
  return true
}

/** A message opens its menu, or is chosen; other rows are links and buttons. */
function open(item: HTMLElement, key: string): boolean {
  if (!item.matches(MESSAGE)) return false
  const mark = item.querySelector<HTMLElement>('[role=checkbox]')
  const button = item.querySelector<HTMLElement>('[data-part=message-menu-button]')
  const pressed = mark ?? (key === 'Enter' ? button : null)
  pressed?.click()
  return pressed !== null
}

/** Everything is a stop of Tab as it was. */
export function restoreLists(): void {
  for (const [element, before] of attributes)
    if (before === null) element.removeAttribute('tabindex')
    else element.setAttribute('tabindex', before)
  attributes.clear()
  active = null
}
