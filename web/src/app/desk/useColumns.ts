import { useCallback, useMemo, useState } from 'react'
import { readStored, writeStored } from '../../kit/browser/storage.ts'

/** The columns whose width can be changed. */
export type Side = 'channels' | 'members'

export interface Columns {
  /** px. */
  readonly widths: Readonly<Record<Side, number>>
  /** While it is `kept` a width is remembered, for the next visit too. */
  readonly setWidth: (side: Side, width: number, isKept: boolean) => void
  readonly hasMembers: boolean
  readonly toggleMembers: () => void
}

/** The bounds of a column and what it is at first, px. */
export const WIDTH_MIN = 200
export const WIDTH_MAX = 400
const WIDTH = 240

/** From this width of the window on, px, the members of a room are shown unless they were closed. */
const MEMBERS_FROM = 1200

const within = (width: number): number => Math.round(Math.min(Math.max(width, WIDTH_MIN), WIDTH_MAX))

/** The columns of a desk as they were left. */
export function useColumns(): Columns {
  const [stored, setStored] = useState(() => readStored('desk') ?? {})
  const change = useCallback((more: typeof stored, isKept: boolean) => {
    setStored((before) => {
      const after = { ...before, ...more }
      if (isKept) writeStored('desk', after)
      return after
    })
  }, [])
  const setWidth: Columns['setWidth'] = useCallback(
    (side, width, isKept) => change({ [side]: within(width) }, isKept),
    [change],
  )
  const hasMembers = stored.has_members ?? innerWidth >= MEMBERS_FROM
  const toggleMembers = useCallback(() => change({ has_members: !hasMembers }, true), [change, hasMembers])
  const { channels = WIDTH, members = WIDTH } = stored
  const widths = useMemo(() => ({ channels, members }), [channels, members])
  return { widths, setWidth, hasMembers, toggleMembers }
}
