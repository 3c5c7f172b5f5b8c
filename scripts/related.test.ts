import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { changedFiles, type Graph, nounOf, relatedTests } from './related.ts'

const graphOf = (files: Readonly<Record<string, readonly string[]>>): Graph =>
  new Map(Object.entries(files).map(([file, targets]) => [file, new Set(targets)]))

const GRAPH = graphOf({
  'wire/src/guild/guild.ts': [],
  'wire/src/order/order.ts': [],
  'wire/src/order/sum.test.ts': ['wire/src/order/order.ts'],
  'server/src/guild/guild.ts': ['wire/src/guild/guild.ts'],
  'server/src/guild/names.test.ts': ['server/src/guild/guild.ts'],
  'server/src/guild/guild.pg.test.ts': ['server/src/testing/world.ts', 'wire/src/guild/guild.ts'],
  'server/src/order/order.ts': ['wire/src/order/order.ts'],
  'server/src/order/order.pg.test.ts': ['server/src/testing/world.ts'],
  'server/src/staff/orders/orders.pg.test.ts': ['server/src/testing/world.ts', 'wire/src/order/order.ts'],
  'server/src/review/review.ts': ['server/src/guild/guild.ts'],
  'server/src/staff/reviews/reviews.ts': ['server/src/review/review.ts'],
  'server/src/app/app.ts': ['server/src/guild/guild.ts', 'server/src/order/order.ts'],
  'server/src/testing/world.ts': ['server/src/app/app.ts'],
  'web/src/order/OrderScreen.tsx': ['wire/src/order/order.ts', 'web/src/order/OrderScreen.module.css'],
  'web/src/order/order.test.tsx': ['web/src/order/OrderScreen.tsx'],
  'web/src/app/App.tsx': ['web/src/order/OrderScreen.tsx'],
  'web/src/app/App.test.tsx': ['web/src/app/App.tsx'],
  'scripts/styles.test.ts': [],
  'e2e/story.e2e.ts': ['e2e/phone.ts'],
  'e2e/order/bill.e2e.ts': ['e2e/phone.ts'],
  'web/src/product/Packages.tsx': [],
  'web/src/golive/GoliveScreen.tsx': ['web/src/product/Packages.tsx'],
  'e2e/order/shop.e2e.ts': ['e2e/phone.ts', 'web/src/golive'],
  'e2e/phone.ts': [],
})

describe('what a change can reach', () => {
  test('is nothing but the tests of the tree when it is outside of the sources', () => {
    expect(relatedTests(GRAPH, ['README.md'])).toEqual({
      unit: ['scripts/styles.test.ts'],
      pg: [],
      e2e: [],
      left: [],
    })
  })

  test('is the tests that import it, and not those of every noun that the app has', () => {
    const { unit, pg } = relatedTests(GRAPH, ['server/src/guild/guild.ts'])
    expect(unit).toEqual(['server/src/guild/names.test.ts', 'scripts/styles.test.ts'])
    expect(pg).toEqual(['server/src/guild/guild.pg.test.ts'])
  })

  test('is, with a database, the tests of its noun first, then those that call it', () => {
    const { pg } = relatedTests(GRAPH, ['server/src/order/order.ts'])
    expect(pg).toEqual(['server/src/order/order.pg.test.ts', 'server/src/staff/orders/orders.pg.test.ts'])
  })

  test('is, for a noun without tests, those of the nouns that use it', () => {
    const { pg } = relatedTests(GRAPH, ['server/src/review/review.ts'])
    expect(pg).toEqual(['server/src/staff/orders/orders.pg.test.ts'])
  })

  test('is, for a part of screens, the journeys that open them', () => {
    expect(relatedTests(GRAPH, ['web/src/product/Packages.tsx']).e2e).toEqual(['e2e/order/shop.e2e.ts'])
  })

  test('is, for a style, the screens that have it and the journeys of its noun', () => {
    const { unit, pg, e2e } = relatedTests(GRAPH, ['web/src/order/OrderScreen.module.css'])
    expect(unit).toEqual(['web/src/order/order.test.tsx', 'scripts/styles.test.ts'])
    expect(pg).toEqual([])
    expect(e2e).toEqual(['e2e/order/bill.e2e.ts', 'e2e/order/shop.e2e.ts'])
  })

  test('is the story of the product where no journey is about what is drawn', () => {
    expect(relatedTests(GRAPH, ['web/src/ui/overlay/Sheet.tsx']).e2e).toEqual(['e2e/story.e2e.ts'])
  })

  test('is a changed test itself, of any kind', () => {
    const changed = ['e2e/order/bill.e2e.ts', 'server/src/guild/guild.pg.test.ts']
    const { pg, e2e } = relatedTests(GRAPH, changed)
    expect([pg, e2e]).toEqual([['server/src/guild/guild.pg.test.ts'], ['e2e/order/bill.e2e.ts']])
  })

  test('is all journeys that use a changed helper, the nearest of them where they are too many', () => {
    const journeys = Array.from(
      { length: 20 },
      (_, n) => [`e2e/guild/${n}.e2e.ts`, ['e2e/phone.ts']] as const,
    )
    const graph = new Map([...GRAPH, ...graphOf(Object.fromEntries(journeys))])
    const { e2e, left } = relatedTests(graph, ['e2e/phone.ts', 'e2e/guild/19.e2e.ts'])
    expect(e2e).toHaveLength(5)
    expect(e2e[0]).toBe('e2e/guild/19.e2e.ts')
    expect(left).toEqual(['18 of 23 files of journeys'])
  })
})

test('the parts of the room are about messages, and the root is about no noun', () => {
  expect(nounOf('web/src/composer/Composer.tsx')).toBe('message')
  expect(nounOf('e2e/guild/members.e2e.ts')).toBe('guild')
  expect(nounOf('sandbox/src/book.ts')).toBe('sandbox')
  expect(nounOf('scripts/test.ts')).toBe(null)
})

describe('what differs', () => {
  let root: string
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.test', ...args], { cwd: root })
  beforeEach(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'guildhall-changed-'))
    git('init', '-q', '-b', 'main')
    for (const name of ['a.ts', 'b.ts', 'c.ts']) await writeFile(path.join(root, name), '')
    git('add', '.')
    git('commit', '-q', '-m', 'files: three')
  })
  afterEach(() => rm(root, { recursive: true, force: true }))

  test('is an error when git does not know the base', () => {
    expect(() => changedFiles('nowhere', root)).toThrow()
  })

  test('is what was committed since, what was not, and new files; not what came to the base meanwhile', async () => {
    git('checkout', '-q', '-b', 'work')
    await writeFile(path.join(root, 'a.ts'), '1')
    git('commit', '-q', '-a', '-m', 'a: one')
    git('checkout', '-q', 'main')
    await writeFile(path.join(root, 'c.ts'), '1')
    git('commit', '-q', '-a', '-m', 'c: one')
    git('checkout', '-q', 'work')
    await writeFile(path.join(root, 'b.ts'), '1')
    await writeFile(path.join(root, '新.ts'), '1')
    expect(changedFiles('main', root)).toEqual(['a.ts', 'b.ts', '新.ts'])
  })
})
