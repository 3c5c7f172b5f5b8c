// The server process of `npm run dev`: configured by the environment, restarted when a source changes.
import path from 'node:path'
import { readConfig } from '../server/src/config.ts'
import { OperatorError } from '../server/src/kit/operatorError.ts'
import { start } from '../server/src/main.ts'

try {
  const server = await start(readConfig(process.env, path.dirname(import.meta.dirname)))
  const close = () => server.close().finally(() => process.exit(0))
  for (const name of ['SIGTERM', 'disconnect'] as const) process.once(name, close)
  process.send?.({ banner: server.banner })
} catch (error) {
  console.error(error instanceof OperatorError ? error.message : error)
  process.exit(1)
}
