/** The keys of a desk: which there are, and the rooms that they lead to. */

import { MARK_KEYS } from '../../../composer/format/marks.ts'
import { isMac } from '../../../kit/browser/command.ts'

const COMMAND = isMac ? '⌘' : 'Ctrl'
const ALT = isMac ? '⌥' : 'Alt'

export const step = (isBack: boolean): 1 | -1 => (isBack ? -1 : 1)

/** Every key of the desk, as the list of keys shows them. The names are in `keysText`. */
export const KEYS = [
  { name: 'switcher', keys: [COMMAND, 'K'] },
  { name: 'search', keys: [COMMAND, 'F'] },
  { name: 'rooms', keys: [ALT, '↑ ↓'] },
  { name: 'unreadRooms', keys: [ALT, 'Shift', '↑ ↓'] },
  { name: 'editLast', keys: ['↑'] },
  { name: 'leave', keys: ['Esc'] },
  { name: 'columns', keys: ['F6'] },
  { name: 'write', keys: ['A … Z'] },
  ...MARK_KEYS.map(({ mark, key, withShift }) => ({
    name: mark,
    keys: [COMMAND, ...(withShift ? ['Shift'] : []), key.toUpperCase()],
  })),
  { name: 'move', keys: ['↑ ↓', 'Home', 'End', 'PgUp', 'PgDn'] },
  { name: 'open', keys: ['Enter'] },
  { name: 'inside', keys: ['← →'] },
  { name: 'choose', keys: ['Shift', '↑ ↓'] },
  { name: 'list', keys: [COMMAND, '/'] },
] as const

/** The link of the next room in the list of channels, from the open one on; null: there is no other. */
export function nextRoom(by: 1 | -1, isUnread: boolean): HTMLElement | null {
  const rooms = [...document.querySelectorAll<HTMLElement>('a[data-part=channel]')]
  const at = rooms.findIndex((it) => it.hasAttribute('aria-current'))
  const from = at < 0 && by === -1 ? 0 : at
  for (let away = 1; away <= rooms.length; away += 1) {
    const room = rooms[(from + by * away + rooms.length * 2) % rooms.length]
    if (room && room !== rooms[at] && (!isUnread || room.hasAttribute('data-unread'))) return room
  }
  return null
}
