import { useRef, useState } from 'react'
import { nextTask } from './browser/nextTask.ts'

/**
 * Changes that show at once and that the server has not answered yet. They are sent one after the other, also
 * when their screen is left. `send` says whether one was taken; a refusal takes back all that wait.
 * A change that is shown may be applied twice for a moment, which must give the same.
 * `replaces`: a later change makes one that is not sent yet needless.
 */
export function useWaiting<Change>(
  send: (change: Change) => Promise<boolean>,
  replaces: (later: Change, earlier: Change) => boolean = () => false,
) {
  const queue = useRef<readonly Change[]>([])
  const isSending = useRef(false)
  const [waiting, setWaiting] = useState<readonly Change[]>([])
  const show = (next: readonly Change[]) => {
    queue.current = next
    setWaiting(next)
  }
  const sendAll = async () => {
    isSending.current = true
    for (let [next] = queue.current; next !== undefined; [next] = queue.current) {
      const isTaken = await send(next)
      // Screens hear of a changed cache in a later task: the change goes when they show it, not before.
      await nextTask()
      show(isTaken ? queue.current.slice(1) : [])
    }
    isSending.current = false
  }
  const add = (change: Change) => {
    // The first one is on its way.
    const last = queue.current.length > 1 ? queue.current.at(-1) : undefined
    const isReplaced = last !== undefined && replaces(change, last)
    show([...(isReplaced ? queue.current.slice(0, -1) : queue.current), change])
    if (!isSending.current) void sendAll()
  }
  return { waiting, add }
}
