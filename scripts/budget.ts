// The size budgets of the page: what each route loads, measured on the built files. Run after the page is built.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'

const DIST = path.join(path.dirname(import.meta.dirname), 'web/dist')
const KB = 1000

interface Chunk {
  readonly file: string
  readonly imports?: readonly string[]
}
export type Manifest = Readonly<Record<string, Chunk>>

export interface Budget {
  readonly route: string
  /** The entry chunks of a first visit to this screen. */
  readonly entries: readonly string[]
  /** JavaScript, bytes after gzip. */
  readonly maxBytes: number
}

const PAGE = 'index.html'
const APP = 'src/app/App.tsx'
const SHELL = 'src/app/Shell.tsx'

/** The sheet of the invite counts too: it is prefetched before the tap that opens it. */
export const budgets: readonly Budget[] = [
  {
    route: '/invite/:code',
    entries: [PAGE, 'src/invite/InviteScreen.tsx', 'src/invite/RegisterSheet.tsx'],
    maxBytes: 95 * KB,
  },
  {
    route: '/channels/:guildId/:channelId',
    entries: [PAGE, APP, SHELL, 'src/room/RoomScreen.tsx'],
    maxBytes: 200 * KB,
  },
]

/** Every script file that the entries import, each once. @throws when an entry is not in the manifest */
export function filesOf(manifest: Manifest, entries: readonly string[]): string[] {
  const files = new Set<string>()
  const walk = (key: string): void => {
    const chunk = manifest[key]
    if (!chunk) throw new Error(`${key} is not in the manifest: has the file moved?`)
    if (files.has(chunk.file)) return
    files.add(chunk.file)
    for (const each of chunk.imports ?? []) walk(each)
  }
  for (const entry of entries) walk(entry)
  return [...files].filter((file) => file.endsWith('.js'))
}

/** The size of each route, bytes after gzip. @throws Error when the page is not built */
export function measure(dist: string = DIST): { route: string; bytes: number; maxBytes: number }[] {
  const manifest = JSON.parse(readFileSync(path.join(dist, '.vite/manifest.json'), 'utf8')) as Manifest
  return budgets.map(({ route, entries, maxBytes }) => ({
    route,
    maxBytes,
    bytes: filesOf(manifest, entries)
      .map((file) => gzipSync(readFileSync(path.join(dist, file)), { level: 9 }).length)
      .reduce((sum, size) => sum + size, 0),
  }))
}

if (import.meta.main) {
  for (const { route, bytes, maxBytes } of measure()) {
    const fits = bytes <= maxBytes
    console.log(`${route}: ${(bytes / KB).toFixed(1)} kB of ${maxBytes / KB} kB${fits ? '' : ', too much'}`)
    if (!fits) process.exitCode = 1
  }
}
