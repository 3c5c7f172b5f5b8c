/**
 * The operator's own face: what SITE_DIR says of name, colours, picture and words. A folder that is wrong
 * refuses the start. Decision 112.
 */
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { type Locale, locales } from '@guildhall/wire/locale.ts'
import type { Block, documentNames } from '@guildhall/wire/site/site.ts'
import { isName } from '@guildhall/wire/user/name.ts'
import { OperatorError } from '../../kit/operatorError.ts'
import {
  CONTRAST_MIN,
  type Colours,
  contrastOf,
  DEFAULT_COLOURS,
  luminanceOf,
  type Theme,
  type Themes,
} from './colours.ts'
import { NotDrawn, readMarkdown } from './markdown.ts'
import type { SiteNames } from './name.ts'
import { LOGO_MAX_BYTES, svgProblem } from './svg.ts'

/** Bytes. The start page's words come with every page. */
const LANDING_MAX_BYTES = 4 * 1024
const DOCUMENT_MAX_BYTES = 256 * 1024
const SETTINGS_MAX_BYTES = 16 * 1024
const SHORT_NAME_MAX = 12
const CONTACT_MAX = 200

type Words = Readonly<Partial<Record<Locale, readonly Block[]>>>
export type DocumentName = (typeof documentNames)[number]

/** What the folder says; what is absent stays as it is. */
export interface SiteFace {
  /** Empty: the product's. */
  readonly names: Partial<SiteNames>
  /** What stands below the icon on a phone; null: the name. */
  readonly shortName: string | null
  /** Null: the product's. */
  readonly colours: Themes | null
  /** The SVG; null: the product's. */
  readonly logo: string | null
  /** The words of the start page, the slogan first. */
  readonly landing: Words
  readonly documents: Readonly<Record<DocumentName, Words>>
  /** The line for business contacts, where SITE_CONTACT says none; empty: none. */
  readonly contact: string
  /** The files that were read. */
  readonly files: readonly string[]
}

export const NO_FACE: SiteFace = {
  names: {},
  shortName: null,
  colours: null,
  logo: null,
  landing: {},
  documents: { terms: {}, privacy: {} },
  contact: '',
  files: [],
}

const wrong = (what: string, cause?: unknown): OperatorError =>
  new OperatorError(`SITE_DIR: ${what}`, { cause })

const MARKDOWN = ['landing', 'terms', 'privacy'] as const
const KNOWN: readonly string[] = [
  'site.json',
  'logo.svg',
  ...MARKDOWN.flatMap((name) => locales.map((locale) => `${name}.${locale}.md`)),
]
/** Files that look as if they were meant; others may lie there. */
const MEANT = /^(?:site|logo|landing|terms|privacy)\b/i

/**
 * Reads the folder; null: there is none, and the product's face stays.
 * @throws OperatorError naming the file and what is wrong with it
 */
export async function readSiteFace(dir: string | null): Promise<SiteFace> {
  if (dir === null) return NO_FACE
  const found = await readdir(dir).catch((error: unknown) => {
    throw wrong(`${dir} cannot be read as a folder.`, error)
  })
  const unknown = found.find((name) => MEANT.test(name) && !KNOWN.includes(name))
  if (unknown !== undefined) throw wrong(`${unknown} is not used. Its files are ${KNOWN.join(', ')}.`)
  const read = async (name: string, maxBytes: number): Promise<string | null> => {
    if (!found.includes(name)) return null
    const bytes = await readFile(path.join(dir, name)).catch((error: unknown) => {
      throw wrong(`${name} cannot be read.`, error)
    })
    if (bytes.length > maxBytes) throw wrong(`${name} is larger than ${maxBytes / 1024} KiB.`)
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    } catch (error) {
      throw wrong(`${name} is not in UTF-8.`, error)
    }
  }
  const words = async (name: string, maxBytes: number): Promise<Words> => {
    const read1 = async (locale: Locale) => {
      const file = `${name}.${locale}.md`
      const text = await read(file, maxBytes)
      return text === null ? [] : [[locale, blocksOf(file, text)] as const]
    }
    return Object.fromEntries((await Promise.all(locales.map(read1))).flat())
  }
  const settings = await read('site.json', SETTINGS_MAX_BYTES)
  const logo = await read('logo.svg', LOGO_MAX_BYTES)
  const problem = logo === null ? null : svgProblem(logo)
  if (problem !== null) throw wrong(`logo.svg ${problem}: save it as a plain SVG.`)
  return {
    ...(settings === null ? NO_FACE : readSettings(settings)),
    logo,
    landing: await words('landing', LANDING_MAX_BYTES),
    documents: {
      terms: await words('terms', DOCUMENT_MAX_BYTES),
      privacy: await words('privacy', DOCUMENT_MAX_BYTES),
    },
    files: KNOWN.filter((name) => found.includes(name)),
  }
}

