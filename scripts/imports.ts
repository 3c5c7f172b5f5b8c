/**
 * The import rules: which file may import which. A refusal names the rule and what to import instead.
 *
 * 1. `server` and `web` import `wire` and never each other; `wire` imports the validator and itself;
 *   `sandbox` imports `wire` and what `KNOWN_TO_SANDBOX` says.
 * 2. A noun imports another noun by its entry point, the file named after the folder: `guild/guild.ts`.
 * 3. A layer imports the layers below it, and a noun the nouns before it.
 * 4. Each outside thing (driver, framework, environment, screens) has one importer: a noun's `routes.ts` its
 *   `module.ts`, and that the app.
 * 5. Imports make no circle, those of types included: what two files need of each other stands in a file
 *   below both.
 */
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'

const ROOT = path.dirname(import.meta.dirname)

/** In order: a noun may import the ones before it. Some have no code yet; see ARCHITECTURE.md. */
export const NOUNS = [
  'user',
  'captcha',
  'auth',
  'realname',
  'asset',
  'friend',
  'audit',
  'guild',
  'role',
  'onboarding',
  'emoji',
  'channel',
  'presence',
  'member',
  'invite',
  'message',
  'chat',
  'screening',
  'moderation',
  'search',
  'product',
  'ledger',
  'order',
  'pay',
  'entitlement',
  'buff',
  'boost',
  'golive',
  'renewal',
  'coupon',
  'account',
  'bot',
  'profile',
  'growth',
  'review',
  'report',
  'staff',
  'site',
]

/** The parts of the text room on the page, in order. On the page they replace the noun `message`. */
const ROOM_PARTS = ['roomStore', 'kmarkdown', 'media', 'card', 'message', 'composer', 'room']
const WEB_NOUNS = NOUNS.flatMap((noun) => (noun === 'message' ? ROOM_PARTS : [noun]))

