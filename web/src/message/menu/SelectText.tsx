import type { Message } from '@guildhall/wire/message/message.ts'
import { useEffect, useRef } from 'react'
import { useText } from '../../kit/i18n.ts'
import { Sheet } from '../../ui/overlay/Sheet.tsx'
import styles from './SelectText.module.css'
import { sheetText } from './sheetText.ts'

/**
 * What a message says, as text of which a part can be chosen: under a finger holding opens the menu.
 */
export default function SelectText({ message, onClose }: { message: Message; onClose: () => void }) {
  const t = useText(sheetText)
  const said = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    // Chosen as a whole first: the ends are there to be moved.
    if (said.current) getSelection()?.selectAllChildren(said.current)
    return () => getSelection()?.removeAllRanges()
  }, [])
  return (
    <Sheet title={t.selectText} onClose={onClose}>
      <p ref={said} className={styles.said} data-part="selectable" data-selects>
        {message.kmarkdown.raw_content}
      </p>
    </Sheet>
  )
}
