/**
 * What is open above a screen, in order: viewer, sheets, dialogs, panels. Back and Escape close the top one
 * and nothing below it. Works without the router. Decision 47.
 *
 * Opening a layer pushes a history entry with the same address. Closing it by a tap leaves that entry behind,
 * because removing it takes time in which a link may navigate: the next layer takes it over, and Back passes
 * over it.
 */
import { useLayoutEffect, useRef } from 'react'

/**
 * The position of a history entry: the group of entries of one screen, and the number of layers. No group: 0.
 */
type Position = readonly [group: number, depth: number]

const positionNow = (): Position => history.state?.layer ?? [0, 0]

/** The functions that close the open layers, the top one last. */
const layers: (() => void)[] = []
let position = positionNow()

addEventListener('popstate', () => {
  const [group, depth] = position
  position = positionNow()
  const isBack = position[0] === group && position[1] < depth
  if (layers.length > 0)
    for (const close of layers.splice(isBack ? Math.min(layers.length - 1, position[1]) : 0).reverse())
      close()
  else if (isBack) history.go(-1 - position[1])
})

addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && !event.isComposing && !event.defaultPrevented) layers[layers.length - 1]?.()
})

function openLayer(close: () => void): void {
  layers.push(close)
  position = positionNow()
  if (position[1] >= layers.length) return
  const group = position[0] || Date.now()
  if (position[0] === 0) history.replaceState({ ...history.state, layer: [group, 0] }, '')
  position = [group, layers.length]
  history.pushState({ ...history.state, layer: position }, '')
}

/** How long going back in history may take, ms. */
const BACK_MS = 300

/** Goes back by `count` entries, and resolves when the page stands there. */
export const goBack = (count: number): Promise<unknown> =>
  new Promise((done) => {
    addEventListener('popstate', done, { once: true })
    setTimeout(done, BACK_MS)
    history.go(-count)
  })

/** Drops the entries of layers, so that the next entry follows or replaces that of the screen itself. */
export async function leaveLayers(): Promise<void> {
  const [group, depth] = positionNow()
  if (depth === 0) return
  layers.length = 0
  position = [group, 0]
  await goBack(depth)
}

/** While `isOpen`, this is the top layer: Back and Escape call `onClose`. */
export function useLayer(isOpen: boolean, onClose: () => void): void {
  const latest = useRef(onClose)
  latest.current = onClose
  useLayoutEffect(() => {
    if (!isOpen) return
    const close = () => latest.current()
    openLayer(close)
    return () => {
      const at = layers.indexOf(close)
      if (at >= 0) layers.splice(at, 1)
    }
  }, [isOpen])
}
