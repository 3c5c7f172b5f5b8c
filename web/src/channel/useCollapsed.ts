import { useState } from 'react'
import { readStored, writeStored } from '../kit/storage.ts'

/** The closed categories and a function that toggles one. Stored in this browser; open by default. chat.md §2. */
export function useCollapsed(): [(id: string) => boolean, (id: string) => void] {
  const [closed, setClosed] = useState(() => readStored('collapsed') ?? [])
  const toggle = (id: string) => {
    const next = closed.includes(id) ? closed.filter((each) => each !== id) : [...closed, id]
    writeStored('collapsed', next)
    setClosed(next)
  }
  return [(id) => closed.includes(id), toggle]
}
