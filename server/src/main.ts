/** The entry: reads the configuration, opens the database, starts the app, stops on signals. */
import { createServer } from 'node:net'
import { prepareOwnSandbox, type Sandbox } from './app/adapters/payProviders.ts'
import { whyNotShared } from './app/adapters/stores.ts'
import { startApp } from './app/app.ts'
import { type Config, defaultPublicUrl } from './config.ts'
import { startGreeter } from './demo/greeter.ts'
import { withShowcase } from './demo/showcase.ts'
import { replaceClock } from './kit/clock.ts'
import { prepareKeys } from './kit/crypto/keys.ts'
import { openStore, startFailure } from './kit/database/store.ts'
import { openLog } from './kit/log.ts'
import { OperatorError } from './kit/operatorError.ts'
import { reduceGarbageCollection } from './kit/process.ts'
import { readSiteFace } from './site/site.ts'

/** A running server. */
export interface Running {
  /** The address people use, without a trailing slash. */
  readonly url: string
  /** Lines of plain text for the person who started it: invite link, demo cast, address of the codes. */
  readonly banner: readonly string[]
  /** Resolves with one sentence when the server cannot continue, for example when its database ended. */
  readonly died: Promise<string>
  /** Finishes the requests under way, then stops the database. May be called twice. */
  close(): Promise<void>
}

/**
 * Opens the database, migrates it and serves. `signal` aborts the start and leaves nothing running.
 * @throws errors whose message is one sentence for the operator when the port, the database, a migration or
 *   the location of uploads is at fault, or keys are missing in production
 */
export async function start(
  config: Config,
  options: { onProgress?: (line: string) => void; signal?: AbortSignal } = {},
): Promise<Running> {
  reduceGarbageCollection()
  // Before a database is made: a folder that is wrong leaves nothing behind.
  await readSiteFace(config.siteDir)
  const notShared = whyNotShared(config)
  if (notShared) throw new OperatorError(notShared)
  // Before a database is migrated. Outside of production they are made once there is a database.
  if (config.production) await prepareKeys(config.keys, config.production)
  const say = options.onProgress ?? (() => undefined)
  if (config.clockOffsetMs !== 0) replaceClock(() => Date.now() + config.clockOffsetMs)
  const effective = withShowcase(await resolvePort(config))
  const log = openLog(effective.production ? 'json' : 'quiet')
  const { dataDir, databaseUrl } = effective
  const openSandbox = await prepareOwnSandbox(effective)
  const store = await openStore({
    dataDir,
    databaseUrl,
    log,
    onProgress: say,
    ...(options.signal && { signal: options.signal }),
  })
  let sandbox: Sandbox | null = null
  try {
    sandbox = await openSandbox().catch((error: unknown) => {
      throw sandboxError(error)
    })
    const app = await startApp({ config: effective, database: store.database, log, sandbox })
    try {
      options.signal?.throwIfAborted()
      await app.listen().catch((error: NodeJS.ErrnoException) => Promise.reject(portError(error, effective)))
      const stopGreeter = effective.hasDemoApp
        ? await startGreeter(app.appContext, defaultPublicUrl(effective.host, effective.port))
        : null
      const banner = await app.banner()
      let closing: Promise<void> | null = null
      const closeAll = async () => {
        stopGreeter?.()
        try {
          await app.close()
        } finally {
          await sandbox?.close()
          await store.close()
        }
      }
      return {
        url: effective.publicUrl,
        banner,
        died: store.died,
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
    const failure = await startFailure(error, store.died)
    await sandbox?.close()
    await store.close()
    throw failure
  }
}

/** PORT=0 becomes a free port now, because links that name it are made before the server listens. */
async function resolvePort(config: Config): Promise<Config> {
  if (config.port !== 0) return config
  const probe = createServer()
  await new Promise<void>((resolve, reject) => {
    probe.once('error', (error) => reject(portError(error, config)))
    probe.listen(0, config.host, resolve)
  })
  const address = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port')
  const given = config.publicUrl !== defaultPublicUrl(config.host, 0)
  const publicUrl = given ? config.publicUrl : defaultPublicUrl(config.host, address.port)
  return { ...config, port: address.port, publicUrl }
}

function sandboxError(error: unknown): Error {
  const { code, path, message } = error as NodeJS.ErrnoException
  const why =
    code === 'EADDRINUSE'
      ? 'its port is taken; set PAY_SANDBOX_PORT to another one, or PAY_SANDBOX=0'
      : message
  if (path !== undefined)
    return new OperatorError(`${path} cannot be made there; set DATA_DIR to another directory.`, {
      cause: error,
    })
  return new OperatorError(`The payment sandbox does not open: ${why}.`, { cause: error })
}

function portError(error: NodeJS.ErrnoException, { host, port }: Config): Error {
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
