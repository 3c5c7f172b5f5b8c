/**
 * Runs the sandbox as a process of its own: `node sandbox/src/main.ts --dir DIR [--host HOST] [--port
 * PORT] [--url URL]`.
 */
import { parseArgs } from 'node:util'
import { openSandbox } from './sandbox.ts'

const DEFAULT_HOST = '127.0.0.1'

/** @throws Error for arguments that are none */
function readArguments(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      dir: { type: 'string' },
      host: { type: 'string', default: DEFAULT_HOST },
      port: { type: 'string', default: '0' },
      url: { type: 'string' },
      'wait-factor': { type: 'string', default: '1' },
    },
  })
  const [port, waitFactor] = [Number(values.port), Number(values['wait-factor'])]
  if (values.dir === undefined) throw new Error('--dir is missing: the directory of keys and store')
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error('--port is no port')
  if (!(waitFactor >= 0)) throw new Error('--wait-factor is no number')
  return { dir: values.dir, host: values.host, port, waitFactor, ...(values.url && { url: values.url }) }
}

if (import.meta.main) {
  try {
    const sandbox = await openSandbox(readArguments(process.argv.slice(2)))
    // One line for who started it: the address, and what the control takes.
    console.log(JSON.stringify({ url: sandbox.url, token: sandbox.token }))
    let isClosing = false
    const close = () => {
      if (isClosing) return
      isClosing = true
      void sandbox.close().then(() => process.exit(0))
    }
    process.on('SIGINT', close)
    process.on('SIGTERM', close)
  } catch (error) {
    console.error((error as Error).message)
    process.exitCode = 1
  }
}
