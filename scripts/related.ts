/**
 * Which tests a change can reach, for `npm test -- changed`: by the imports between files, and where a test
 * reaches the product through the whole app, by the noun that it is about.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { importsOf, sourceFiles } from './imports.ts'

const ROOT = path.dirname(import.meta.dirname)

/** Paths of tests from the root, by what they need. */
export interface RelatedTests {
  /** Tests without anything and screen tests. */
  readonly unit: readonly string[]
  /** Tests with a database. */
  readonly pg: readonly string[]
  readonly e2e: readonly string[]
  /** What was not chosen although it can be reached, a sentence each. */
  readonly left: readonly string[]
}

/** Every file of the sources with the files that it names. */
export type Graph = ReadonlyMap<string, ReadonlySet<string>>

/**
 * Files in which everything comes together. Who imports one of them reaches the whole product, which says
 * nothing about what the importer is about: imports are not followed through them, nouns are compared
 * instead.
 */
const WHOLE =
  /^(server\/src\/(app|cli|demo|testing|main\.ts)|web\/src\/(app|main\.tsx|staffMain\.tsx|testing\/(gallery|shell))|e2e\/[^/]*\.ts$|wire\/src\/(routes|events)\.ts)/

/** Folders of what all nouns share. */
const SHARED: ReadonlySet<string> = new Set(['kit', 'ui'])

/** More database tests than this are the whole step, which is chosen by `npm test`. */
const PG_MOST = 20
/** The journeys that are run when a change reaches more of them than this. */
const E2E_MOST = 5
const STORY = 'e2e/story.e2e.ts'

const isUnit = (file: string) => /\.test\.tsx?$/.test(file) && !isPg(file)
const isPg = (file: string) => /\.(pg|redis)\.test\.ts$/.test(file)
const isE2e = (file: string) => file.endsWith('.e2e.ts')
const isTest = (file: string) => isUnit(file) || isPg(file) || isE2e(file)

/**
 * `server/src/guild/sql.ts` is about guild; the parts of the room are about message. Null outside of the
 * workspaces.
 */
export function nounOf(file: string): string | null {
  const noun =
    /^(?:wire|server|web)\/src\/([^/]+)\//.exec(file)?.[1] ??
    /^(?:e2e\/([^/]+)|(sandbox)\/src)\//.exec(file)?.slice(1).find(Boolean)
  if (!noun) return null
  return ['roomStore', 'composer', 'room'].includes(noun) ? 'message' : noun
}

/** The folders of the nouns whose pages a journey opens, by their names in the addresses. */
const visited = (source: string) =>
  [...new Set([...source.matchAll(/\/([a-z]+)\b/g)].map((match) => `web/src/${match[1]}`))].filter((folder) =>
    existsSync(path.join(ROOT, folder)),
  )

/**
 * The graph of a tree. Beside imports it has relative paths in quotes, such as those of workers and child
 * processes, and the folders of the pages that journeys open.
 */
