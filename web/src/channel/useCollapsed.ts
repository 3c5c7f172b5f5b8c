import { useState } from 'react'
import { writeStored } from '../kit/browser/storage.ts'
import { storedList } from '../kit/browser/storedList.ts'

/**
 * Whether a category is closed, and a function that toggles it. Stored in this browser; open by default.
 * chat.md §2.
 */
export function useCollapsed(id: string): [boolean, () => void] {
  const [isClosed, setIsClosed] = useState(() => storedList('collapsed').includes(id))
  const toggle = () => {
    const others = storedList('collapsed').filter((each) => each !== id)
    writeStored('collapsed', isClosed ? others : [...others, id])
    setIsClosed(!isClosed)
  }
  return [isClosed, toggle]
}
