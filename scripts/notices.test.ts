import { expect, it } from 'vitest'
import { isNoticesFileStale, noticesText } from './notices.ts'

const MIT = 'MIT License\n\nCopyright (c) 2020 Ada'

it('the notices that people read are those of what is shipped', async () => {
  expect(await isNoticesFileStale()).toBe(false)
})

it('packages are in the order of their names, each once, and one text stands for all that have it', () => {
  const of = (name: string, version: string, text = MIT) => ({ name, version, licence: 'MIT', texts: [text] })
  const page = noticesText([
    of('b', '2.0.0', `${MIT}\r\n`),
    of('a', '1.0.0'),
    of('b', '2.0.0'),
    of('c', '1.0.0', 'Other'),
  ])
  expect(page.match(/^\w \d\.\d\.\d: MIT$/gm)).toEqual(['a 1.0.0: MIT', 'b 2.0.0: MIT', 'c 1.0.0: MIT'])
  expect(page.split('Copyright (c) 2020 Ada')).toHaveLength(2)
  expect(page).toContain('a 1.0.0, b 2.0.0\n')
})

it('a package without a text of its licence has its name, and its author where it says one', () => {
  const page = noticesText([
    { name: 'bare', version: '1.0.0', licence: 'ISC', texts: [], author: 'Ada' },
    { name: 'mute', version: '1.0.0', licence: null, texts: [] },
  ])
  expect(page).toContain('bare 1.0.0: ISC, by Ada\n')
  expect(page).toContain('mute 1.0.0: no licence is named\n')
})
