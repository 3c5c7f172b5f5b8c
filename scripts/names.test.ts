import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { sourceFiles } from './imports.ts'

const ROOT = path.dirname(import.meta.dirname)

/** Words that names had before the field's own; each with what is said now. docs/glossary.md. */
const REPLACED: Readonly<Record<string, string>> = {
  chore: 'schedule',
  deed: 'action',
  teller: 'notifier',
  house: 'operator, or official account',
  ladder: 'step',
  evil: 'tamper',
  mood: 'fault',
  vain: 'invalid',
  stage: 'fixture',
  sweeper: 'timeouts',
}
/** `Live`: AppContext. As an adjective it stays: a `LiveEvent` is one that is sent while it happens. */
const LIVE = /^(?:[A-Z][a-z]+)*Live$/
/** Tables of released versions keep their names, and so do what the sandbox reads of files written before. */
const KEPT = [/HouseAccountTable/, /house_account/]
const KEPT_IN = [
  'server/src/kit/database/tables.ts',
  'sandbox/src/jsonLines.ts',
  'sandbox/src/contractStore.test.ts',
  'sandbox/src/tradeStore.test.ts',
  'scripts/names.test.ts',
]

const old = new RegExp(
  `(?:^|[a-z_])(?:${Object.keys(REPLACED)
    .map((word) => `${word[0]!.toUpperCase()}${word.slice(1)}`)
    .join('|')})s?(?:[A-Z_]|$)|^(?:${Object.keys(REPLACED).join('|')})s?(?:[A-Z_]|$)`,
)
/** Names in code, without what stands in comments and in quotes. */
const namesIn = (source: string): string[] =>
  source
    .replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
    .replace(/'(?:[^'\\\n]|\\.)*'|"[^"\n]*"|`(?:[^`\\]|\\.)*`/g, "''")
    .match(/[A-Za-z_$][\w$]*/g) ?? []

test('no name in code has a word that the glossary has replaced', async () => {
  const files = (await sourceFiles(ROOT)).filter((file) => !KEPT_IN.includes(file))
  const found = files.flatMap((file) =>
    namesIn(readFileSync(path.join(ROOT, file), 'utf8'))
      .filter((name) => (old.test(name) || LIVE.test(name)) && !KEPT.some((kept) => kept.test(name)))
      .map((name) => `${file}: ${name}`),
  )
  expect([...new Set(found)]).toEqual([])
})
