// A process that runs an embedded database in a given directory until SIGTERM; tests kill it.
import { startEmbedded } from '../../kit/database/embedded.ts'

const print = (line: string) => process.stdout.write(`${line}\n`)
const embedded = await startEmbedded({ dataDir: process.argv[2] ?? '', onProgress: print })
print('ready')
process.once('SIGTERM', () => {
  embedded.stop().then(() => process.exit(0))
})
setInterval(() => undefined, 60_000)
