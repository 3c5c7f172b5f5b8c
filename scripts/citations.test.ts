import { expect, it } from 'vitest'
import {
  citationsIn,
  deadCitations,
  decisionsIn,
  isThere,
  linksIn,
  pathsIn,
  sectionsOf,
} from './citations.ts'

const PAGE = `# Chat
## 2. Screens
### Login page
## 4. States
### 4.1 Rooms
**Sending.** One at a time.
| **\`/cdk\`** | redeems |
`
const pages = new Map([['chat', sectionsOf(PAGE)]])
const dead = (text: string) => citationsIn(text).filter((citation) => !isThere(citation, pages))

it('what is not there is found: a page, a section, a name, a name of another section', () => {
  expect(dead('copy.md "Text room"')).toHaveLength(1)
  expect(dead('chat.md §3.')).toEqual([{ page: 'chat', section: '3' }])
  expect(dead('chat.md §4 "Receiving"')).toEqual([{ page: 'chat', section: '4', name: 'Receiving' }])
  expect(dead('chat.md §2 "Sending"')).toHaveLength(1)
})

it('headings, bold words and table cells can be cited, from the section above too', () => {
  expect(dead('chat.md §2 "Login page", chat.md §4.1 "sending", chat.md §4 "/cdk"')).toEqual([])
})

it('lists are read to their end, over the lines of a comment', () => {
  expect(citationsIn('/** chat.md §2 "Login\n * page", §4.1 and §9; protocol.md §4.1 to §4.6. */')).toEqual([
    { page: 'chat', section: '2' },
    { page: 'chat', section: '2', name: 'Login page' },
    { page: 'chat', section: '4.1' },
    { page: 'chat', section: '9' },
    { page: 'protocol', section: '4.1' },
    { page: 'protocol', section: '4.6' },
  ])
  expect(decisionsIn('// Decisions 66\n// and 67, decision 5.')).toEqual([66, 67, 5])
})

it('pages are named by their paths, too', () => {
  expect(pathsIn('// See docs/native.md, docs/decisions/0019-x.md and native.md.')).toEqual([
    'docs/native.md',
    'docs/decisions/0019-x.md',
  ])
})

it('links to other sites, and what is code, are left alone', () => {
  expect(
    linksIn('`[x](url)` [a](wire.md#calls) [b](https://example.org) [c](#here) [d](decisions/)'),
  ).toEqual(['wire.md', 'decisions/'])
})

it('everything that is cited is there', async () => {
  expect(await deadCitations()).toEqual([])
})
