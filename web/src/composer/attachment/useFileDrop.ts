import { useEffect, useRef, useState } from 'react'

/** Receives files that are dropped anywhere on the page. True while files are dragged over it. */
export function useFileDrop(isOn: boolean, add: (files: readonly File[]) => void): boolean {
  const [isOver, setIsOver] = useState(false)
  const latest = useRef(add)
  latest.current = add
  useEffect(() => {
    if (!isOn) return
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
    const listeners = [
      ['dragover', over],
      ['dragleave', leave],
      ['drop', drop],
    ] as const
    for (const [name, listener] of listeners) document.addEventListener(name, listener)
    return () => {
      for (const [name, listener] of listeners) document.removeEventListener(name, listener)
    }
  }, [isOn])
  return isOn && isOver
}
