import type { Work } from '@guildhall/wire/captcha/captcha.ts'

/** A proof of work that is being done. */
export interface Started {
  /** Its counter; null: the browser cannot do it, or it was stopped. */
  readonly counter: Promise<string | null>
  readonly stop: () => void
}

/** Does a proof of work beside the page; within it where there are no workers of modules. */
export function startWork(work: Work): Started {
  const controller = new AbortController()
  const stop = () => controller.abort()
  return { counter: inWorker(work, controller).catch(() => inPage(work, controller)), stop }
}

const inPage = async (work: Work, controller: AbortController): Promise<string | null> => {
  const { solveWork } = await import('./solveWork.ts')
  const counter = await solveWork(work, controller)
  return controller.signal.aborted ? null : counter
}

function inWorker(work: Work, { signal }: AbortController): Promise<string | null> {
  return new Promise<string | null>((resolve, reject) => {
    const worker = new Worker(new URL('./work.worker.ts', import.meta.url), { type: 'module' })
    const end = (settle: () => void) => {
      worker.terminate()
      settle()
    }
    worker.onmessage = ({ data }: MessageEvent<string | null>) => end(() => resolve(data))
    worker.onerror = () => end(reject)
    signal.addEventListener('abort', () => end(() => resolve(null)))
    worker.postMessage(work)
  })
}
