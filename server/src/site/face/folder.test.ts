import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { NO_FACE, readSiteFace } from './folder.ts'

const made: string[] = []
let dir = ''

beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'guildhall-site-'))
  made.push(dir)
})
afterAll(() => Promise.all(made.map((each) => rm(each, { recursive: true, force: true }))))

const put = (name: string, content: string | Buffer) => writeFile(path.join(dir, name), content)
const settings = (value: unknown) => put('site.json', JSON.stringify(value))
const refusal = () =>
  readSiteFace(dir).then(
    () => null,
    (error: Error) => error.message,
  )

const svg = (inner: string, root = 'viewBox="0 0 9 9"') =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${root}>${inner}</svg>`

describe('a folder is refused', () => {
  it('when it is not there', async () => {
    await expect(readSiteFace('/no/such/folder')).rejects.toThrow(
      'SITE_DIR: /no/such/folder cannot be read as a folder.',
    )
  })

  it.each(['landing.zh.md', 'terms.md', 'Privacy.en.md', 'logo.png', 'site.yaml'])(
    'when it has %s, which looks as if it were meant',
    async (name) => {
      await put(name, 'x')
      expect(await refusal()).toMatch(`SITE_DIR: ${name} is not used. Its files are site.json, logo.svg,`)
    },
  )

  it.each<[unknown, string]>([
    [{ title: 'x' }, 'site.json has the unknown field "title". Known are name,'],
    [{ colors: {} }, 'site.json has the unknown field "colors".'],
    [[], 'site.json must be an object with name,'],
    [{ name: '' }, 'name of site.json must be one line of 1 to 30 characters.'],
    [{ name: 7 }, 'name of site.json must be one line'],
    [{ name: 'a\nb' }, 'name of site.json must be one line'],
    [{ name: 'a\u202eb' }, 'name of site.json must be one line'],
    [{ name_en: 'x'.repeat(31) }, 'name_en of site.json must be one line of 1 to 30 characters.'],
    [{ short_name: 'x'.repeat(13) }, 'short_name of site.json must be one line of 1 to 12 characters.'],
    [{ colours: { sepia: {} } }, 'colours of site.json has the unknown field "sepia".'],
    [{ colours: { dark: { accnt: '#000000' } } }, 'colours.dark of site.json has the unknown field "accnt".'],
    [
      { colours: { light: { accent: 'red' } } },
      'colours.light.accent of site.json must be a colour such as #0b7a53, not "red".',
    ],
    [{ colours: { light: { accent: '#fff' } } }, 'must be a colour such as #0b7a53, not "#fff".'],
    [{ colours: { light: { accent: '#ffffff;}' } } }, 'must be a colour such as #0b7a53'],
    [
      { colours: { light: { accent: '#ff8800', on_accent: '#ffffff' } } },
      'colours.light of site.json: on_accent #ffffff on accent #ff8800 has a contrast of 2.39:1, and 4.5:1 is needed.',
    ],
    [
      { colours: { dark: { text: '#555555' } } },
      'colours.dark of site.json: text #555555 on background #101317',
    ],
    // 4.48:1 is not rounded up.
    [{ colours: { light: { background: '#ffffff', text: '#777777' } } }, 'has a contrast of 4.47:1'],
    [
      { colours: { light: { background: '#000000', text: '#ffffff' } } },
      'colours.light of site.json: the background must be lighter than the text.',
    ],
  ])('for the settings %j', async (value, message) => {
    await settings(value)
    expect(await refusal()).toContain(message)
  })

  it('for settings that are no JSON, too large, or not in UTF-8', async () => {
    await put('site.json', '{')
    expect(await refusal()).toMatch(/^SITE_DIR: site\.json is no JSON: /)
    await put('site.json', ' '.repeat(16 * 1024 + 1))
    expect(await refusal()).toBe('SITE_DIR: site.json is larger than 16 KiB.')
    await put('site.json', Buffer.from([0x7b, 0xff, 0x7d]))
    expect(await refusal()).toBe('SITE_DIR: site.json is not in UTF-8.')
  })

  it.each([
    ['<script>alert(1)</script>', 'has the element script'],
    ['<path onload="x()" d=""/>', 'has the attribute onload, which runs a script'],
    ['<image href="https://evil.example/a.png"/>', 'has the element image'],
    ['<use xlink:href="https://evil.example/#a"/>', 'has a reference to https://evil.example/#a'],
    ['<use href="data:image/svg+xml,x"/>', 'has a reference to data:'],
    ['<rect fill="url(https://evil.example/#a)"/>', 'has a reference to https://evil.example/#a'],
    ['<rect style="fill:u\\72l(//evil.example)"/>', 'in style'],
    ['<style>@import "//evil.example"</style>', 'has the element style'],
    ['<foreignObject/>', 'has the element foreignObject'],
    ['<set attributeName="href" to="javascript:x"/>', 'has the element set'],
    ['<a href="javascript:x"><path/></a>', 'has the element a'],
  ])('for the logo %s', async (inner, message) => {
    await put('logo.svg', svg(inner))
    expect(await refusal()).toMatch(/^SITE_DIR: logo\.svg .*: save it as a plain SVG\.$/)
    expect(await refusal()).toContain(message)
  })

  it.each([
    ['<!DOCTYPE svg [<!ENTITY a "b">]><svg viewBox="0 0 1 1"/>', 'has a document type'],
    [
      '<?xml-stylesheet href="//evil.example"?><svg viewBox="0 0 1 1"/>',
      'has the instruction ?xml-stylesheet',
    ],
    ['<html></html>', 'has the element html'],
    ['PNG', 'is no SVG'],
    [svg('', 'width="9"'), 'has no viewBox'],
    ['<svg viewBox="0 0 9 9"></svg>', 'does not name the namespace of SVG'],
  ])('for the logo %s, which is none', async (text, message) => {
    await put('logo.svg', text)
    expect(await refusal()).toBe(`SITE_DIR: logo.svg ${message}: save it as a plain SVG.`)
  })

  it('for a logo or words that are too large', async () => {
    await put('logo.svg', svg(' '.repeat(64 * 1024)))
    expect(await refusal()).toBe('SITE_DIR: logo.svg is larger than 64 KiB.')
    await rm(path.join(dir, 'logo.svg'))
    await put('landing.en.md', 'x'.repeat(4 * 1024 + 1))
    expect(await refusal()).toBe('SITE_DIR: landing.en.md is larger than 4 KiB.')
    await rm(path.join(dir, 'landing.en.md'))
    await put('terms.en.md', 'x'.repeat(256 * 1024 + 1))
    expect(await refusal()).toBe('SITE_DIR: terms.en.md is larger than 256 KiB.')
  })

  it.each([
    ['one\n\n<script>alert(1)</script>', 'has HTML on line 3'],
    ['a <b>b</b>', 'has HTML on line 1'],
    ['![x](https://evil.example/x.png)', 'has a picture on line 1'],
    ['| a |\n|---|\n| b |', 'has a table on line 1'],
    ['> a', 'has a quotation on line 1'],
    ['`a`', 'has code on line 1'],
    ['[a](ftp://evil.example)', 'leads to "ftp://evil.example" on line 1'],
    ['[a](//evil.example)', 'leads to "//evil.example" on line 1'],
    ['', 'is empty: delete it, or write something.'],
  ])('for the words %j', async (text, message) => {
    await put('privacy.zh-CN.md', text)
    expect(await refusal()).toContain(`SITE_DIR: privacy.zh-CN.md ${message}`)
  })
})

describe('what is read', () => {
  it('is nothing without a folder, and nothing of an empty one', async () => {
    expect(await readSiteFace(null)).toEqual(NO_FACE)
    await put('README.md', 'for us')
    expect(await readSiteFace(dir)).toEqual(NO_FACE)
  })

  it('one name stands for both languages', async () => {
    await settings({ name: '灯塔社' })
    expect((await readSiteFace(dir)).names).toEqual({ 'zh-CN': '灯塔社', en: '灯塔社' })
    await settings({ name_en: 'Star Hall' })
    expect((await readSiteFace(dir)).names).toEqual({ 'zh-CN': 'Star Hall', en: 'Star Hall' })
  })

  it('colours that are not named stay the product’s, and are judged with those that are', async () => {
    await settings({ colours: { light: { accent: '#9a3412' } } })
    expect((await readSiteFace(dir)).colours).toEqual({
      light: { accent: '#9a3412', on_accent: '#ffffff', background: '#f3f5f7', text: '#16191d' },
      dark: { accent: '#3fd39a', on_accent: '#06281b', background: '#101317', text: '#e9ecef' },
    })
  })

  it('headings, paragraphs, lists, bold words and links; `javascript:` is only text', async () => {
    await put(
      'terms.en.md',
      '# T\n\n## H\n\none **two**\nthree [four](https://a.example)\n\n- a\n- b\n\n1. c\n\n[x](javascript:alert)',
    )
    const plain = { bold: false, url: '' }
    expect((await readSiteFace(dir)).documents.terms.en).toEqual([
      { kind: 'title', spans: [{ text: 'T', ...plain }] },
      { kind: 'heading', spans: [{ text: 'H', ...plain }] },
      {
        kind: 'words',
        spans: [
          { text: 'one ', ...plain },
          { text: 'two', bold: true, url: '' },
          { text: '\nthree ', ...plain },
          { text: 'four', bold: false, url: 'https://a.example' },
        ],
      },
      { kind: 'bullet', spans: [{ text: 'a', ...plain }] },
      { kind: 'bullet', spans: [{ text: 'b', ...plain }] },
      { kind: 'number', spans: [{ text: 'c', ...plain }] },
      { kind: 'words', spans: [{ text: '[x](javascript:alert)', ...plain }] },
    ])
  })

  it('the folder that is shipped as an example', async () => {
    const face = await readSiteFace(path.join(import.meta.dirname, '../../../../deploy/site.example'))
    expect(face.files).toEqual(['site.json', 'logo.svg', 'landing.zh-CN.md', 'landing.en.md'])
    expect(face.names).toEqual({ 'zh-CN': '灯塔社', en: 'Lighthouse' })
    expect(face.contact).toContain('club@example.com')
    expect(Object.keys(face.landing)).toEqual(['zh-CN', 'en'])
  })
})