function blocksOf(file: string, text: string): readonly Block[] {
  try {
    const blocks = readMarkdown(text)
    if (blocks.length > 0) return blocks
  } catch (error) {
    if (error instanceof NotDrawn) throw wrong(`${file} ${error.message}`, error)
    throw error
  }
  throw wrong(`${file} is empty: delete it, or write something.`)
}

const SETTINGS = ['name', 'name_en', 'short_name', 'colours', 'contact']

function readSettings(text: string): SiteFace {
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch (error) {
    throw wrong(`site.json is no JSON: ${(error as Error).message}.`, error)
  }
  const settings = fieldsOf('site.json', given, SETTINGS)
  const name = readName('name', settings)
  const nameEn = readName('name_en', settings)
  // One name stands for both languages, so that the product's is not seen beside it.
  const names = { 'zh-CN': name ?? nameEn, en: nameEn ?? name }
  return {
    ...NO_FACE,
    names: names.en === undefined ? {} : (names as SiteNames),
    shortName: readLine('short_name', settings, SHORT_NAME_MAX) ?? null,
    colours: settings.colours === undefined ? null : readColours(settings.colours),
    contact: readLine('contact', settings, CONTACT_MAX) ?? '',
  }
}

type Fields = Readonly<Record<string, unknown>>

function fieldsOf(location: string, value: unknown, known: readonly string[]): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw wrong(`${location} must be an object with ${known.join(', ')}.`)
  const unknown = Object.keys(value).find((key) => !known.includes(key))
  if (unknown !== undefined)
    throw wrong(`${location} has the unknown field "${unknown}". Known are ${known.join(', ')}.`)
  return value as Fields
}

function readLine(key: string, settings: Fields, max: number): string | undefined {
  const value = settings[key]
  if (value === undefined) return undefined
  if (typeof value === 'string' && value.trim() !== '' && value.length <= max && !/\p{C}/u.test(value))
    return value.trim()
  throw wrong(`${key} of site.json must be one line of 1 to ${max} characters.`)
}

/** The official account has it as its name, without its spaces. */
function readName(key: string, settings: Fields): string | undefined {
  const value = readLine(key, settings, 30)
  if (value === undefined || isName(value.replace(/\s+/g, ''))) return value
  throw wrong(`${key} of site.json cannot be a name: 1 to 30 letters, numbers, and single spaces.`)
}

const THEMES = ['light', 'dark'] as const
const COLOURS = ['accent', 'on_accent', 'background', 'text'] as const

function readColours(value: unknown): Themes {
  const given = fieldsOf('colours of site.json', value, THEMES)
  return { light: readTheme('light', given.light ?? {}), dark: readTheme('dark', given.dark ?? {}) }
}

function readTheme(theme: Theme, value: unknown): Colours {
  const given = fieldsOf(`colours.${theme} of site.json`, value, COLOURS)
  for (const [key, colour] of Object.entries(given))
    if (typeof colour !== 'string' || !/^#[\da-f]{6}$/i.test(colour))
      throw wrong(
        `colours.${theme}.${key} of site.json must be a colour such as #0b7a53, not ${JSON.stringify(colour)}.`,
      )
  const colours = { ...DEFAULT_COLOURS[theme], ...(given as Partial<Colours>) }
  requireContrast(theme, colours, 'on_accent', 'accent')
  requireContrast(theme, colours, 'text', 'background')
  const isLight = luminanceOf(colours.background) > luminanceOf(colours.text)
  if (isLight !== (theme === 'light'))
    throw wrong(
      `colours.${theme} of site.json: the background must be ${theme === 'light' ? 'lighter' : 'darker'} than the text.`,
    )
  return colours
}

function requireContrast(theme: Theme, colours: Colours, words: keyof Colours, ground: keyof Colours): void {
  const contrast = contrastOf(colours[words], colours[ground])
  if (contrast >= CONTRAST_MIN) return
  throw wrong(
    `colours.${theme} of site.json: ${words} ${colours[words]} on ${ground} ${colours[ground]} has a contrast of ${(Math.floor(contrast * 100) / 100).toFixed(2)}:1, and ${CONTRAST_MIN}:1 is needed.`,
  )
}
