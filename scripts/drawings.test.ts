import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { sourceFiles } from './imports.ts'

const ROOT = path.dirname(import.meta.dirname)

/** What empty states of several files show, because it means the same in each. */
const SHARED = {
  LockIcon: 'this is not for you',
  GuildIcon: 'the guild that is named, with the picture of its own',
}

/** What is given to an empty state, also by tables, pickers and lists of packages, and in what file. */
const SHOWN = [
  /<(?:EmptyState|GoneState|NoPackages)\b(?:(?!icon=).)*?icon=\{((?:[^{}]|\{[^{}]*\})*)\}/gs,
  /\bempty(?:=\{| = | \?\? ).*?icon: (<.*?\/>)/gs,
]

/** Every empty state with the components that its picture is made of. */
async function emptyStates(): Promise<{ readonly file: string; readonly pictures: readonly string[] }[]> {
  const found = []
  for (const file of await sourceFiles()) {
    if (!file.startsWith('web/src/') || !file.endsWith('.tsx') || file.includes('.test.')) continue
    const source = await readFile(path.join(ROOT, file), 'utf8')
    for (const shown of SHOWN)
      for (const [, picture = ''] of source.matchAll(shown)) {
        // What was given to a component is read where it is given.
        if (/^(?:props\.|empty\.)?icon$/.test(picture)) continue
        found.push({
          file,
          pictures: Array.from(picture.matchAll(/<(\w+)/g), ([, name = '']) => name),
        })
      }
  }
  return found
}

it('every empty state has a drawing', async () => {
  const states = await emptyStates()
  const bare = states.filter(
    ({ pictures }) =>
      pictures.length === 0 || !pictures.every((it) => it.endsWith('Drawing') || Object.hasOwn(SHARED, it)),
  )
  expect(states.length).toBeGreaterThan(50)
  expect(bare).toEqual([])
})

it('no drawing is shown by two screens', async () => {
  const files = new Map<string, Set<string>>()
  for (const { file, pictures } of await emptyStates())
    for (const it of pictures) files.set(it, (files.get(it) ?? new Set()).add(file))
  const twice = [...files].filter(([it, { size }]) => size > 1 && !Object.hasOwn(SHARED, it))
  expect(twice.map(([it, all]) => [it, ...all])).toEqual([])
})

it('no two drawings are the same under two names, and each is shown', async () => {
  const names = new Map<string, string[]>()
  for (const file of await sourceFiles()) {
    if (!file.startsWith('web/src/')) continue
    const source = await readFile(path.join(ROOT, file), 'utf8')
    for (const [, name = '', lines = ''] of source.matchAll(/const (\w+Drawing) = icon\((.*?)\n\)/gs))
      names.set(lines, [...(names.get(lines) ?? []), name])
  }
  expect([...names.values()].filter(({ length }) => length > 1)).toEqual([])
  const shown = new Set((await emptyStates()).flatMap(({ pictures }) => pictures))
  expect([...names.values()].flat().filter((it) => !shown.has(it))).toEqual([])
})
