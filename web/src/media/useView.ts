import type { Dimensions } from '@guildhall/wire/asset/pictureSize.ts'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { openingView, type Point, panned, type View, whole } from './view.ts'

/** The part of the page that is seen, px. */
export const screenSize = (): Dimensions => ({ width: innerWidth, height: innerHeight })

/** A picture on the screen, and the ways to move it. */
export interface MovedView {
  /** The size of the picture in its own pixels; null until it is known. */
  readonly own: Dimensions | null
  readonly setOwn: (own: Dimensions) => void
  readonly view: View
  /** The current view: fingers may leave before it is rendered. */
  readonly latest: RefObject<View>
  readonly setView: (next: View) => void
  readonly pan: (from: View, by: Point) => void
}

/** Shows a picture as it opens, and again when the screen is turned. `known`: its size, if that is known. */
export function useView(known: () => Dimensions | null): MovedView {
  const [own, setOwn] = useState(known)
  const [view, draw] = useState(() => (own ? openingView(own, screenSize()) : whole))
  const latest = useRef(view)
  const setView = (next: View) => {
    latest.current = next
    draw(next)
  }
  useEffect(() => {
    const open = () => {
      latest.current = own ? openingView(own, screenSize()) : whole
      draw(latest.current)
    }
    open()
    window.addEventListener('resize', open)
    return () => window.removeEventListener('resize', open)
  }, [own])
  const pan = (from: View, by: Point) => own && setView(panned(from, by, own, screenSize()))
  return { own, setOwn, view, latest, setView, pan }
}
