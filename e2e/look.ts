/** How a screen looks: judged by axe, and kept as pictures, in both themes. */
import { expect, type Page } from '@playwright/test'
import { expectAccessible, type Pictured, picture, type Theme } from './phone.ts'

/** Switches the theme of an open page as another tab of it does. */
async function switchTheme(page: Page, theme: Theme): Promise<void> {
  await page.evaluate((it) => {
    localStorage.setItem('theme', it)
    dispatchEvent(new StorageEvent('storage', { key: 'theme' }))
  }, theme)
}

/** What is at most this much wider than a picture belongs to it, as a ring does, px. */
const RING = 12

/**
 * Expects that what stands closely around a picture of a person or guild is as high as it is wide, as the
 * picture is: else rings are eggs, and dots are beside faces.
 */
export const expectSquare = (page: Page): Promise<void> =>
  expect
    .poll(() =>
      page.evaluate((ring) => {
        // By its class: a mark of its own would cost each page that loads quickly its bytes.
        const pictures = document.querySelectorAll<HTMLElement>('[class*=AvatarImage_]')
        const sizeOf = (it: Element) => it.getBoundingClientRect()
        const framesOf = (picture: HTMLElement) => {
          const frames: HTMLElement[] = []
          const most = sizeOf(picture).width + ring
          for (let it: HTMLElement | null = picture; it && sizeOf(it).width <= most; it = it.parentElement)
            frames.push(it)
          return frames
        }
        return [...pictures]
          .flatMap(framesOf)
          .filter((it) => Math.abs(sizeOf(it).width - sizeOf(it).height) > 0.5)
          .map((it) => `${it.outerHTML.slice(0, 80)} ${sizeOf(it).width}x${sizeOf(it).height}`)
      }, RING),
    )
    .toEqual([])

/** What is as wide as this and can be tapped is a row, px. */
const ROW = 160
const FINGER = 44

/** Expects that rows which can be tapped are high enough for a finger, where there is one. */
const expectHighRows = (page: Page): Promise<void> =>
  expect
    .poll(() =>
      page.evaluate(
        ([width, height]) => {
          if (!matchMedia('(pointer: coarse)').matches) return []
          const rows = document.querySelectorAll<HTMLElement>(
            'a[href], button, summary, input, select, textarea, [role=option], [role=menuitem], [role=tab]',
          )
          return (
            [...rows]
              .filter((it) => it.checkVisibility({ contentVisibilityAuto: true, opacityProperty: true }))
              // Words in a line of text are as high as the line.
              .filter((it) => getComputedStyle(it).display !== 'inline')
              // A picture is as high as it was made.
              .filter((it) => it.matches('input, select, textarea') || it.textContent.trim() !== '')
              .map((it) => {
                const box = it.getBoundingClientRect()
                // What is tapped may be higher than what is seen.
                const around = getComputedStyle(it, '::after')
                const isTarget = around.content !== 'none' && around.position === 'absolute'
                const high = Math.max(box.height, isTarget ? Number.parseFloat(around.height) || 0 : 0)
                return { it, wide: box.width, high }
              })
              .filter(({ wide, high }) => wide >= width && high > 1 && high < height - 0.5)
              .map(({ it, wide, high }) => `${it.outerHTML.slice(0, 80)} ${wide}x${high}`)
          )
        },
        [ROW, FINGER] as const,
      ),
    )
    .toEqual([])

/**
 * Expects that no words lie over other words. What floats over the page, such as a bar that stays where it
 * is, is no part of this.
 */
const expectApart = (page: Page): Promise<void> =>
  expect.poll(() => page.evaluate(wordsOverWords)).toEqual([])

