/** `docs/limits.md`: every limit, size and time that has a name, with its value and where it stands. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { sourceFiles } from './imports.ts'

const ROOT = path.dirname(import.meta.dirname)
/** Endings of the names of limits. */
const ENDS =
  /^(?:.*_)?(?:AT_ONCE|MOST|ROWS|LISTED|SHOWN|SECONDS|LIMIT)$|_(?:MAX|MIN|MS|S|DAYS|HOURS|MINUTES|BYTES|MB|KB|TRIES|DIGITS|LENGTH|SIZE|PAGE|AROUND|COUNT|SIDE|SIDES|CHARS|KEPT|AGE|LIVES)$|_PER_\w+$|_HERE(?:_\w+)?$/
const DECLARED =
  /(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n)?^(?:export )?const ([A-Z][A-Z\d_]+)(?:: [\w<>[\] ]+)? = ([^\n]*(?:\n {2}[^\n]*)*(?:\n[})\]][^\n]*)?)/gm

interface Limit {
  readonly name: string
  readonly value: string
  readonly what: string
  readonly file: string
}

/** The limits that a file declares at its top level, in their order. */
export function limitsIn(file: string, source: string): Limit[] {
  return [...source.matchAll(DECLARED)].flatMap(([, comment = '', name = '', text = '']) => {
    const value = readable(text)
    return value !== null && (ENDS.test(name) || text.includes('windowMs'))
      ? [{ name, value, what: sentenceOf(comment), file }]
      : []
  })
}

/** A value that can be read in a table: numbers, times and sizes, and windows. */
function readable(text: string): string | null {
  const line = text.replace(/\s+/g, ' ').trim()
  const window =
    /most: ([^,}]+), windowMs: ([^,}]+)/.exec(line) ?? /^by\('[^']*', ([^,]+), ([^)]+)\)/.exec(line)
  if (window) return `${window[1]!.trim()} in ${window[2]!.trim()}`
  return /^[\d_A-Z* +/().{}a-z:,-]{1,60}$/.test(line) && /\d|_MS|_BYTES/.test(line) && !line.includes('=>')
    ? line
    : null
}

/** The first sentence of a comment. */
const sentenceOf = (comment: string): string =>
  (
    /^.*?[.:;](?=\s|$)/.exec(
      comment
        .replace(/\n\s*\*/g, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    )?.[0] ?? ''
  )
    .replace(/[.:;]$/, '')
    .replaceAll('|', '\\|')

/** The page, by folders. */
export async function limitsPage(): Promise<string> {
  const files = (await sourceFiles(ROOT)).filter(
    (file) => /^(?:wire|server|web)\/src\//.test(file) && !/\.test\.|\/testing\/|\/fixtures\//.test(file),
  )
  const rows = files
    .toSorted()
    .flatMap((file) =>
      limitsIn(file, readFileSync(path.join(ROOT, file), 'utf8')).map(
        ({ name, value, what }) => `| \`${name}\` | ${value} | ${what} | \`${file}\` |`,
      ),
    )
  return [
    '# Limits, sizes and times',
    '',
    'Generated from the sources by `node scripts/docs.ts`. What people and operators notice of them is in [operations.md](operations.md) “Limits”.',
    '',
    '| name | value | what it is | file |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}
