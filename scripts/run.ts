/** Runs the server until a signal: what `npm start` and an installation without a build step share. */
import path from 'node:path'
import { readConfig } from '../server/src/config.ts'
import { OperatorError } from '../server/src/kit/operatorError.ts'
import { start } from '../server/src/main.ts'
import { stopOnSignal } from './signal.ts'

/** The embedded database may end this often in this time before the program gives up. */
const DEATHS_MAX = 5
const DEATHS_WITHIN_MS = 600_000

const print = (line: string) => console.log(line)

/** `prepare` makes sure that the page is built. */
export async function run(
  prepare: (print: (line: string) => void, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const began = performance.now()
  const { signal, onStop } = stopOnSignal()
  try {
    const config = readConfig(process.env, path.dirname(import.meta.dirname))
    await prepare(print, signal)
    const deaths: number[] = []
    for (;;) {
      const server = await start(config, { onProgress: print, signal })
      onStop(() => server.close())
      print('')
      print(`Guildhall is ready at ${server.url} (${((performance.now() - began) / 1000).toFixed(1)} s)`)
      for (const line of server.banner) print(line)
      print('Press Ctrl-C to stop.')
      console.error(await server.died)
      await server.close()
      onStop(null)
      deaths.push(performance.now())
      const lately = deaths.filter((at) => performance.now() - at < DEATHS_WITHIN_MS)
      if (lately.length >= DEATHS_MAX)
        throw new OperatorError(
          `The database ended ${lately.length} times in ten minutes: not started again.`,
        )
      print('Starting again …')
    }
  } catch (error) {
    if (signal.aborted) {
      print('Stopped before it was ready.')
      process.exit(0)
    }
    console.error(error instanceof OperatorError ? error.message : error)
    process.exit(1)
  }
}
