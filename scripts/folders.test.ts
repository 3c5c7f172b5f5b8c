/** A folder that holds everything holds nothing: what belongs together has a folder of its own. */
import path from 'node:path'
import { expect, test } from 'vitest'
import { sourceFiles } from './imports.ts'

/** Sources without tests, in one folder. */
const FILES_MAX = 20

/** Folders with more, and why: each is a list that one looks a name up in. */
const REASONS: Readonly<Record<string, string>> = {
  scripts: 'a command each, and what all of them share',
  'server/src/cli': 'a noun of the command line each',
  'wire/src/message': 'a subject of the contract each, so that pages load what they use',
  'wire/src': 'what no noun of the contract owns, imported from everywhere by its name',
}

const files = (await sourceFiles()).filter((file) => !/\.(?:test|e2e)\.tsx?$/.test(file))
const counts = new Map<string, number>()
for (const folder of files.map((file) => path.posix.dirname(file)))
  counts.set(folder, (counts.get(folder) ?? 0) + 1)
const full = [...counts].filter(([, count]) => count > FILES_MAX).map(([folder]) => folder)

test('no folder has more files than one can look over, but for lists', () => {
  expect(full.filter((folder) => !(folder in REASONS))).toEqual([])
})

test('every reason is of a folder that needs one', () => {
  expect(Object.keys(REASONS).filter((folder) => !full.includes(folder))).toEqual([])
})
