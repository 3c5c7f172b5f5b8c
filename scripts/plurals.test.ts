import { readFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { sourceFiles } from './imports.ts'

const ROOT = path.dirname(import.meta.dirname)
/** Verbs after a name, which is 1 here, the end of a range, a part of many, and a time that is never one. */
const NO_PLURALS = new Set('is was has invites owns wants waits stays goes letters roles minutes'.split(' '))

let tables: readonly (readonly [file: string, english: readonly unknown[]])[]
beforeAll(async () => {
  const files = (await sourceFiles(ROOT)).filter(
    (file) => file.endsWith('ext.ts') && readFileSync(path.join(ROOT, file), 'utf8').includes('= texts('),
  )
  tables = await Promise.all(
    files.map(async (file) => {
      const module: Record<string, unknown> = await import(path.join(ROOT, file))
      const english = Object.values(module).flatMap((it) =>
        it !== null && typeof it === 'object' && 'en' in it ? [it.en] : [],
      )
      return [file, english] as const
    }),
  )
})

/** As many as a text may have: a text of a table does not say how many it takes. */
const PARAMETERS_MAX = 8

/** What a text with parameters says when each of them is `value`; null when it is made for other values. */
function said(words: (...values: unknown[]) => unknown, value: unknown): string[] | null {
  try {
    return sayings(words(...Array.from({ length: PARAMETERS_MAX }, () => value)))
  } catch {
    return null
  }
}

/** What a table says when each of its numbers is one. */
function sayings(words: unknown): string[] {
  if (typeof words === 'string') return [words]
  if (typeof words === 'function') {
    const text = words as (...values: unknown[]) => unknown
    return said(text, 1) ?? said(text, '1') ?? []
  }
  if (words === null || typeof words !== 'object') return []
  return Object.values(words).flatMap(sayings)
}

test('nothing is counted as "1 packs" in English', () => {
  expect(tables.filter(([, english]) => english.length === 0)).toEqual([])
  expect(tables.length).toBeGreaterThan(60)
  const wrong = tables.flatMap(([file, english]) =>
    sayings(english)
      .filter((words) => [...words.matchAll(/\b1 ([a-z]+s)\b/g)].some(([, word]) => !NO_PLURALS.has(word!)))
      .map((words) => `${file}: ${words}`),
  )
  expect(wrong).toEqual([])
})
