import type { Message } from '@guildhall/wire/message/message.ts'
import type { MouseEvent, SyntheticEvent } from 'react'
import { useText } from '../../kit/i18n.ts'
import { CheckIcon } from '../../ui/icon/laterIcons.tsx'
import { toast } from '../../ui/overlay/Toast.tsx'
import type { Row } from '../list/rows.ts'
import type { ChosenMessage } from '../sheet/ListSheets.tsx'
import styles from './Choose.module.css'
import { chooseText } from './chooseText.ts'
import { choosable, toggled, upTo } from './chosen.ts'

/** Over a message while several are chosen: a press anywhere on it chooses it, with Shift all up to it. */
export default function ChooseMark(props: {
  row: Extract<Row, { kind: 'message' }>
  rows: readonly Row[]
  open: ChosenMessage
  onChange: (open: ChosenMessage) => void
}) {
  const { row, rows, open } = props
  const t = useText(chooseText)
  const { message } = row
  if (choosable([row]).length === 0) return null
  const chosen = open.chosen ?? []
  const choose = ({ shiftKey }: MouseEvent) => {
    const next = shiftKey ? upTo(chosen, open.id, message, rows) : toggled(chosen, message)
    if (next) props.onChange({ id: message.id, chosen: next })
    else toast(t.most)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: it covers a whole message
    <button
      type="button"
      role="checkbox"
      className={styles.mark}
      data-part="choose-mark"
      aria-checked={chosen.some(({ id }) => id === message.id)}
      aria-label={t.mark(nameOf(message))}
      onClick={choose}
      // Neither holding nor the right button opens the menu, and no text is selected.
      onPointerDown={(event) => event.stopPropagation()}
      onMouseDown={(event) => event.preventDefault()}
      onContextMenu={keep}
    >
      <span className={styles.box}>
        <CheckIcon size={14} />
      </span>
    </button>
  )
}

const keep = (event: SyntheticEvent): void => {
  event.preventDefault()
  event.stopPropagation()
}

const nameOf = ({ author }: Message): string => author.nickname || author.username
