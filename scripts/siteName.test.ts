/** The site is called as its operator says: nothing but `siteName` spells the product's name to people. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { sourceFiles } from './imports.ts'

const ROOT = path.dirname(import.meta.dirname)
/** Where the product's name is meant, whatever the site is called. */
const MEANT: readonly string[] = [
  'wire/src/siteName.ts',
  'server/src/config/variables.ts',
  // The licence names the software.
  'web/src/site/licensesText.ts',
]

test('no text of the product spells its name', async () => {
  const files = (await sourceFiles()).filter(
    (file) => /^(?:web|wire|server)\/src\//.test(file) && !/\/testing\/|\.test\.tsx?$/.test(file),
  )
  expect(files.length).toBeGreaterThan(500)
  const spelt: string[] = []
  for (const file of files) {
    if (MEANT.includes(file)) continue
    const source = await readFile(path.join(ROOT, file), 'utf8')
    // In English only texts of people: operators read the software's name.
    const isText = /text\.ts$/i.test(file)
    if (source.includes('公会厅') || (isText && /Guildhall\b/.test(source))) spelt.push(file)
  }
  expect(spelt).toEqual([])
})
