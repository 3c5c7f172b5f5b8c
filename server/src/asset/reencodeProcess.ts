/**
 * The process that decodes pictures, one at a time. Started by `painter.ts`, which passes its memory limit,
 * bytes.
 */
import { writeFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { headOf, type Painted, reencode, type Sides } from './reencode.ts'

/** A picture to re-encode. */
export interface Order extends Sides {
  readonly from: string
  readonly to: string
}

export type ToProcess = { readonly order: Order } | { readonly mayDecode: boolean }

/** `head` is answered with `mayDecode`; the others end the order. */
export type FromProcess =
  | { readonly is: 'ready' }
  | { readonly is: 'head'; readonly pixels: number }
  | { readonly is: 'too large' }
  | { readonly is: 'refused' }
  | { readonly is: 'done'; readonly painted: Painted | null }

const MEMORY_CHECK_MS = 20

/** Ends at once, whatever the decoder's threads do. */
const end = () => process.kill(process.pid, 'SIGKILL')
const notify = (message: FromProcess) => process.send?.(message)

let mayDecode: ((is: boolean) => void) | null = null

async function work({ from, to, ...sides }: Order): Promise<void> {
  const head = await headOf(from)
  if (!head) return void notify({ is: 'done', painted: null })
  if (head.isTooLarge) return void notify({ is: 'too large' })
  const permission = new Promise<boolean>((resolve) => {
    mayDecode = resolve
  })
  notify({ is: 'head', pixels: head.pixels })
  if (!(await permission)) return void notify({ is: 'refused' })
  notify({ is: 'done', painted: await reencode(from, to, head, sides) })
}

// The server is gone, however it ended.
process.on('disconnect', end)
process.on('message', (message: ToProcess) => {
  if ('order' in message) void work(message.order).catch(end)
  else mayDecode?.(message.mayDecode)
})
// A terminal's Ctrl-C is for the server, which finishes the uploads under way and then ends this process.
process.on('SIGINT', () => undefined)
process.umask(0o077)
// Messages go before pictures.
setPriority(constants.priority.PRIORITY_LOW)
const memoryMax = Number(process.argv[2])
setInterval(() => process.memoryUsage.rss() > memoryMax && end(), MEMORY_CHECK_MS)
try {
  // When the machine is out of memory, Linux ends this process and not the server or the database.
  writeFileSync('/proc/self/oom_score_adj', '1000')
} catch {
  // Not on this system.
}
notify({ is: 'ready' })