/** Runs in the page. The boxes of lines are higher than their letters: 2 px of each edge are air. */
function wordsOverWords(): string[] {
  interface Box {
    left: number
    right: number
    top: number
    bottom: number
  }
  const common = (a: Box, b: Box): Box => ({
    left: Math.max(a.left, b.left),
    right: Math.min(a.right, b.right),
    top: Math.max(a.top, b.top),
    bottom: Math.min(a.bottom, b.bottom),
  })
  const isSome = (it: Box) => it.right - it.left > 2 && it.bottom - it.top > 2
  /** What of the window shows the element; null: it floats, or nothing does. */
  const windowOf = (element: Element): Box | null => {
    if (!element.checkVisibility({ contentVisibilityAuto: true, opacityProperty: true })) return null
    let shown: Box = { left: 0, right: innerWidth, top: -1e6, bottom: 1e6 }
    for (let it: Element | null = element; it; it = it.parentElement) {
      const { position, overflow } = getComputedStyle(it)
      if (position === 'fixed' || position === 'sticky') return null
      if (overflow !== 'visible') shown = common(shown, it.getBoundingClientRect())
    }
    return shown
  }
  /** A sheet or a list of suggestions lies over the page on purpose. */
  const layerOf = (words: Text) =>
    words.parentElement?.closest('dialog, [role=dialog], [role=listbox], [role=menu]')
  const lines: { readonly words: Text; readonly box: Box }[] = []
  const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (nodes.nextNode()) {
    const words = nodes.currentNode as Text
    const shown = words.data.trim() !== '' && words.parentElement && windowOf(words.parentElement)
    if (!shown) continue
    const range = document.createRange()
    range.selectNodeContents(words)
    for (const { left, right, top, bottom } of range.getClientRects()) {
      const box = common(shown, { left, right, top: top + 2, bottom: bottom - 2 })
      if (isSome(box)) lines.push({ words, box })
    }
  }
  return lines.flatMap((one, at) =>
    lines
      .slice(at + 1)
      .filter((other) => other.words !== one.words && layerOf(other.words) === layerOf(one.words))
      .filter((other) => isSome(common(one.box, other.box)))
      .map((other) => `${one.words.data.slice(0, 20)} | ${other.words.data.slice(0, 20)}`),
  )
}

/**
 * Expects that the words of each button and tab stand in one line, and within it: a label that is longer
 * than its button breaks in the middle, or is cut.
 */
export const expectOneLine = (page: Page, message?: string): Promise<void> =>
  expect.poll(() => page.evaluate(brokenLabels), message).toEqual([])

/**
 * Runs in the page. What can be tapped and has its words in its middle is a button: rows and cards begin
 * theirs at the left, and may have more lines. Each element inside with words of its own is a line, such as
 * the day below the name of a tab; where they stand side by side while there is room, they all are one.
 */
function brokenLabels(): string[] {
  // What is there for screen readers alone is a pixel wide.
  const isSeen = (it: Element) =>
    it.checkVisibility({ contentVisibilityAuto: true, opacityProperty: true }) &&
    it.getBoundingClientRect().width > 1
  const wordsOf = (it: Element) => Array.from(it.childNodes).filter((node) => node instanceof Text)
  const labels = Array.from(document.querySelectorAll<HTMLElement>('button, a[href], summary, [role=tab]'))
    .filter((it) => getComputedStyle(it).display !== 'inline' && isSeen(it))
    .filter((it) => it.matches('[role=tab]') || getComputedStyle(it).textAlign === 'center')
    // What bots and people write is as long as they like, and wraps.
    .filter((it) => !it.matches('[class*=Cards_button], [class*=PersonSheet_tag]'))
  return labels.flatMap((label) => {
    const { left, right } = label.getBoundingClientRect()
    const lines = [label, ...label.querySelectorAll('*')].filter(isSeen).map((it) =>
      wordsOf(it).flatMap((words) => {
        const range = document.createRange()
        range.selectNodeContents(words)
        return Array.from(range.getClientRects()).filter(({ width }) => width > 1)
      }),
    )
    if (getComputedStyle(label).flexWrap === 'wrap') lines.splice(0, lines.length, lines.flat())
    const isBroken = lines.some((boxes) => boxes.some(({ top }) => top >= boxes[0]!.bottom))
    const isOutside = lines.flat().some((box) => box.left < left - 1 || box.right > right + 1)
    return isBroken || isOutside ? [`${label.innerText.slice(0, 60)} | ${label.outerHTML.slice(0, 80)}`] : []
  })
}

/**
 * Expects that pictures are square, rows high enough, words apart and labels in one line: what a theme does
 * not change.
 */
export async function expectInOrder(page: Page): Promise<void> {
  await expectSquare(page)
  await expectHighRows(page)
  await expectApart(page)
  await expectOneLine(page)
}

/**
 * Expects that the current screen is accessible in the light and in the dark theme and in order, and saves a
 * picture of each theme, where there is a name for them. The page is light afterwards.
 */
export async function look(page: Page, name?: string, what: Pictured = 'screen'): Promise<void> {
  for (const theme of ['dark', 'light'] as const) {
    await switchTheme(page, theme)
    await expectAccessible(page, theme === 'dark' ? 'all' : 'colors')
    if (name) await picture(page, `${name}-${theme}`, what)
  }
  await expectInOrder(page)
}