export async function readGraph(root = ROOT): Promise<Graph> {
  const files = await sourceFiles(root)
  const graph = new Map<string, ReadonlySet<string>>()
  for (const file of files) {
    const source = readFileSync(path.join(root, file), 'utf8')
    const quoted = [...source.matchAll(/['"`]((?:\.{0,2}\/)?[\w./-]+\.(?:tsx?|css|mjs))['"`]/g)]
      .map((match) => path.posix.normalize(path.posix.join(path.posix.dirname(file), match[1]!)))
      .filter((target) => existsSync(path.join(root, target)))
    graph.set(file, new Set([...importsOf(file, source), ...quoted, ...(isE2e(file) ? visited(source) : [])]))
  }
  return graph
}

/**
 * All files that reach one of `changed` by imports, themselves included, without passing through what
 * `isWall` names.
 */
function reaching(graph: Graph, changed: readonly string[], isWall: (file: string) => boolean): Set<string> {
  const importers = new Map<string, string[]>()
  for (const [file, targets] of graph)
    for (const target of targets) importers.set(target, [...(importers.get(target) ?? []), file])
  const found = new Set(changed)
  const queue = [...changed]
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (isWall(file) && !changed.includes(file)) continue
    for (const importer of importers.get(file) ?? []) {
      if (found.has(importer)) continue
      found.add(importer)
      queue.push(importer)
    }
  }
  return found
}

/** The nouns of the contract that a test calls by itself. */
const nounsCalledBy = (graph: Graph, test: string): Set<string | null> =>
  new Set([...(graph.get(test) ?? [])].filter((it) => it.startsWith('wire/src/')).map(nounOf))

/** The tests that a change of these files can reach. */
export function relatedTests(graph: Graph, changed: readonly string[]): RelatedTests {
  const tests = [...graph.keys()].filter(isTest)
  const code = changed.filter((file) => !isTest(file))
  const reached = reaching(graph, changed, (file) => WHOLE.test(file))
  // Tests of the tree read files instead of importing them; they are quick.
  const isOfTree = (test: string) => test.startsWith('scripts/')
  const unit = tests.filter((test) => isUnit(test) && (reached.has(test) || isOfTree(test)))

  const nouns = new Set(code.map(nounOf).filter((noun) => noun !== null))
  const isAbout = (test: string) => nouns.has(nounOf(test) ?? '')
  // A noun without tests of its own is tested by those that use it.
  const untested = code.filter((file) => {
    const noun = nounOf(file)
    return noun && !SHARED.has(noun) && !tests.some((test) => !isUnit(test) && nounOf(test) === noun)
  })
  for (const [file, targets] of graph)
    if (!WHOLE.test(file) && untested.some((it) => targets.has(it))) nouns.add(nounOf(file) ?? '')
  const calls = (test: string) => [...nounsCalledBy(graph, test)].some((noun) => nouns.has(noun ?? ''))
  // Where what was changed is drawn.
  const drawn = new Set(
    [...reached].filter((file) => /^web\/.*Screen\.tsx$/.test(file)).map((file) => path.posix.dirname(file)),
  )
  const isShared = code.every((file) => SHARED.has(nounOf(file) ?? ''))
  /** Which share of the pages that a journey opens draw it. */
  const visits = (test: string): number => {
    if (!isE2e(test) || isShared) return 0
    const opened = [...(graph.get(test) ?? [])].filter((folder) => /^web\/src\/\w+$/.test(folder))
    return opened.filter((folder) => drawn.has(folder)).length / (opened.length || 1)
  }
  const isServed = code.some((file) => /^(server|sandbox|wire)\//.test(file))
  const isDrawn = code.some((file) => /^(web|wire)\//.test(file))
  const named = changed.filter((file) => isTest(file) && graph.has(file))
  const left: string[] = []

  /**
   * What is nearest, as far as `most` allows: the changed tests, those beside the change, those that call it.
   */
  const nearest = (kind: (test: string) => boolean, most: number, what: string): string[] => {
    const all = tests.filter(
      (test) => kind(test) && (reached.has(test) || isAbout(test) || visits(test) > 0 || calls(test)),
    )
    const ranked = [
      ...named.filter(kind),
      ...all.filter(isAbout),
      ...all.filter((test) => visits(test) > 0).toSorted((a, b) => visits(b) - visits(a)),
      ...all.filter(calls),
      ...all,
    ]
    const unique = [...new Set(ranked)]
    if (unique.length <= most) return unique
    left.push(`${unique.length - most} of ${unique.length} ${what}`)
    return unique.slice(0, most)
  }

  const pg = isServed || named.some(isPg) ? nearest(isPg, PG_MOST, 'files of database tests') : []
  const e2e = isDrawn || isServed || named.some(isE2e) ? nearest(isE2e, E2E_MOST, 'files of journeys') : []
  if (isDrawn && e2e.length === 0 && graph.has(STORY)) e2e.push(STORY)
  return { unit, pg, e2e, left }
}

/**
 * What differs from where this branch left `base`: commits, the working tree, and new files. Throws when git
 * does not know `base`.
 */
export function changedFiles(base: string, root = ROOT): string[] {
  const options = { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 } as const
  // Names of files that are not ASCII come as they are.
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'core.quotePath=false', ...args], options)
      .split('\n')
      .filter((line) => line !== '')
  const [start = base] = git('merge-base', base, 'HEAD')
  const known = git('diff', '--name-only', '--no-renames', start)
  return [...new Set([...known, ...git('ls-files', '--others', '--exclude-standard')])].toSorted()
}
