import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { forgetPressed, lastPressed, type RoomPicture } from './roomPictures.ts'

/** How many pages are loaded in the search for one more picture. */
const PAGES_MAX = 4

const NONE: readonly RoomPicture[] = []
const never = () => () => undefined

/** A picture in the viewer; without `of` it stands alone. */
export interface ViewedPicture {
  readonly key: string
  readonly address: string
  readonly name: string
  readonly of: Omit<RoomPicture, 'address' | 'name'> | null
}

const keyOf = ({ messageId, address }: Pick<RoomPicture, 'messageId' | 'address'>) =>
  `${messageId} ${address}`

/**
 * The pictures around an opened one, in the order of its room, and where it leads to. Older messages are
 * loaded when the first one is reached.
 */
export function useRoomPictures(opened: { readonly address: string; readonly name: string }) {
  const [pressed] = useState(lastPressed)
  // Not while it renders, which may begin again before anything is shown.
  useEffect(forgetPressed, [])
  const room = pressed?.room ?? null
  const known = useSyncExternalStore(room?.subscribe ?? never, room?.all ?? (() => NONE))
  const [own] = useState((): ViewedPicture => {
    const of = (pressed && room?.messageOf(pressed.messageId)) ?? null
    return { key: keyOf({ messageId: of?.messageId ?? '', address: opened.address }), ...opened, of }
  })
  const all = withOpened(known, own)
  const [key, setKey] = useState(own.key)
  const at = all.findIndex((it) => it.key === key)
  const shown = all[at] ?? own
  const pages = useRef({ key, count: 0 })
  if (pages.current.key !== key) pages.current = { key, count: 0 }
  // biome-ignore lint/correctness/useExhaustiveDependencies: every page is looked at
  useEffect(() => {
    if (at > 0 || !room || pages.current.count >= PAGES_MAX) return
    if (room.loadOlder()) pages.current.count += 1
  }, [at, room, known])
  return {
    room,
    shown,
    previous: all[at - 1] ?? null,
    next: at < 0 ? null : (all[at + 1] ?? null),
    show: (it: ViewedPicture) => setKey(it.key),
  }
}

/** A picture of a card is none of the room's, and stands where its message does. */
function withOpened(known: readonly RoomPicture[], own: ViewedPicture): readonly ViewedPicture[] {
  const all = known.map(
    ({ address, name, ...of }): ViewedPicture => ({ key: keyOf({ ...of, address }), address, name, of }),
  )
  if (all.some((it) => it.key === own.key)) return all
  const at = own.of?.at
  if (at === undefined) return [own]
  const before = all.filter((it) => (it.of?.at ?? 0) <= at)
  return [...before, own, ...all.slice(before.length)]
}
