// npm run dev: one port. Vite serves the page, and reloads it when its sources change; everything else is
// proxied to the server, a separate process that restarts when its sources or the wire change. The database
// keeps running.
import { type ChildProcess, fork } from 'node:child_process'
import { existsSync, statSync, watch } from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createProbe } from 'node:net'
import path from 'node:path'
import { createServer as createVite, type ViteDevServer } from 'vite'
import { openThirdParties } from '../server/src/app/adapters/thirdParties.ts'
import { pageCookiesOf } from '../server/src/app/pages/pageCookies.ts'
import { type Config, readConfig } from '../server/src/config.ts'
import { withShowcase } from '../server/src/demo/showcase.ts'
import { connectionUrl } from '../server/src/kit/database/db.ts'
import { type Embedded, startEmbedded } from '../server/src/kit/database/embedded.ts'
import { OperatorError } from '../server/src/kit/operatorError.ts'
import { forward, forwardUpgrade, isForServer } from './proxy.ts'
import { stopOnSignal } from './signal.ts'

const ROOT = path.dirname(import.meta.dirname)
const WEB = path.join(ROOT, 'web')
const WATCHED = ['server/src', 'server/migrations', 'sandbox/src', 'wire/src']
// An editor writes a file in several steps, and a branch switch writes many files.
const SETTLE_MS = 150
const STOP_WITHIN_MS = 5_000

const { signal, onStop } = stopOnSignal()
/** What was opened so far, closed in reverse order, also after a failed start. */
const opened: (() => unknown)[] = []

/** The server process, restarted on demand. `ready` is true while it serves requests. */
function openServer(env: NodeJS.ProcessEnv) {
  let child: ChildProcess | null = null
  let ready: Promise<boolean> = Promise.resolve(false)
  let turn: Promise<void> = Promise.resolve()

  const launch = () => {
    const next = fork(path.join(ROOT, 'scripts/dev-server.ts'), {
      env,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    child = next
    let banner: readonly string[] = []
    ready = new Promise((resolve) => {
      next.once('message', (message: { banner: readonly string[] }) => {
        banner = message.banner
        resolve(true)
      })
      next.once('exit', () => {
        if (child === next) child = null
        resolve(false)
      })
    })
    return ready.then(() => banner)
  }
  const end = async () => {
    const old = child
    child = null
    if (!old || old.exitCode !== null || old.signalCode !== null) return
    const exited = new Promise((resolve) => old.once('exit', resolve))
    old.kill('SIGTERM')
    const force = setTimeout(() => old.kill('SIGKILL'), STOP_WITHIN_MS)
    await exited
    clearTimeout(force)
  }
  return {
    launch,
    end,
    isReady: () => turn.then(() => ready),
    replace() {
      turn = turn.then(async () => {
        await end()
        if (signal.aborted) return
        await launch()
        console.log(
          (await ready)
            ? 'Server restarted.'
            : 'The server did not start; it is tried again on the next change.',
        )
      })
    },
  }
}

function watchSources(changed: () => void): () => void {
  let timer: NodeJS.Timeout | null = null
  const watchers = WATCHED.filter((each) => existsSync(path.join(ROOT, each))).map((each) =>
    watch(path.join(ROOT, each), { recursive: true }, (_event, file) => {
      if (!file || /\.test\.tsx?$|~$|\.sw[px]$/.test(file)) return
      if (timer) clearTimeout(timer)
      timer = setTimeout(changed, SETTLE_MS)
    }),
  )
  return () => {
    if (timer) clearTimeout(timer)
    for (const watcher of watchers) watcher.close()
  }
}

async function freePort(): Promise<number> {
  const probe = createProbe()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const address = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}

async function openDatabase(config: Config): Promise<{ url: string; embedded: Embedded | null }> {
  if (config.databaseUrl !== null) return { url: config.databaseUrl, embedded: null }
  const embedded = await startEmbedded({ dataDir: config.dataDir, onProgress: console.log, signal })
  return { url: connectionUrl(embedded.connection), embedded }
}

async function run(): Promise<void> {
  const config = withShowcase(readConfig(process.env, ROOT))
  const http = createServer()
  await new Promise<void>((resolve, reject) => {
    http.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE' ? new OperatorError(`Port ${config.port} is taken; set PORT.`) : error,
      ),
    )
    http.listen(config.port, config.host, resolve)
  })
  opened.push(() => {
    http.close()
    http.closeAllConnections()
  })
  const { url, embedded } = await openDatabase(config)
  opened.push(() => embedded?.stop())
  const port = await freePort()
  const server = openServer({
    ...process.env,
    PORT: String(port),
    HOST: '127.0.0.1',
    DATABASE_URL: url,
    DATA_DIR: config.dataDir,
    PUBLIC_URL: config.publicUrl,
  })
  opened.push(server.end)
  const banner = await server.launch()
  const vite: ViteDevServer | null = existsSync(path.join(WEB, 'vite.config.ts'))
    ? await createVite({ root: WEB, server: { middlewareMode: true, hmr: { server: http } }, appType: 'spa' })
    : null
  opened.push(() => vite?.close())

  const cookiesOf = pageCookiesOf(config, openThirdParties(config))
  http.on('request', async (asked, reply) => {
    const [pathname = '/'] = (asked.url ?? '/').split('?')
    const isPublic = pathname !== '/' && isFile(path.join(WEB, 'public', path.normalize(pathname)))
    const what = { method: asked.method ?? 'GET', url: asked.url ?? '/', accept: asked.headers.accept ?? '' }
    if (vite && !isForServer(what, isPublic)) {
      // As the server does with the pages that it serves.
      const isLocal = /^(?:::ffff:)?127\.|^::1$/.test(asked.socket.remoteAddress ?? '')
      const cookies = cookiesOf({ isLocal, bearer: null, queryToken: null })
      reply.setHeader(
        'set-cookie',
        cookies.map(({ name, value }) => `${name}=${value}; Path=/; SameSite=Lax`),
      )
      // The staff console is a page of its own, at all paths below this one.
      if (/^\/staff(?:\/[^.]*)?$/.test(pathname)) asked.url = '/staff.html'
      return vite.middlewares(asked, reply)
    }
    if (await server.isReady()) return forward(asked, reply, port)
    reply
      .writeHead(503, { 'content-type': 'text/plain; charset=utf-8' })
      .end('The server did not start; see the terminal.\n')
  })
  http.on('upgrade', async (asked, socket, head) => {
    if (asked.headers['sec-websocket-protocol']?.startsWith('vite-')) return
    if (await server.isReady()) forwardUpgrade(asked, socket, head, port)
    else socket.destroy()
  })
  const unwatch = watchSources(() => {
    console.log('A source changed.')
    server.replace()
  })

  opened.push(unwatch)
  onStop(closeAll)
  console.log(`\nGuildhall (development, reloads on change) is ready at ${config.publicUrl}`)
  for (const line of banner) console.log(line)
  console.log('Press Ctrl-C to stop.')
  embedded?.died.then(async (why) => {
    console.error(why)
    await closeAll()
    process.exit(1)
  })
}

function isFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() ?? false
}

async function closeAll(): Promise<void> {
  for (const close of opened.splice(0).reverse()) await close()
}

run().catch(async (error) => {
  await closeAll()
  if (signal.aborted) process.exit(0)
  console.error(error instanceof OperatorError ? error.message : error)
  process.exit(1)
})
