/**
 * `node scripts/distribution.ts` says of the tables of a migrated database how they would be spread over
 * several servers by Citus or a compatible engine, what of them such an engine refuses, and what it refuses
 * of the statements that a message needs. The list is `server/src/kit/database/distribution.ts`.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DISTRIBUTION, type Distribution, type Group } from '../server/src/kit/database/distribution.ts'
import { openStore } from '../server/src/kit/database/store.ts'
import { type Compared, compare, type ForeignKey } from '../server/src/testing/database/distribution.ts'
import { judge, statementsOfMessages } from './distribution/statements.ts'

const GROUPS: readonly Group[] = ['guild', 'person', 'chat', 'file', 'node']

const dataDir = await mkdtemp(path.join(tmpdir(), 'guildhall-distribution-'))
const store = await openStore({ dataDir, databaseUrl: null })
try {
  const statements = await statementsOfMessages(store.database)
  const compared = await compare(store.database.db, DISTRIBUTION)
  sayTables()
  sayRefusals(compared)
  console.log('\nStatements of a message\n')
  for (const { act, text } of statements) {
    const { tables, why } = await judge(store.database.db, text)
    console.log(`  ${act}: ${tables.join(', ')}`)
    for (const each of why) console.log(`    ${each}`)
  }
  if (compared.faults.length > 0) process.exitCode = 1
} finally {
  await store.close()
  await rm(dataDir, { recursive: true, force: true })
}

function sayTables(): void {
  const all = Object.entries<Distribution>(DISTRIBUTION)
  for (const group of GROUPS) {
    const own = all.flatMap(([table, it]) =>
      typeof it !== 'string' && it.group === group ? [{ table, column: it.column }] : [],
    )
    const has = own.flatMap(({ table, column }) => (column === null ? [] : [`${table} (${column})`]))
    const lacks = own.flatMap(({ table, column }) => (column === null ? [table] : []))
    say(`Distributed by ${group}`, has)
    if (lacks.length > 0) say(`Distributed by ${group}, without a column of it`, lacks)
  }
  for (const name of ['reference', 'central'] as const)
    say(
      name === 'reference' ? 'The same on every server' : 'On one server',
      all.flatMap(([table, it]) => (it === name ? [table] : [])),
    )
}

function sayRefusals({ faults, looseKeys, foreignKeys, triggers }: Compared): void {
  const key = (it: Compared['looseKeys'][number]) => `${it.table} (${it.columns.join(', ')})`
  say('Faults of the list', faults)
  say(
    'Unique keys without the column, which stay unique',
    looseKeys.flatMap((it) => (it.why && 'stays' in it.why ? [`${key(it)}: ${it.why.stays}`] : [])),
  )
  say(
    'Unique keys without the column, which need something',
    looseKeys.flatMap((it) => (it.why && 'needs' in it.why ? [`${key(it)}: ${it.why.needs}`] : [])),
  )
  const isWithin = (it: ForeignKey) => groupOf(it.table) === groupOf(it.to)
  const reference = (it: ForeignKey) =>
    `${it.table} (${it.columns.join(', ')}) -> ${it.to} (${it.toColumns.join(', ')})`
  say('Foreign keys within a group, without its column', foreignKeys.filter(isWithin).map(reference))
  say('Foreign keys between groups', foreignKeys.filter((it) => !isWithin(it)).map(reference))
  say('Triggers on several servers', triggers)
}

function groupOf(table: string): string | undefined {
  const it = (DISTRIBUTION as Readonly<Record<string, Distribution | undefined>>)[table]
  return typeof it === 'object' ? it.group : it
}

function say(title: string, lines: readonly string[]): void {
  console.log(`\n${title}: ${lines.length}\n`)
  for (const line of lines) console.log(`  ${line}`)
}
