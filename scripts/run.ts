/** Runs the server until a signal: what `npm start` and an installation without a build step share. */
import path from 'node:path'
import { readConfig } from '../server/src/config.ts'
import { OperatorError } from '../server/src/kit/operatorError.ts'
import { start } from '../server/src/main.ts'
import { stopOnSignal } from './signal.ts'

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
    const server = await start(config, { onProgress: print, signal })
    onStop(() => server.close())
    print('')
    print(`Guildhall is ready at ${server.url} (${((performance.now() - began) / 1000).toFixed(1)} s)`)
    for (const line of server.banner) print(line)
    print('Press Ctrl-C to stop.')
    const why = await server.died
    console.error(why)
    await server.close()
    process.exit(1)
  } catch (error) {
    if (signal.aborted) {
      print('Stopped before it was ready.')
      process.exit(0)
    }
    console.error(error instanceof OperatorError ? error.message : error)
    process.exit(1)
  }
}
