// The import fence: five rules about who may import whom, each refusal naming the rule and the door to use instead.
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'

const ROOT = path.dirname(import.meta.dirname)

/** From the ground up: a noun may use the ones before it. */
export const NOUNS = [
  ...['user', 'auth', 'asset', 'friend'],
  ...['guild', 'emoji', 'channel', 'member', 'invite', 'profile', 'review'],
  ...['message', 'chat'],
  ...['order', 'pay', 'renewal', 'boost', 'buff', 'golive', 'redeem'],
  'site',
]

/** The parts of the text room on the page, from the ground up. They stand where the noun `message` stands elsewhere. */
const ROOM_PARTS = ['roomStore', 'kmarkdown', 'media', 'card', 'message', 'composer', 'room']
const WEB_NOUNS = NOUNS.flatMap((noun) => (noun === 'message' ? ROOM_PARTS : [noun]))

const SERVER_FLOORS = [['kit'], ['outside'], NOUNS, ['demo'], ['gateway'], ['app'], ['main', 'cli']]
const WEB_FLOORS = [['kit', 'ui'], ['native'], ['gateway'], WEB_NOUNS, ['app'], ['main']]
const IMPORT =
  /(?:^|[\s;}])(?:import|export)\s[^'"`;]*?from\s*['"]([^'"]+)['"]|(?:^|[\s;}])import\s+['"]([^'"]+)['"]|\bimport\s*\(\s*['"]([^'"]+)['"]/g

/** A source file by its place: `server/src/guild/sql.ts` is room server, part guild, name sql.ts. */
interface Place {
  readonly file: string
  readonly room: string
  /** The folder under `src`, or the file's name without its ending when it lies there itself. */
  readonly part: string
  readonly name: string
  readonly isTest: boolean
}

function placeOf(file: string): Place {
  const [room = '', ...rest] = file.split('/').filter((step, index) => !(index === 1 && step === 'src'))
  const name = rest.at(-1) ?? ''
  return {
    file,
    room,
    part: rest.length > 1 ? (rest[0] ?? '') : name.replace(/\..*$/, ''),
    name,
    isTest: /\.(test|e2e)\.tsx?$/.test(name) || rest[0] === 'testing',
  }
}

/** What a source file imports: packages by name, files by their path from the root. */
export function importsOf(file: string, source: string): string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
  return [...code.matchAll(IMPORT)].map((match) => {
    const target = match[1] ?? match[2] ?? match[3] ?? ''
    if (target.startsWith('.')) return path.posix.normalize(path.posix.join(path.posix.dirname(file), target))
    return target.replace(/^@guildhall\/(\w+)\//, '$1/src/')
  })
}

/** Every broken rule of one file, as sentences. `file` is its path from the root with forward slashes. */
export function judge(file: string, source: string): string[] {
  const from = placeOf(file)
  const broken = importsOf(file, source).flatMap((target) => {
    const why = /^(wire|server|web|e2e|scripts)\//.test(target)
      ? judgeFile(from, placeOf(target))
      : judgePackage(from, target)
    return why ? [`${file} imports ${target}. ${why}`] : []
  })
  if (from.room === 'server' && !from.isTest && /\bprocess\.env\b/.test(source))
    if (!['main', 'cli', 'config'].includes(from.part))
      broken.push(
        `${file} reads process.env. Rule 4, the environment is read in one place: add the variable to server/src/config.ts and pass the Config on.`,
      )
  return broken
}

function judgePackage(from: Place, name: string): string | null {
  if (from.room === 'wire' && !from.isTest) {
    if (!/^zod(\/|$)/.test(name))
      return 'Rule 1, wire imports the validator and itself: move this to server or web.'
    if (from.name !== 'schema.ts')
      return 'Rule 1, one file names the validator: import z from wire/src/schema.ts.'
  }
  if (from.room !== 'server') return null
  if (name === 'pg-boss')
    return from.file === 'server/src/kit/jobs.ts'
      ? null
      : 'Rule 4, only server/src/kit/jobs.ts imports the job queue: use what it exports.'
  if (/^pg(-|$)/.test(name) && from.file !== 'server/src/kit/db.ts')
    return 'Rule 4, only server/src/kit/db.ts imports the database driver: use what it exports.'
  if (/^(fastify$|@fastify\/)/.test(name) && !from.file.startsWith('server/src/kit/http/'))
    return 'Rule 4, only server/src/kit/http/ imports Fastify: use what it exports.'
  if (name === 'ioredis' && from.file !== 'server/src/kit/redis.ts')
    return 'Rule 4, only server/src/kit/redis.ts imports the Redis client: use what it exports.'
  if (name === 'prom-client' && from.file !== 'server/src/kit/metrics.ts')
    return 'Rule 4, only server/src/kit/metrics.ts imports the metrics client: use what it exports.'
  if (name === 'ws' && from.part !== 'gateway' && !from.isTest)
    return 'Rule 4, only server/src/gateway imports ws: send an event, the gateway delivers it.'
  return null
}

function judgeFile(from: Place, to: Place): string | null {
  if (from.room === 'scripts') return null
  if (from.room === 'e2e') return judgeJourney(from, to)
  if (from.room !== to.room) {
    if (to.room === 'wire' && from.room !== 'wire') return null
    if (from.room === 'wire')
      return 'Rule 1, wire imports the validator and itself: move what both need into wire.'
    return 'Rule 1, server and web never see each other: move what both need into wire.'
  }
  if (from.isTest || from.part === to.part) return null
  // The gallery of the page's own parts is a screen of the development build.
  if (from.part === 'app' && to.file.startsWith('web/src/testing/gallery/')) return null
  if (to.part === 'testing') return `Rule 3, arrows go one way: only tests import ${to.room}/src/testing.`
  if (from.room === 'wire') return judgeOrder(from, to)
  return judgePrivate(from, to) ?? judgeFloor(from, to) ?? judgeOrder(from, to)
}

/** Both ends of the line without their sockets: the line's model plays them against each other, and many talk at once. */
const ENDS = [
  'server/src/gateway/encodeEvent.ts',
  'server/src/gateway/session.ts',
  'server/src/gateway/transport/transport.ts',
  'web/src/gateway/connection.ts',
  'web/src/roomStore/messageChange.ts',
  'web/src/roomStore/room.ts',
  'web/src/roomStore/roomEvent.ts',
  'web/src/roomStore/roomReducer.ts',
]

function judgeJourney(from: Place, to: Place): string | null {
  if (['e2e/line.ts', 'e2e/talker.ts'].includes(from.file) && ENDS.includes(to.file)) return null
  if (
    to.room === 'wire' ||
    to.room === 'e2e' ||
    /^scripts\/(chromium|packages)\.ts$/.test(to.file) ||
    to.part === 'testing' ||
    (to.room === 'server' && to.part === 'demo')
  )
    return null
  return 'Rule 3, arrows go one way: e2e imports server/src/testing, server/src/demo, web/src/testing and wire, e2e/line.ts and e2e/talker.ts the pure ends of the line as well, and the rest from outside.'
}

const nounsOf = (place: Place): readonly string[] => (place.room === 'web' ? WEB_NOUNS : NOUNS)

/** Rules 2 and 4: rooms within a noun that only one other may enter. */
function judgePrivate(from: Place, to: Place): string | null {
  const door = `${to.room}/src/${to.part}/${to.part}.ts`
  if (to.name === 'routes.ts' && to.room === 'server')
    return from.part === 'app' ? null : `Rule 4, only server/src/app imports routes.ts: call ${door}.`
  if (to.name.endsWith('Screen.tsx'))
    return from.part === 'app'
      ? null
      : 'Rule 4, only web/src/app imports screens: link by paths from web/src/kit/paths.ts.'
  const nouns = nounsOf(to)
  const isNoun = nouns.includes(to.part) && nouns.includes(from.part)
  // The parts of the text room are one feature of the page: each imports any file of the parts below it.
  if (to.room === 'web' && ROOM_PARTS.includes(to.part) && ROOM_PARTS.includes(from.part)) return null
  const isEntrance = to.file.replace(/x$/, '') === door
  if (
    (isNoun || (NOUNS.includes(to.part) && from.room === 'server' && from.part === 'gateway')) &&
    !isEntrance
  )
    return `Rule 2, a noun meets another at its front door: import ${door}.`
  return null
}

/** Rule 3 between floors: kit knows no noun, a noun knows no gateway. */
function judgeFloor(from: Place, to: Place): string | null {
  const floors = from.room === 'server' ? SERVER_FLOORS : WEB_FLOORS
  const floorOf = (place: Place) => floors.findIndex((parts) => parts.includes(place.part))
  if (to.part === 'config') return null
  if (floorOf(from) === -1 && from.part !== 'config')
    return `Rule 3, every folder has a floor: ${from.part} is none of ${floors.flat().join(', ')}; add it to scripts/rooms.ts with a decision page.`
  if (floorOf(to) <= Math.max(floorOf(from), 0)) return null
  return `Rule 3, arrows go one way: ${to.part} is above ${from.part}. Let ${to.part} call ${from.part}, or have app.ts hand in a hook.`
}

/** Rule 3 between nouns: later ones call earlier ones. */
function judgeOrder(from: Place, to: Place): string | null {
  const nouns = nounsOf(from)
  const [mine, theirs] = [nouns.indexOf(from.part), nouns.indexOf(to.part)]
  if (mine === -1 || theirs === -1 || theirs < mine) return null
  return from.room === 'wire'
    ? `Rule 3, arrows go one way: ${to.part} comes after ${from.part}. Move what both need to the earlier noun or to a file of wire's own.`
    : `Rule 3, arrows go one way: ${to.part} comes after ${from.part}. Let ${to.part} call ${from.part}'s verb, or have app.ts hand in a hook.`
}

/** Every TypeScript file of the rooms, by its path from the root. */
export async function sourceFiles(root = ROOT): Promise<string[]> {
  const found: string[] = []
  for (const room of ['wire/src', 'server/src', 'web/src', 'e2e', 'scripts']) {
    const entries = await readdir(path.join(root, room), { recursive: true, withFileTypes: true }).catch(
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
  const broken: string[] = []
  for (const file of files) broken.push(...judge(file, await readFile(path.join(ROOT, file), 'utf8')))
  for (const sentence of broken) console.error(sentence)
  console.log(`${files.length} files, ${broken.length} imports through a wall`)
  process.exitCode = broken.length === 0 ? 0 : 1
}
