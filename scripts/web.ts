import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { OperatorError } from '../server/src/kit/operatorError.ts'

const ROOT = path.dirname(import.meta.dirname)
const STAMP = path.join(ROOT, 'web/dist/.built-from')
const VITE = path.join(ROOT, 'node_modules/vite/bin/vite.js')

/**
 * Builds `web/dist` when the sources of the page, the wire or the locked packages differ from the ones it was
 * built from. `signal` ends a build under way. Throws when the build fails, with the end of its output.
 */
export async function buildWeb(print: (line: string) => void, signal?: AbortSignal): Promise<void> {
  // A release has the built page without its sources.
  if (!existsSync(path.join(ROOT, 'web/vite.config.ts')) && isWebBuilt()) return
  const wanted = await sourcesHash()
  if ((await readFile(STAMP, 'utf8').catch(() => '')) === wanted) return
  if (!existsSync(VITE))
    throw new OperatorError('The page has changed, and what builds it is not installed: run npm run build.')
  print('Building the web app (its sources changed) …')
  const started = performance.now()
  await viteBuild('production', signal)
  await viteBuild('staff', signal)
  await writeFile(STAMP, wanted)
  print(`Web app built in ${((performance.now() - started) / 1000).toFixed(1)} s.`)
}

/** Whether a page is built, of whatever sources. */
export const isWebBuilt = (): boolean => existsSync(STAMP)

/** A hash over all sources of the built page, without tests. */
export async function sourcesHash(root = ROOT): Promise<string> {
  const hash = createHash('sha256')
  const files = [path.join(root, 'package-lock.json')]
  for (const room of ['web', 'wire'])
    for (const entry of await readdir(path.join(root, room), { recursive: true, withFileTypes: true })) {
      const file = path.join(entry.parentPath, entry.name)
      if (entry.isFile() && !/[\\/](node_modules|dist)[\\/]|\.test\.tsx?$/.test(file)) files.push(file)
    }
  for (const file of files.toSorted()) {
    hash.update(`${path.relative(root, file)}\0`)
    hash.update(await readFile(file))
    hash.update('\0')
  }
  return hash.digest('hex')
}

/** `mode`: see `web/vite.config.ts`. */
async function viteBuild(mode: 'production' | 'staff', signal?: AbortSignal): Promise<void> {
  // A separate process, so that the bundler's memory is freed before the server runs.
  const child = spawn(process.execPath, [VITE, 'build', '--mode', mode, '--logLevel', 'warn'], {
    cwd: path.join(ROOT, 'web'),
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_ENV: 'production' },
  })
  const end = () => child.kill()
  signal?.addEventListener('abort', end)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  }).finally(() => signal?.removeEventListener('abort', end))
  signal?.throwIfAborted()
  if (code !== 0) throw new OperatorError(`The web app did not build:\n${output.trim()}`)
}
