import { useEffect } from 'react'
import type { RoomController } from '../../roomStore/roomController.ts'
import type { RoomSnapshot } from '../../roomStore/roomModel.ts'
import type { WindowedMessages } from './listWindow.ts'

/** This many rows from the top the page before is requested. */
const NEAR_TOP_ROWS = 12
/** This many rows from the bottom of a history window the page after is requested. */
const NEAR_BOTTOM_ROWS = 12
/** A page is requested at most once a second, so a request that was refused is repeated then, ms. */
const REPEAT_MS = 1_000

/** Requests pages as the reader nears an end of what is loaded. */
export function usePaging(input: {
  live: RoomSnapshot
  actions: RoomController
  slice: WindowedMessages
  rowCount: number
  first: number
  last: number
  isSettled: boolean
}): void {
  const { live, slice, first, last } = input
  const { loadOlder, loadNewer } = input.actions
  const canLoad = input.isSettled && live.loading === null && !live.failure
  const wantsOlder = canLoad && first < NEAR_TOP_ROWS && slice.from === 0 && !slice.atStart
  const wantsNewer =
    canLoad && live.room.historyWindow !== null && slice.atEnd && last > input.rowCount - NEAR_BOTTOM_ROWS
  useRepeated(wantsOlder, loadOlder)
  useRepeated(wantsNewer, loadNewer)
}

function useRepeated(isWanted: boolean, load: () => void): void {
  useEffect(() => {
    if (!isWanted) return
    load()
    const timer = setInterval(load, REPEAT_MS)
    return () => clearInterval(timer)
  }, [isWanted, load])
}
