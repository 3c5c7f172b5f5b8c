/** The entry: reads the configuration, opens the database, starts the app, stops on signals. */
import { createServer } from 'node:net'
import { startApp } from './app/app.ts'
import { type Config, defaultPublicUrl } from './config.ts'
import { openLog } from './kit/log.ts'
import { OperatorError } from './kit/operatorError.ts'
import { reduceGarbageCollection } from './kit/process.ts'
import { openStore } from './kit/store.ts'

/** A server that takes requests. */
export interface Running {
  /** The address people use, without a trailing slash. */
  readonly url: string
  /** What a person who just started it wants to read: invite link, cast, where codes are. Lines of plain text. */
  readonly banner: readonly string[]
  /** Resolves with one sentence when it cannot go on, such as when its database ended. */
  readonly died: Promise<string>
  /** Finishes the requests under way, then stops the database. May be called twice. */
  close(): Promise<void>
}

/**
 * Opens the database, prepares its tables and serves. `signal` abandons the start and leaves nothing running.
 * @throws errors whose message is one sentence for the operator when the port, the database or a migration is at fault
 */
export async function start(
  config: Config,
  options: { onProgress?: (line: string) => void; signal?: AbortSignal } = {},
): Promise<Running> {
  reduceGarbageCollection()
  const say = options.onProgress ?? (() => undefined)
  const settled = await settlePort(config)
  const log = openLog(settled.production ? 'json' : 'quiet')
  const { dataDir, databaseUrl } = settled
  const home = await openStore({
    dataDir,
    databaseUrl,
    log,
    onProgress: say,
    ...(options.signal && { signal: options.signal }),
  })
  try {
    const app = await startApp({ config: settled, database: home.database, log })
    try {
      options.signal?.throwIfAborted()
      await app.listen().catch((error: NodeJS.ErrnoException) => Promise.reject(portTrouble(error, settled)))
      const banner = await app.banner()
      let closing: Promise<void> | null = null
      const closeAll = async () => {
        await app.close()
        await home.close()
      }
      return {
        url: settled.publicUrl,
        banner,
        died: home.died,
        close() {
          closing ??= closeAll()
          return closing
        },
      }
    } catch (error) {
      await app.close()
      throw error
    }
  } catch (error) {
    await home.close()
    throw error
  }
}

/** PORT=0 becomes a free port now, because links that name it are made before the server listens. */
async function settlePort(config: Config): Promise<Config> {
  if (config.port !== 0) return config
  const probe = createServer()
  await new Promise<void>((resolve, reject) => {
    probe.once('error', (error) => reject(portTrouble(error, config)))
    probe.listen(0, config.host, resolve)
  })
  const address = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port')
  const given = config.publicUrl !== defaultPublicUrl(config.host, 0)
  const publicUrl = given ? config.publicUrl : defaultPublicUrl(config.host, address.port)
  return { ...config, port: address.port, publicUrl }
}

function portTrouble(error: NodeJS.ErrnoException, { host, port }: Config): Error {
  const say = (message: string) => new OperatorError(message, { cause: error })
  if (error.code === 'EADDRINUSE')
    return say(
      `Port ${port} is taken by another program. Stop it, or choose another port: PORT=${port + 1} npm start`,
    )
  if (error.code === 'EACCES')
    return say(`Port ${port} needs more rights than this account has. Set PORT to one above 1023.`)
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return say(`HOST ${host} is not an address of this machine.`)
  return error
}
