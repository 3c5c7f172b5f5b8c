import type { Row } from '../list/rows.ts'

type MessageRow = Extract<Row, { kind: 'message' }>

/** The stored message of a row and its element, around an element of the list; null: another row. */
export function rowAt(
  inside: Element,
  rows: readonly Row[],
): { row: MessageRow; element: HTMLElement } | null {
  const element = inside.closest<HTMLElement>('[data-part=message]')
  const row = rows[Number(element?.closest('[data-index]')?.getAttribute('data-index') ?? -1)]
  return element && row?.kind === 'message' && row.ephemeralTo === undefined ? { row, element } : null
}

/** What two taps or clicks on these do is theirs. */
export const OWN_TAPS = 'a,button,img,video,audio,pre,textarea,[role=button]'
