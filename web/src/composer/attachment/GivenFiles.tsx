import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useText } from '../../kit/i18n.ts'
import { UploadIcon } from '../format/formatIcons.tsx'
import { laterText } from '../laterText.ts'
import styles from './GivenFiles.module.css'
import { pastedFiles } from './pastedFiles.ts'

/**
 * Attaches the files that are dropped anywhere on the page, or pasted into the field or where nothing is
 * written; shows over the room of the field where they go while they are dragged.
 */
export function GivenFiles(props: {
  box: RefObject<HTMLTextAreaElement | null>
  add: (files: readonly File[]) => void
}) {
  const { box } = props
  const t = useText(laterText)
  const [isOver, setIsOver] = useState(false)
  const latest = useRef(props.add)
  latest.current = props.add
  useLayoutEffect(() => {
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setIsOver(true)
    }
    const leave = (event: DragEvent) => {
      // `dragleave` also fires between elements of the page.
      if (event.relatedTarget === null) setIsOver(false)
    }
    const drop = (event: DragEvent) => {
      setIsOver(false)
      if (!hasFiles(event)) return
      event.preventDefault()
      latest.current([...(event.dataTransfer?.files ?? [])])
    }
    const paste = (event: ClipboardEvent) => {
      if (event.target !== box.current && isField(event.target)) return
      const files = event.clipboardData ? pastedFiles(event.clipboardData) : []
      if (files.length === 0) return
      event.preventDefault()
      // Its text, the name of the file, is not pasted as well.
      event.stopPropagation()
      latest.current(files)
    }
    document.addEventListener('dragover', over)
    document.addEventListener('dragleave', leave)
    document.addEventListener('drop', drop)
    document.addEventListener('paste', paste, { capture: true })
    return () => {
      document.removeEventListener('dragover', over)
      document.removeEventListener('dragleave', leave)
      document.removeEventListener('drop', drop)
      document.removeEventListener('paste', paste, { capture: true })
    }
  }, [box])
  const room = box.current?.closest('main')
  if (!isOver || !room) return null
  return createPortal(
    <div className={styles.zone} role="status">
      <p className={styles.word}>
        <UploadIcon size={32} />
        {t.dropHere}
      </p>
    </div>,
    room,
  )
}

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches('input,textarea,[contenteditable]')
