import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { events } from '@guildhall/wire/events.ts'
import { contractText, type VersionHashes, withVersion } from '@guildhall/wire/lock.ts'
import { routes } from '@guildhall/wire/routes.ts'
import { WIRE_VERSION } from '@guildhall/wire/version.ts'
import { VARIABLES, type Variable } from '../server/src/config.ts'
import { readKept, withFigures } from './bench/scale/page.ts'
import { deadCitations } from './citations.ts'
import { sourceFiles } from './imports.ts'
import { limitsPage } from './limits.ts'
import { wrongThrows } from './throws.ts'
import { wirePage } from './wire.ts'

const ROOT = path.dirname(import.meta.dirname)

/** `docs/config.md`, whole, from the variables `server/src/config.ts` reads. */
export function configPage(variables: readonly Variable[]): string {
  const cell = (text: string) => text.replaceAll('|', '\\|')
  const rows = variables.map(
    (each) =>
      `| \`${each.name}\` | ${cell(each.default)} | ${cell(each.meaning)} | \`${cell(each.example)}\` |`,
  )
  return `# Configuration

Guildhall is configured by environment variables alone. None is required.
This page is printed from \`server/src/config.ts\` by \`node scripts/docs.ts\`; do not edit it by hand.

| variable | default | meaning | example |
|---|---|---|---|
${rows.join('\n')}
`
}

const SCALE = path.join(ROOT, 'docs/scale.md')

/** Every page that is generated, or has a generated part: path from the root → content. */
export async function pages(): Promise<Record<string, string>> {
  return {
    'docs/config.md': configPage(VARIABLES),
    'docs/limits.md': await limitsPage(),
    'docs/scale.md': withFigures((await readFile(SCALE, 'utf8')).replaceAll('\r\n', '\n'), readKept()),
    'docs/wire.md': wirePage(WIRE_VERSION, routes, events),
  }
}

/** The generated pages whose file is out of date. */
export async function stalePages(): Promise<string[]> {
  const stale: string[] = []
  for (const [file, content] of Object.entries(await pages())) {
    const written = await readFile(path.join(ROOT, file), 'utf8').catch(() => null)
    if (written?.replaceAll('\r\n', '\n') !== content) stale.push(file)
  }
  return stale
}

/** Failures that docstrings name and that the catalogue does not have, as sentences. */
async function unknownThrows(): Promise<string[]> {
  const found: string[] = []
  for (const file of await sourceFiles(ROOT))
    found.push(...wrongThrows(file, await readFile(path.join(ROOT, file), 'utf8')))
  return found
}

const LOCK = path.join(ROOT, 'wire/src/wire.lock.json')
const VERSIONS = path.join(ROOT, 'wire/src/wire.versions.json')

/**
 * Writes the lock of the contract. False when the contract changed and its version did not: then nothing is
 * written.
 */
async function writeLock(): Promise<boolean> {
  const contract = contractText()
  const known = JSON.parse(await readFile(VERSIONS, 'utf8').catch(() => '{}')) as VersionHashes
  const hashes = withVersion(known, createHash('sha256').update(contract).digest('hex'))
  if (!hashes) return false
  await writeFile(LOCK, contract)
  await writeFile(VERSIONS, `${JSON.stringify(hashes, null, 2)}\n`)
  return true
}

if (import.meta.main) {
  const stale = await stalePages()
  if (process.argv.includes('--check')) {
    for (const file of stale) console.error(`${file} is out of date: run \`npx node scripts/docs.ts\`.`)
    const faults = [...(await deadCitations()), ...(await unknownThrows())]
    for (const line of faults) console.error(line)
    process.exitCode = stale.length + faults.length === 0 ? 0 : 1
  } else {
    const written = await pages()
    for (const file of stale) {
      await writeFile(path.join(ROOT, file), written[file] ?? '')
      console.log(`wrote ${file}`)
    }
    if (!(await writeLock())) {
      console.error(
        'The contract changed: raise WIRE_VERSION in wire/src/version.ts and say in CHANGELOG.md what changed.',
      )
      process.exitCode = 1
    }
  }
}
