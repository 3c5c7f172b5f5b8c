/**
 * A page that is written in English and in Chinese says the same in both: the same headings, commands, rows,
 * links, and words in backticks. So a new variable, path or command in one language is missing in the other.
 */
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it, test } from 'vitest'

const ROOT = path.dirname(import.meta.dirname)
const CHINESE = '.zh-CN.md'

/** A page by its path from the root. */
interface Page {
  readonly file: string
  readonly text: string
}

/** What stands under one heading, without words of a language: each fact once for each time it is there. */
interface Section {
  /** `##`, and empty before the first heading. */
  readonly level: string
  readonly title: string
  readonly facts: readonly string[]
}

const codesIn = (text: string): string[] =>
  [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code.replaceAll(/\s+/g, ' '))
/** Where the links to files lead, for both languages alike, without the location on the page. */
const linksIn = (text: string): string[] =>
  [...text.matchAll(/\]\(([^)#\s]+)/g)].map(([, target = '']) => target.replace(CHINESE, '.md'))
const withoutComment = (line: string) => line.replace(/(?:^|\s+)(?:#|\/\/)(?: .*)?$/, '')

/** The sections of a page; the one before the first heading, too. */
function sectionsOf(text: string): Section[] {
  const sections: { level: string; title: string; lines: string[]; facts: string[] }[] = []
  const begin = (level: string, title: string) => sections.push({ level, title, lines: [], facts: [] })
  begin('', 'the top')
  let block: string | null = null
  let blockCount = 0
  let rows = 0
  let tables = 0
  for (const line of text.split('\n')) {
    const section = sections.at(-1)!
    if (line.startsWith('```')) {
      if (block === null) section.facts.push(`block ${++blockCount}, of ${line.slice(3)}`)
      block = block === null ? `block ${blockCount}` : null
    } else if (block !== null) {
      const code = withoutComment(line)
      if (code !== '') section.facts.push(`in ${block}: ${code}`)
    } else {
      const [, level, title = ''] = /^(#+) (.*)/.exec(line) ?? []
      if (level !== undefined) {
        begin(level, title)
        blockCount = 0
        tables = 0
      }
      rows = line.startsWith('|') ? rows + 1 : 0
      if (rows === 1) tables++
      if (rows > 0) {
        const cells = line.split(/(?<!\\)\|/).length - 2
        const codes = codesIn(line).toSorted().join(' ')
        section.facts.push(`row ${rows} of table ${tables}, of ${cells} cells: ${codes}`.trim())
      }
      sections.at(-1)!.lines.push(line)
    }
  }
  return sections.map(({ level, title, lines, facts }) => {
    const words = lines.join('\n')
    const named = [
      ...codesIn(words).map((code) => `\`${code}\``),
      ...linksIn(words).map((target) => `a link to ${target}`),
    ]
    return {
      level,
      title,
      facts: [...facts, ...new Set(named)],
    }
  })
}

/** The facts that the first list has and the other one has not, or less often. */
function lacking(facts: readonly string[], others: readonly string[]): string[] {
  const left = [...others]
  return facts.filter((fact) => {
    const index = left.indexOf(fact)
    if (index >= 0) left.splice(index, 1)
    return index < 0
  })
}

/** What two pages do not both have, one sentence for each. */
function differences(english: Page, chinese: Page): string[] {
  const found: string[] = []
  const [ours, theirs] = [sectionsOf(english.text), sectionsOf(chinese.text)]
  for (let index = 0; index < Math.max(ours.length, theirs.length); index++) {
    const [mine, other] = [ours[index], theirs[index]]
    if (mine?.level !== other?.level) {
      const heading = (section?: Section) => (section ? `“${section.level} ${section.title}”` : 'its end')
      found.push(`${chinese.file} has ${heading(other)} where ${english.file} has ${heading(mine)}`)
      break
    }
    if (!mine || !other) break
    const named = lacking(mine.facts, other.facts)
    const more = lacking(other.facts, mine.facts)
    found.push(...named.map((fact) => `${chinese.file} “${other.title}” lacks ${fact}`))
    found.push(...more.map((fact) => `${english.file} “${mine.title}” lacks ${fact}`))
    if (named.length + more.length === 0 && !isOrdered(mine, other))
      found.push(`${chinese.file} “${other.title}” has lines of a block in another order`)
    // Behind a section that one page lacks, everything would be reported.
    if (found.length > 0 && ours.length !== theirs.length) {
      found.push(`${english.file} has ${ours.length - 1} headings, ${chinese.file} ${theirs.length - 1}`)
      break
    }
  }
  return found
}

function isOrdered(mine: Section, other: Section): boolean {
  const blocks = (section: Section) => section.facts.filter((fact) => /^(?:in )?block /.test(fact)).join('\n')
  return blocks(mine) === blocks(other)
}

/** How a heading is called in an address: `#node`. */
const anchorOf = (title: string) =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')

const read = (file: string): Page => ({ file, text: readFileSync(path.join(ROOT, file), 'utf8') })
const pairs = globSync(`{,docs/}*${CHINESE}`, { cwd: ROOT })
  .map((file) => file.replaceAll('\\', '/'))
  .toSorted()
  .map((file) => ({ english: read(file.replace(CHINESE, '.md')), chinese: read(file) }))

const ENGLISH: Page = {
  file: 'a.md',
  text: [
    '# Start',
    'Set `COLOUR`, see [b](b.md).',
    '```sh',
    'npm start   # begins',
    'npm test',
    '```',
    '## More',
    '| a | b |',
    '|---|---|',
    '| `x` | one |',
  ].join('\n'),
}
const translated = (from: string, to: string): Page => ({
  file: 'a.zh-CN.md',
  text: ENGLISH.text.replace(from, to),
})

it.each([
  ['a variable', '`COLOUR`', '颜色', 'a.zh-CN.md “Start” lacks `COLOUR`'],
  ['a link', '[b](b.md)', '另一页', 'a.zh-CN.md “Start” lacks a link to b.md'],
  ['a command', 'npm test', '', 'a.zh-CN.md “Start” lacks in block 1: npm test'],
  ['a language of a block', '```sh', '```js', 'a.zh-CN.md “Start” lacks block 1, of sh'],
  ['a row', '| `x` | one |', '', 'a.zh-CN.md “More” lacks row 3 of table 1, of 2 cells: x'],
  ['a cell', '| one |', '|', 'a.zh-CN.md “More” lacks row 3 of table 1, of 2 cells: x'],
  ['a heading', '## More', '', 'a.md has 2 headings, a.zh-CN.md 1'],
  ['a level', '## More', '### 更多', 'a.zh-CN.md has “### 更多” where a.md has “## More”'],
  [
    'an order',
    'npm start   # begins\nnpm test',
    'npm test\nnpm start',
    'a.zh-CN.md “Start” has lines of a block in another order',
  ],
])('what the Chinese page lacks is said with its section: %s', (_what, from, to, sentence) => {
  expect(differences(ENGLISH, translated(from, to))).toContain(sentence)
})

it('what the English page lacks is said, too', () => {
  expect(differences(ENGLISH, translated('Set', '设置 `SIZE` 与'))).toEqual(['a.md “Start” lacks `SIZE`'])
})

it('behind a section that one page lacks nothing is reported', () => {
  const found = differences(ENGLISH, translated('# Start', '# Start\nSet `COLOUR`, see [b](b.md).\n# Start'))
  expect(found.every((sentence) => !sentence.includes('“More”'))).toBe(true)
  expect(found).toContain('a.md has 2 headings, a.zh-CN.md 3')
})

it('words, comments, and the language of a linked page may differ', () => {
  const text = ENGLISH.text
    .replace('# Start', '# 开始')
    .replace('# begins', '# 启动')
    .replace('(b.md)', '(b.zh-CN.md)')
  expect(differences(ENGLISH, { file: 'a.zh-CN.md', text })).toEqual([])
})

test.each(pairs)('$chinese.file says what $english.file says', ({ english, chinese }) => {
  expect(differences(english, chinese)).toEqual([])
})

test.each(pairs)('$english.file and $chinese.file lead to each other at the top', ({ english, chinese }) => {
  const top = (page: Page) => page.text.split(/^## /m)[0]
  expect(top(english)).toContain(`[中文](${path.basename(chinese.file)})`)
  expect(top(chinese)).toContain(`[English](${path.basename(english.file)})`)
})

test('links stay within the language where both exist', () => {
  const files = new Set(pairs.map(({ chinese }) => chinese.file))
  const wrong = pairs.flatMap(({ chinese }) =>
    [...chinese.text.matchAll(/\]\(([^)#\s]+)/g)]
      .map(([, target = '']) => path.posix.join(path.posix.dirname(chinese.file), target))
      .filter(
        (target) => files.has(target.replace(/(?<!\.zh-CN)\.md$/, CHINESE)) && !target.endsWith(CHINESE),
      )
      .filter((target) => target !== chinese.file.replace(CHINESE, '.md'))
      .map((target) => `${chinese.file} links to ${target}`),
  )
  expect(wrong).toEqual([])
})

test('a link to a place on a page leads to a heading', () => {
  const wrong = pairs
    .flatMap(({ english, chinese }) => [english, chinese])
    .flatMap(({ file, text }) =>
      [...text.matchAll(/\]\(([^)#:\s]*)#([^)\s]+)\)/g)]
        .filter(([, target = '', anchor = '']) => {
          const page = target ? path.posix.join(path.posix.dirname(file), target) : file
          return !sectionsOf(read(page).text).some(({ title }) => anchorOf(title) === anchor)
        })
        .map(([link]) => `${file}: ${link.slice(1)} is not there`),
    )
  expect(wrong).toEqual([])
})
