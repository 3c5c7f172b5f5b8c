import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { sourceFiles } from './imports.ts'

/** As long as the formatter lets code be; it leaves comments alone. */
const LINE_MAX = 110
const ROOT = path.dirname(import.meta.dirname)

it('no line of a comment is longer than a line of code', async () => {
  const long: string[] = []
  for (const file of await sourceFiles()) {
    const lines = (await readFile(path.join(ROOT, file), 'utf8')).split('\n')
    for (const [index, line] of lines.entries())
      if (line.length > LINE_MAX && /^\s*(?:\*|\/\/|\/\*\*)/.test(line) && !line.includes('biome-ignore'))
        long.push(`${file}:${index + 1}`)
  }
  expect(long).toEqual([])
})
