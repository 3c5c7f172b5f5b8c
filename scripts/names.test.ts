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
/**
 * `place` was the noun for five things. Now: `network` (a client's), `environment` (in which a page runs),
 * `target` (of a word rule, a review, a report), `position` (in an order), `location` (a guild, a channel).
 */
const PLACE = /(?:^|[a-z_])Places?(?:[A-Z_]|$)|^places?(?:[A-Z_]|$)|_places?(?:_|$)|(?:^|_)PLACES?(?:_|$)/
const PLACE_KEPT = [
  // The verb: an order is placed.
  /^place(?:Order|OperatorOrder|Once|Another|Failed)$/,
  // A table and a column of released versions.
  /^(?:LinePlaceTable|line_place|place_hash)$/,
  // Each where it stands among the others.
  /^inPlace$/,
]
/** Where `place` or `places` alone is a name that is read elsewhere, or that people read. */
const PLACE_FIELDS_IN = [
  // A word of the page.
  'e2e/captcha/captcha.e2e.ts',
  // A command.
  'scripts/bench.ts',
  // A label of a metric.
  'server/src/kit/metrics/staff.ts',
  // Why a card is refused.
  'wire/src/failureText.ts',
  // A column of products and order lines, and the option of a command for it.
  'scripts/bench/pay.ts',
  'server/src/cli/product.ts',
  'server/src/demo/seed.ts',
  'server/src/order/sql.ts',
  'server/src/product/product.pg.test.ts',
  'server/src/product/sql.ts',
  'server/src/staff/products/products.ts',
  'server/src/testing/pay/payWorld.ts',
  'web/src/staff/products/productsText.ts',
  // A column of search keys.
  'server/src/member/nameSearch.ts',
  'server/src/member/nameSearchSql.ts',
  // A column of the logs of security and of staff, and the field on the wire.
  'server/src/kit/securityLog.pg.test.ts',
  'server/src/kit/securityLog.ts',
  'server/src/staff/log.ts',
  'server/src/staff/sql.ts',
  'web/src/staff/log/LogTable.tsx',
  'web/src/staff/log/log.test.tsx',
  'wire/src/staff/log.ts',
  // A column of word rules, the field on the wire and the option of a command for it.
  'server/src/account/account.pg.test.ts',
  'server/src/cli/word.ts',
  'server/src/moderation/moderation.pg.test.ts',
  'server/src/screening/screening.pg.test.ts',
  'server/src/screening/sql.ts',
  'server/src/screening/words.ts',
  'server/src/search/listed.pg.test.ts',
  'server/src/staff/waiting.pg.test.ts',
  'server/src/staff/words/words.pg.test.ts',
  'server/src/staff/words/words.ts',
  'server/src/testing/liveThrough.ts',
  'web/src/staff/words/TryBox.tsx',
  'web/src/staff/words/WordDialog.tsx',
  'web/src/staff/words/WordsSection.tsx',
  'wire/src/staff/words.ts',
]
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

const isPlace = (name: string, file: string): boolean =>
  PLACE.test(name) &&
  !PLACE_KEPT.some((kept) => kept.test(name)) &&
  !(/^[Pp]laces?$/.test(name) && PLACE_FIELDS_IN.includes(file))

const isRefused = (name: string, file: string): boolean =>
  isPlace(name, file) || ((old.test(name) || LIVE.test(name)) && !KEPT.some((kept) => kept.test(name)))

test('no name in code has a word that the glossary has replaced', async () => {
  const files = (await sourceFiles(ROOT)).filter((file) => !KEPT_IN.includes(file))
  const found = files.flatMap((file) =>
    namesIn(readFileSync(path.join(ROOT, file), 'utf8'))
      .filter((name) => isRefused(name, file))
      .map((name) => `${file}: ${name}`),
  )
  expect([...new Set(found)]).toEqual([])
})
