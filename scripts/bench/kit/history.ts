// The history of figures: docs/figures.json has them by version, docs/figures.md shows them.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Figure } from './figures.ts'

const ROOT = path.join(import.meta.dirname, '../../..')
const FILE = path.join(ROOT, 'docs/figures.json')
const PAGE = path.join(ROOT, 'docs/figures.md')
/** The page shows the newest ones. */
const COLUMNS_MAX = 6

/** The figures of one commit. */
export interface Measured {
  readonly version: string
  readonly commit: string
  /** The day, `2026-11-28`. */
  readonly day: string
  readonly machine: string
  readonly figures: readonly Figure[]
}

/** Adds figures to those of their commit, the newest in the place of the same. */
export function added(history: readonly Measured[], now: Measured): readonly Measured[] {
  const before = history.find((it) => it.commit === now.commit)
  const isNew = ({ name }: Figure) => !now.figures.some((it) => it.name === name)
  const figures = [...(before?.figures ?? []).filter(isNew), ...now.figures]
  return [...history.filter((it) => it !== before), { ...now, figures }]
}

/** The page: a row for each figure, a column for each commit, the newest first. */
export function pageOf(history: readonly Measured[]): string {
  const columns = history.slice(-COLUMNS_MAX).reverse()
  const names = [...new Set(columns.flatMap(({ figures }) => figures.map(({ name }) => name)))]
  const row = (name: string) => {
    const cells = columns.map(({ figures }) => {
      const it = figures.find((figure) => figure.name === name)
      return it ? `${Number(it.value.toPrecision(3))} ${it.unit}` : ''
    })
    return `| ${[name, ...cells].join(' | ')} |`
  }
  const table = [
    `| | ${columns.map(({ version, commit, day }) => `${version} ${commit}, ${day}`).join(' | ')} |`,
    `|---|${columns.map(() => '---|').join('')}`,
    ...names.map(row),
  ]
  return `# Figures by version

\`npm run bench -- all --short --keep\` measures them and adds a column. A ratio (×) is to a rival of the same run and may be compared with that of
another version; other figures only where the machine is the same. None was measured while others took more than a quarter of the machine.
What they mean: [performance.md](performance.md).

${table.join('\n')}

Machines: ${columns.map(({ commit, machine }) => `${commit}: ${machine}`).join('; ')}.
`
}

/** Keeps the figures of the working tree's commit in docs/figures.json, and writes docs/figures.md. */
export function keepFigures(machine: string, figures: readonly Figure[]): void {
  const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { version: string }
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim()
  const day = new Date().toISOString().slice(0, 10)
  const history = existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as Measured[]) : []
  const now = added(history, { version, commit, day, machine, figures })
  writeFileSync(FILE, `${JSON.stringify(now, null, 2)}\n`)
  writeFileSync(PAGE, pageOf(now))
}
