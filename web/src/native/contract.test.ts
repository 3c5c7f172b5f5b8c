import { expect, test } from 'vitest'
import contract from '../../../docs/native.md?raw'
import { SHELL_TIMEOUTS, shellCalls, shellEvents } from './shellCalls.ts'

/** The rows of the tables under a heading, by the name in their first cell. */
function rows(heading: string): Map<string, string[]> {
  const part = contract.split(`\n## ${heading}\n`)[1]!.split('\n## ')[0]!
  const cells = [...part.matchAll(/^\| `(\w+)` \|(.*)\|$/gm)]
  return new Map(cells.map(([, name, rest]) => [name!, rest!.split('|').map((it) => it.trim())]))
}

const fieldsIn = (cell: string) => [...cell.matchAll(/`(\w+\??)`/g)].map(([, name]) => name!)

test('docs/native.md describes every call and every event, and no others', () => {
  expect([...rows('Calls').keys()].sort()).toEqual(Object.keys(shellCalls).sort())
  expect([...rows('Events').keys()].sort()).toEqual(Object.keys(shellEvents).sort())
})

test.each(Object.entries(shellCalls))(
  'of %s it has the fields, what may be missing, and the time',
  (call, it) => {
    const [data, result, time] = rows('Calls').get(call)!
    for (const [schema, cell] of [
      [it.data, data],
      [it.result, result],
    ] as const)
      for (const [name, field] of Object.entries(schema.shape)) {
        const isOptional = field.safeParse(undefined).success
        expect(fieldsIn(cell!), `${call} ${name}`).toContain(isOptional ? `${name}?` : name)
      }
    expect(time).toBe(`${SHELL_TIMEOUTS[call as keyof typeof shellCalls] / 1_000} s`)
  },
)