const SERVER_LAYERS = [
  ['kit'],
  ['outside'],
  NOUNS,
  ['demo'],
  ['backup'],
  ['gateway'],
  ['app'],
  ['main', 'cli'],
]
const WEB_LAYERS = [['kit', 'ui'], ['native'], ['gateway'], WEB_NOUNS, ['app'], ['main', 'staffMain']]
const IMPORT =
  /(?:^|[\s;}])(?:import|export)\s[^'"`;]*?from\s*['"]([^'"]+)['"]|(?:^|[\s;}])import\s+['"]([^'"]+)['"]|\bimport\s*\(\s*['"]([^'"]+)['"]/g

/**
 * A source file by its location: `server/src/guild/sql.ts` is workspace server, folder guild, name sql.ts.
 */
interface Location {
  readonly file: string
  readonly workspace: string
  /**
   * The folder directly under `src`, or the file's name without its extension when the file is there itself.
   */
  readonly folder: string
  readonly name: string
  readonly isTest: boolean
}

function locationOf(file: string): Location {
  const [workspace = '', ...rest] = file.split('/').filter((step, index) => !(index === 1 && step === 'src'))
  const name = rest.at(-1) ?? ''
  return {
    file,
    workspace,
    folder: rest.length > 1 ? (rest[0] ?? '') : name.replace(/\..*$/, ''),
    name,
    isTest: /\.(test|e2e)\.tsx?$/.test(name) || rest[0] === 'testing',
  }
}

/**
 * What a source file imports: packages by name, files by their path from the root. `static`: without what it
 * loads later.
 */
export function importsOf(file: string, source: string, which: 'all' | 'static' = 'all'): string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
  const found = [...code.matchAll(IMPORT)].filter((match) => which === 'all' || match[3] === undefined)
  return found.map((match) => {
    const target = match[1] ?? match[2] ?? match[3] ?? ''
    if (target.startsWith('.')) return path.posix.normalize(path.posix.join(path.posix.dirname(file), target))
    return target.replace(/^@guildhall\/(\w+)\//, '$1/src/')
  })
}

/** Every violation in one file, as sentences. `file` is its path from the root with forward slashes. */
export function violations(file: string, source: string): string[] {
  const from = locationOf(file)
  const found = importsOf(file, source).flatMap((target) => {
    const why = /^(wire|server|sandbox|web|e2e|scripts)\//.test(target)
      ? whyNotFile(from, locationOf(target))
      : whyNotPackage(from, target)
    return why ? [`${file} imports ${target}. ${why}`] : []
  })
  if (from.workspace === 'server' && !from.isTest && /\bprocess\.env\b/.test(source))
    if (!['main', 'cli', 'config'].includes(from.folder))
      found.push(
        `${file} reads process.env. Rule 4, the environment is read in one file: add the variable to server/src/config.ts and pass the Config on.`,
      )
  return found
}

/** Rule 5: the circles of a graph of imports, each as the files that it leads through. */
export function circles(importsByFile: ReadonlyMap<string, readonly string[]>): string[][] {
  const found: string[][] = []
  const done = new Set<string>()
  const way: string[] = []
  const follow = (file: string): void => {
    const at = way.indexOf(file)
    if (at >= 0) found.push(way.slice(at))
    if (at >= 0 || done.has(file)) return
    way.push(file)
    for (const target of importsByFile.get(file) ?? []) follow(target)
    way.pop()
    done.add(file)
  }
  for (const file of importsByFile.keys()) follow(file)
  return found
}

/** Packages of the server that have one importer: a file, or a folder when it ends with a slash. */
const SINGLE_IMPORTERS: readonly (readonly [RegExp, importer: string, what: string])[] = [
  [/^pg-boss$/, 'server/src/kit/jobs.ts', 'the job queue'],
  [/^pg(-|$)/, 'server/src/kit/database/db.ts', 'the database driver'],
  [/^(fastify$|@fastify\/)/, 'server/src/kit/http/', 'Fastify'],
  [/^ioredis$/, 'server/src/kit/redis/', 'the Redis client'],
  [/^prom-client$/, 'server/src/kit/metrics/', 'the metrics client'],
]

function whyNotPackage(from: Location, name: string): string | null {
  if (from.workspace === 'wire' && !from.isTest) {
    if (!/^zod(\/|$)/.test(name))
      return 'Rule 1, wire imports the validator and itself: move this to server or web.'
    if (from.name !== 'schema.ts')
      return 'Rule 1, one file imports the validator: import z from wire/src/schema.ts.'
  }
  if (from.workspace !== 'server') return null
  const single = SINGLE_IMPORTERS.find(([pattern]) => pattern.test(name))
  if (single) {
    const [, importer, what] = single
    const isAllowed = importer.endsWith('/') ? from.file.startsWith(importer) : from.file === importer
    return isAllowed ? null : `Rule 4, only ${importer} imports ${what}: use what it exports.`
  }
  if (name === 'ws' && from.folder !== 'gateway' && !from.isTest)
    return 'Rule 4, only server/src/gateway imports ws: emit an event, the gateway delivers it.'
  return null
}

function whyNotFile(from: Location, to: Location): string | null {
  if (from.workspace === 'scripts') return null
  if (from.workspace === 'e2e') return whyNotFromJourney(from, to)
  if (from.workspace !== to.workspace) {
    if (to.workspace === 'wire' && from.workspace !== 'wire') return null
    if (from.workspace === 'wire')
      return 'Rule 1, wire imports the validator and itself: move what both need into wire.'
    if (from.workspace === 'sandbox' || to.workspace === 'sandbox') return whyNotSandbox(from, to)
    return 'Rule 1, server and web never import each other: move what both need into wire.'
  }
  if (from.workspace === 'sandbox' || from.isTest || from.folder === to.folder) return null
  // The gallery of the page's components is a screen of the development build.
  if (from.folder === 'app' && to.file.startsWith('web/src/testing/gallery/')) return null
  if (to.folder === 'testing')
    return `Rule 3, product code imports no test code: only tests import ${to.workspace}/src/testing.`
  if (from.workspace === 'wire') return whyNotNounOrder(from, to)
  return whyNotPrivate(from, to) ?? whyNotLayer(from, to) ?? whyNotNounOrder(from, to)
}

/** Pure code of both ends of a connection: the connection's model runs them against each other. */
const CONNECTION_ENDS = [
  'server/src/gateway/encodeEvent.ts',
  'server/src/gateway/session.ts',
  'server/src/gateway/transport/transport.ts',
  'web/src/gateway/connection.ts',
  'web/src/roomStore/messageChange.ts',
  'web/src/roomStore/room.ts',
  'web/src/roomStore/roomEvent.ts',
  'web/src/roomStore/roomReducer.ts',
]
const CONNECTION_MODELS = ['e2e/connection/connectionModel.ts', 'e2e/connection/talker.ts']

function whyNotFromJourney(from: Location, to: Location): string | null {
  if (CONNECTION_MODELS.includes(from.file) && CONNECTION_ENDS.includes(to.file)) return null
  const isAllowed =
    to.workspace === 'wire' ||
    to.workspace === 'e2e' ||
    /^(?:scripts\/(?:chromium|packages)|web\/floor)\.ts$/.test(to.file) ||
    to.folder === 'testing' ||
    (to.workspace === 'server' && to.folder === 'demo')
  if (isAllowed) return null
  return `Rule 3, e2e uses the product from outside: it imports server/src/testing, server/src/demo, web/src/testing and wire; ${CONNECTION_MODELS.join(' and ')} import the pure ends of a connection as well.`
}

/** What the sandbox knows of the server. */
const KNOWN_TO_SANDBOX = /^server\/src\/(?:kit\/.*|outside\/payment\/payProvider|config\/pay)\.ts$/

/** Rules 1 and 4 between the sandbox and the others. */
function whyNotSandbox(from: Location, to: Location): string | null {
  if (from.workspace === 'server')
    return from.isTest || ['app', 'cli'].includes(from.folder)
      ? null
      : 'Rule 4, only server/src/app and server/src/cli import the sandbox: the product knows the port outside/payment/payProvider.ts.'
  if (to.workspace === 'server' && (from.isTest || KNOWN_TO_SANDBOX.test(to.file))) return null
  return 'Rule 1, the sandbox is another company: it imports wire, server/src/kit, the port outside/payment/payProvider.ts and config/pay.ts.'
}

const nounsOf = (location: Location): readonly string[] => (location.workspace === 'web' ? WEB_NOUNS : NOUNS)

/** Rules 2 and 4: files that only their noun or one importer may import. */
function whyNotPrivate(from: Location, to: Location): string | null {
  const entryPoint = `${to.workspace}/src/${to.folder}/${to.folder}.ts`
  const isNounOfServer = to.workspace === 'server' && NOUNS.includes(to.folder)
  const module = `server/src/${to.folder}/module.ts`
  if (isNounOfServer && from.folder === 'app' && ![entryPoint, module].includes(to.file))
    return `Rule 2, the app imports of a noun what it brings and its entry point: import ${module} or ${entryPoint}.`
  if (isNounOfServer && to.name === 'module.ts')
    return from.folder === 'app' ? null : `Rule 4, only server/src/app imports module.ts: call ${entryPoint}.`
  if (isNounOfServer && to.name === 'routes.ts')
    return `Rule 4, only ${module} imports routes.ts: call ${entryPoint}.`
  if (to.name.endsWith('Screen.tsx'))
    return from.folder === 'app'
      ? null
      : 'Rule 4, only web/src/app imports screens: link by the paths of wire/src/pages.ts.'
  // The parts of the text room are one feature of the page: each imports any file of the parts before it.
  if (to.workspace === 'web' && [from, to].every(({ folder }) => ROOM_PARTS.includes(folder))) return null
  const isToNoun = nounsOf(to).includes(to.folder)
  const isFromUser =
    nounsOf(to).includes(from.folder) || (from.workspace === 'server' && from.folder === 'gateway')
  if (isToNoun && isFromUser && to.file.replace(/x$/, '') !== entryPoint)
    return `Rule 2, a noun imports another by its entry point: import ${entryPoint}.`
  return null
}

/** Rule 3 between layers: kit knows no noun, a noun knows no gateway. */
function whyNotLayer(from: Location, to: Location): string | null {
  const layers = from.workspace === 'server' ? SERVER_LAYERS : WEB_LAYERS
  const layerOf = ({ folder }: Location) => layers.findIndex((folders) => folders.includes(folder))
  if (to.folder === 'config') return null
  if (layerOf(from) === -1 && from.folder !== 'config')
    return `Rule 3, every folder has a layer: ${from.folder} is none of ${layers.flat().join(', ')}; add it to scripts/imports.ts with a decision page.`
  if (layerOf(to) <= Math.max(layerOf(from), 0)) return null
  return `Rule 3, imports go down: ${to.folder} is above ${from.folder}. Let ${to.folder} call ${from.folder}, or have app.ts inject a hook.`
}

/** Rule 3 between nouns: later ones call earlier ones. */
function whyNotNounOrder(from: Location, to: Location): string | null {
  const nouns = nounsOf(from)
  const [mine, theirs] = [nouns.indexOf(from.folder), nouns.indexOf(to.folder)]
  if (mine === -1 || theirs === -1 || theirs < mine) return null
  return from.workspace === 'wire'
    ? `Rule 3, imports go down: ${to.folder} comes after ${from.folder}. Move what both need to the earlier noun or to a file of wire's own.`
    : `Rule 3, imports go down: ${to.folder} comes after ${from.folder}. Let ${to.folder} call ${from.folder}, or have app.ts inject a hook.`
}

/** Every TypeScript file of the workspaces, by its path from the root. */
export async function sourceFiles(root = ROOT): Promise<string[]> {
  const found: string[] = []
  for (const folder of ['wire/src', 'server/src', 'sandbox/src', 'web/src', 'e2e', 'scripts']) {
    const entries = await readdir(path.join(root, folder), { recursive: true, withFileTypes: true }).catch(
      () => [],
    )
    for (const entry of entries)
      if (entry.isFile() && /\.tsx?$/.test(entry.name))
        found.push(path.relative(root, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
  }
  return found.filter((file) => !file.includes('node_modules/')).toSorted()
}

if (import.meta.main) {
  const files = await sourceFiles()
  const found: string[] = []
  const graph = new Map<string, readonly string[]>()
  for (const file of files) {
    const source = await readFile(path.join(ROOT, file), 'utf8')
    found.push(...violations(file, source))
    graph.set(file, importsOf(file, source, 'static'))
  }
  for (const circle of circles(graph))
    found.push(`${circle.join(' → ')} → ${circle[0]}. Rule 5, imports make no circle.`)
  for (const sentence of found) console.error(sentence)
  console.log(`${files.length} files, ${found.length} imports against the rules`)
  process.exitCode = found.length === 0 ? 0 : 1
}
