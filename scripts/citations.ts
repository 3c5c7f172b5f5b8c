/**
 * What comments and pages cite has to be there: `chat.md §4 "Sending"`, `decision 54`, and links between
 * pages.
 */
import { glob, readFile } from 'node:fs/promises'
import path from 'node:path'

const ROOT = path.dirname(import.meta.dirname)
const CITING = '{server,sandbox,web,wire,e2e,scripts,docs,deploy}/**/*.{ts,tsx,js,mjs,sql,css,md,yml}'
const SKIPPED = new Set(['node_modules', 'dist', 'data'])

/** A location that is cited: a page's name without `.md`, a section such as `4.7`, and a name in it. */
export interface Citation {
  readonly page: string
  readonly section?: string
  readonly name?: string
}

/**
 * What a page offers to be cited, by section; '' is the page itself. A section has the names of those below
 * it, in lower case.
 */
export type Sections = ReadonlyMap<string, ReadonlySet<string>>

/** One line of what may be a comment of several. */
function joined(text: string): string {
  return text.replaceAll(/\s*\n[ \t]*(?:\*(?!\/)|\/\/|--)?[ \t]*/g, ' ')
}

/**
 * The citations of a text, in order. A list goes on with commas, `and` and `to`: `chat.md §4 "Sending" and
 * §9`. A name belongs to the section before it.
 */
export function citationsIn(text: string): Citation[] {
  const found: Citation[] = []
  for (const [, page = '', list = ''] of joined(text).matchAll(
    /\b([a-z]+)\.md((?:(?:[,;]| and| to| or)? (?:§[0-9]+(?:\.[0-9]+)*|"[^"]+"))+)/g,
  )) {
    let section: string | undefined
    for (const [, number, name] of list.matchAll(/§([0-9.]*[0-9])|"([^"]+)"/g)) {
      if (number) section = number
      found.push({ page, ...(section && { section }), ...(name && { name }) })
    }
  }
  return found
}

/** The numbers of decisions that a text cites. */
export function decisionsIn(text: string): number[] {
  const lists = joined(text).matchAll(/\b[Dd]ecisions? ((?:\d+(?:, | and | to )?)+)/g)
  return [...lists].flatMap(([, list = '']) => (list.match(/\d+/g) ?? []).map(Number))
}

/** The numbered headings of a page, and the names in each: headings without a number, and what is bold. */
export function sectionsOf(page: string): Sections {
  const sections = new Map<string, Set<string>>([['', new Set()]])
  let section = ''
  const add = (name: string) => {
    const parts = section.split('.')
    for (let length = 0; length <= parts.length; length++) {
      sections.get(parts.slice(0, length).join('.'))?.add(plain(name))
    }
  }
  for (const line of page.split('\n')) {
    const [, number, title] = line.match(/^#+ (?:([0-9]+(?:\.[0-9]+)*)\.? )?(.*)/) ?? []
    if (number) {
      section = number
      sections.set(number, new Set())
    }
    if (title) add(title)
    for (const [, name = ''] of line.matchAll(/\*\*(.+?)\*\*/g)) add(name)
  }
  return sections
}

function plain(name: string): string {
  return name.replaceAll('`', '').replace(/[.:]$/, '').toLowerCase()
}

/** Whether the page of a citation has its section and its name. */
export function isThere(citation: Citation, pages: ReadonlyMap<string, Sections>): boolean {
  const names = pages.get(citation.page)?.get(citation.section ?? '')
  return names !== undefined && (!citation.name || names.has(plain(citation.name)))
}

/** The pages that a text names by their path, `docs/native.md`. */
export function pathsIn(text: string): string[] {
  return text.match(/\bdocs\/[\w/-]+\.md\b/g) ?? []
}

/** The targets of a page's links to files, as written, without their fragments. Code has none. */
export function linksIn(page: string): string[] {
  return [...page.replaceAll(/(`+)(?!`).*?(?<!`)\1(?!`)/g, '').matchAll(/\]\(([^)#\s]+)(?:#[^)\s]*)?\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
}

async function filesOf(pattern: string): Promise<string[]> {
  const found: string[] = []
  const skips = (name: string) => SKIPPED.has(path.basename(name))
  for await (const file of glob(pattern, { cwd: ROOT, exclude: skips }))
    found.push(file.replaceAll('\\', '/'))
  return found.toSorted()
}

/**
 * One line for each citation of something that is not there, and for each decision that the index does not
 * list once.
 */
export async function deadCitations(): Promise<string[]> {
  const read = (file: string) => readFile(path.join(ROOT, file), 'utf8')
  const cited = await filesOf('docs/{,product/}*.md')
  const pages = new Map<string, Sections>()
  for (const file of cited) pages.set(path.basename(file, '.md'), sectionsOf(await read(file)))
  const decisions = await filesOf('docs/decisions/[0-9]*.md')
  const numbers = new Set(decisions.map((file) => Number(path.basename(file).slice(0, 4))))

  const written = new Set(await filesOf('docs/**/*.md'))
  const dead: string[] = []
  for (const file of [...(await filesOf('*.md')), ...(await filesOf(CITING))]) {
    if (file.startsWith('scripts/citations.')) continue
    const text = await read(file)
    for (const each of citationsIn(text).filter((citation) => !isThere(citation, pages))) {
      const section = each.section ? ` §${each.section}` : ''
      dead.push(
        `${file} cites ${each.page}.md${section}${each.name ? ` "${each.name}"` : ''}, which is not there`,
      )
    }
    for (const number of decisionsIn(text).filter((each) => !numbers.has(each))) {
      dead.push(`${file} cites decision ${number}, which is not there`)
    }
    for (const named of pathsIn(text).filter((each) => !written.has(each))) {
      dead.push(`${file} names ${named}, which is not there`)
    }
    if (!file.endsWith('.md')) continue
    for (const target of linksIn(text)) {
      const linked = path.join(path.dirname(file), target).replaceAll('\\', '/').replace(/\/$/, '')
      if ((await filesOf(linked)).length === 0) dead.push(`${file} links to ${target}, which is not there`)
    }
  }
  const index = linksIn(await read('docs/decisions/README.md'))
  for (const file of decisions.map((each) => path.basename(each))) {
    const times = index.filter((target) => target === file).length
    if (times !== 1) dead.push(`docs/decisions/README.md lists ${file} ${times} times instead of once`)
  }
  return dead
}
