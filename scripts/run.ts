/** Runs the server until a signal: what `npm start` and an installation without a build step share. */
import path from 'node:path'
import { type Config, readConfig } from '../server/src/config.ts'
import { DatabaseDied } from '../server/src/kit/database/postgres/databaseError.ts'
import { OperatorError } from '../server/src/kit/operatorError.ts'
import { start } from '../server/src/main.ts'
import { complain, say, sayAllInJson, sayToPerson } from './say.ts'
import { stopOnSignal } from './signal.ts'

/** The embedded database may end this often in this time before the program gives up. */
const DEATHS_MAX = 5
const DEATHS_WITHIN_MS = 600_000

/** `prepare` makes sure that the page is built. */
export async function run(
  prepare: (print: (line: string) => void, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const began = performance.now()
  sayAllInJson()
  const { signal, onStop } = stopOnSignal()

  /** Starts the server and lets it serve until its embedded database has ended. */
  async function serve(config: Config): Promise<void> {
    const server = await start(config, { onProgress: say, signal })
    onStop(() => server.close())
    sayToPerson('')
    say(`Guildhall is ready at ${server.url} (${((performance.now() - began) / 1000).toFixed(1)} s)`)
    for (const line of server.banner) say(line)
    sayToPerson('Press Ctrl-C to stop.')
    complain(new OperatorError(await server.died))
    await server.close()
    onStop(null)
  }

  try {
    const config = readConfig(process.env, path.dirname(import.meta.dirname))
    await prepare(say, signal)
    const deaths: number[] = []
    for (;;) {
      await serve(config).catch((error: unknown) => {
        if (!(error instanceof DatabaseDied)) throw error
        complain(error)
      })
      deaths.push(performance.now())
      const lately = deaths.filter((at) => performance.now() - at < DEATHS_WITHIN_MS)
      if (lately.length >= DEATHS_MAX)
        throw new OperatorError(
          `The database ended ${lately.length} times in ten minutes: not started again.`,
        )
      say('Starting again …')
    }
  } catch (error) {
    if (signal.aborted) {
      say('Stopped before it was ready.')
      process.exit(0)
    }
    complain(error)
    process.exit(1)
  }
}
