// The size budgets of the page: what each route loads, measured on the built files. Run after the page is
// built.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { ACCOUNT_DOCUMENT, accountPages, firstPages, type Page, shellPages } from '@guildhall/wire/pages.ts'

const DIST = path.join(path.dirname(import.meta.dirname), 'web/dist')
const KB = 1000

interface Chunk {
  readonly file: string
  readonly imports?: readonly string[]
}
export type Manifest = Readonly<Record<string, Chunk>>

export interface Budget {
  readonly route: string
  /** The served page, by its file. It names the scripts that it preloads. */
  readonly page: string
  /** Entry chunks that the route loads before the user can need them. */
  readonly alsoEntries: readonly string[]
  /** JavaScript, bytes after gzip. */
  readonly maxBytes: number
}

/** What the pages may load that people open first, bytes. */
const MAX_BYTES = {
  '/invite/:code': 38 * KB,
  '/login': 72 * KB,
  '/channels/:guildId': 108 * KB,
  '/channels/:guildId/:channelId': 145 * KB,
} as const

/** A page of the account or the shop, with all around it. */
const ACCOUNT_MAX_BYTES = 145 * KB

const first: Readonly<Record<string, Page>> = { ...firstPages, ...shellPages }
const account: Readonly<Record<string, Page>> = accountPages

export const budgets: readonly Budget[] = [
  ...Object.entries(MAX_BYTES).map(([route, maxBytes]) => ({
    route,
    page: first[route]?.document ?? 'index.html',
    // The sheet counts too: it is prefetched before the tap that opens it.
    alsoEntries: route === '/invite/:code' ? ['src/invite/RegisterSheet.tsx'] : [],
    maxBytes,
  })),
  ...Object.entries(account).map(([route, page]) => ({
    route,
    page: page.document ?? ACCOUNT_DOCUMENT,
    maxBytes: ACCOUNT_MAX_BYTES,
    // The sheet that pays counts on all of them: most sell something.
    alsoEntries: [...(page.comesWithList ? [] : [`src/${page.screen}.tsx`]), 'src/pay/PaySheet.tsx'],
  })),
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

/** The scripts of a served page: the inline one, and the paths of those that it preloads. */
export function scriptsOf(html: string): { readonly inline: string; readonly files: readonly string[] } {
  const inline = /<script>(.*?)<\/script>/s.exec(html)?.[1] ?? ''
  const preloads = /<script type="application\/json" id="preloads">(.*?)<\/script>/s.exec(html)?.[1] ?? '[]'
  return { inline, files: (JSON.parse(preloads) as string[]).map((file) => file.slice(1)) }
}

/**
 * The JavaScript of each route, bytes after gzip, as a proxy sends it. @throws Error when the page is not
 * built
 */
export function measure(dist: string = DIST): { route: string; bytes: number; maxBytes: number }[] {
  const manifest = JSON.parse(readFileSync(path.join(dist, '.vite/manifest.json'), 'utf8')) as Manifest
  const sizeOf = (text: string | Buffer) => gzipSync(text, { level: 6 }).length
  return budgets.map(({ route, page, alsoEntries, maxBytes }) => {
    const { inline, files } = scriptsOf(readFileSync(path.join(dist, page), 'utf8'))
    const all = new Set([...files, ...filesOf(manifest, alsoEntries)])
    const sizes = [...all].map((file) => sizeOf(readFileSync(path.join(dist, file))))
    return { route, maxBytes, bytes: sizes.reduce((sum, size) => sum + size, sizeOf(inline)) }
  })
}

if (import.meta.main) {
  for (const { route, bytes, maxBytes } of measure()) {
    const fits = bytes <= maxBytes
    console.log(`${route}: ${(bytes / KB).toFixed(1)} kB of ${maxBytes / KB} kB${fits ? '' : ', too much'}`)
    if (!fits) process.exitCode = 1
  }
}
