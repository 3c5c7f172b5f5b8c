import { useState } from 'react'
import { recall, remember } from '../kit/storage.ts'

/** Which categories are closed; remembered per category, open unless closed by hand. chat.md §2. */
export function useCollapsed(): [(id: string) => boolean, (id: string) => void] {
  const [closed, setClosed] = useState(() => recall('collapsed') ?? [])
  const toggle = (id: string) => {
    const next = closed.includes(id) ? closed.filter((each) => each !== id) : [...closed, id]
    remember('collapsed', next)
    setClosed(next)
  }
  return [(id) => closed.includes(id), toggle]
}
