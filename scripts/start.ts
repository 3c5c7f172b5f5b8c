import path from 'node:path'
import { readConfig } from '../server/src/config.ts'
import { OperatorError } from '../server/src/kit/operatorError.ts'
import { start } from '../server/src/main.ts'
import { stopOnSignal } from './signal.ts'
import { buildWeb } from './web.ts'

const print = (line: string) => console.log(line)
const began = performance.now()
const { signal, onStop } = stopOnSignal()

try {
  const config = readConfig(process.env, path.dirname(import.meta.dirname))
  await buildWeb(print, signal)
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
