/**
 * Card parser: validates and normalizes the content of a card message, or reports the first error.
 * protocol.md §7.
 */

import { codeIn } from '../invite/inviteLink.ts'
import type { Millis } from '../unit.ts'
import { withoutOverrides } from '../visible.ts'
import * as limit from './limit.ts'
import {
  type Button,
  type Card,
  type Countdown,
  cardThemes,
  type FileModule,
  type Image,
  type Known,
  type Module,
  type Paragraph,
  type PlainText,
  type Section,
  themes,
  type Words,
} from './node.ts'

/**
 * Why a value is not a valid card. `json`: not JSON; `shape`: not the expected object, list or text;
 * `missing`;
 * `unknown`: no such module, element or option; `value`: not an address, colour or number; `few`, `many`,
 * `long`: outside a limit; `past`: a time that is over; `place`: valid, but not in this position.
 */
export type WhyBroken =
  | 'json'
  | 'shape'
  | 'missing'
  | 'unknown'
  | 'value'
  | 'few'
  | 'many'
  | 'long'
  | 'past'
  | 'place'

/** The first error. `at` is its path, `[0].modules[3].elements[1]`; `''` is the whole content. */
export interface Broken {
  readonly at: string
  readonly why: WhyBroken
}
export type ReadCards = { readonly cards: readonly Card[] } | { readonly broken: Broken }

/** Options of `readCards`. */
export interface Reading {
  /** Set when a caller sends the cards, ms: past end times are refused, fields of the server are dropped. */
  readonly sentAt?: Millis
}

/**
 * Parses cards from JSON text or from the parsed value. Never throws, visits no more than the limits allow,
 * and drops unknown fields. Idempotent: parsing the result gives the same result.
 */
export function readCards(source: unknown, reading: Reading = {}): ReadCards {
  try {
    return { cards: cardsOf(source, reading) }
  } catch (error) {
    if (error instanceof Bad) return { broken: { at: error.at, why: error.why } }
    throw error
  }
}

/** Serializes cards for storage; `readCards` is the inverse. */
export const writeCards = (cards: readonly Card[]): string => JSON.stringify(cards)

/** Aborts the parser from any depth; caught by `readCards`. */
class Bad extends Error {
  readonly at: string
  readonly why: WhyBroken
  constructor(at: string, why: WhyBroken) {
    super(why)
    this.at = at
    this.why = why
  }
}

type Plain = Readonly<Record<string, unknown>>
const isPlain = (value: unknown): value is Plain =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
/** Bot libraries write null for omitted fields. */
const isAbsent = (value: unknown): value is null | undefined => value === null || value === undefined

function cardsOf(source: unknown, reading: Reading): Card[] {
  const value = typeof source === 'string' ? parsed(source) : source
  const left = { modules: limit.MODULES_MAX }
  const cards = list(value, '', 1, limit.CARDS_MAX).map((each, index) =>
    cardOf(each, `[${index}]`, reading, left),
  )
  // Expanding shorthands makes the content longer.
  if (writeCards(cards).length > limit.CARD_CONTENT_MAX) throw new Bad('', 'long')
  return cards
}

function parsed(source: string): unknown {
  if (source.length > limit.CARD_CONTENT_MAX) throw new Bad('', 'long')
  try {
    return JSON.parse(source)
  } catch {
    throw new Bad('', 'json')
  }
}

function list(value: unknown, at: string, least: number, most: number): readonly unknown[] {
  if (!Array.isArray(value)) throw new Bad(at, isAbsent(value) ? 'missing' : 'shape')
  if (value.length < least) throw new Bad(at, 'few')
  if (value.length > most) throw new Bad(at, 'many')
  return value
}

function plainAt(value: unknown, at: string): Plain {
  if (!isPlain(value)) throw new Bad(at, isAbsent(value) ? 'missing' : 'shape')
  return value
}

/** Removes null characters, lone surrogates and direction overrides. */
function tidy(text: string): string {
  return withoutOverrides(text)
    .replaceAll('\u0000', '')
    .replace(/[\ud800-\udfff]/gu, '\ufffd')
}

function text(value: unknown, at: string, most: number): string {
  if (isAbsent(value)) throw new Bad(at, 'missing')
  const given = typeof value === 'number' ? String(value) : value
  if (typeof given !== 'string') throw new Bad(at, 'shape')
  if (given.length > limit.CARD_CONTENT_MAX) throw new Bad(at, 'long')
  const kept = tidy(given)
  if (kept.length > most) throw new Bad(at, 'long')
  return kept
}

const textOr = (fallback: string, value: unknown, at: string, most: number): string =>
  isAbsent(value) ? fallback : text(value, at, most)

/** One of `words`; `fallback` when absent. */
function choice<T extends string>(words: readonly T[], fallback: T, value: unknown, at: string): T {
  if (isAbsent(value)) return fallback
  const found = words.find((word) => word === value)
  if (found === undefined) throw new Bad(at, 'unknown')
  return found
}

/** A boolean, also as 0/1 or as text. */
function yes(value: unknown, at: string): boolean | undefined {
  if (isAbsent(value)) return undefined
  if (value === true || value === 1 || value === '1' || value === 'true') return true
  if (value === false || value === 0 || value === '0' || value === 'false' || value === '') return false
  throw new Bad(at, 'value')
}

const NUMBER = /^\d{1,16}(?:\.\d{1,20})?$/

/** A number of at least 0, also as text. protocol.md §7.5. */
function number(value: unknown, at: string): number {
  if (isAbsent(value)) throw new Bad(at, 'missing')
  const given = typeof value === 'string' && NUMBER.test(value.trim()) ? Number(value) : value
  if (typeof given !== 'number' || !(given >= 0) || given > Number.MAX_SAFE_INTEGER)
    throw new Bad(at, 'value')
  // -0 is written as 0.
  return given + 0
}
const whole = (value: unknown, at: string): number => Math.trunc(number(value, at))

const COLOR = /^#[0-9a-f]{6}$/i

function color(value: unknown, at: string): { color?: string } {
  if (isAbsent(value) || value === '') return {}
  if (typeof value !== 'string' || !COLOR.test(value)) throw new Bad(at, 'value')
  return { color: value.toLowerCase() }
}

const WEB = /^https?:\/\/[^\s/?#]+(?:[/?#]\S*)?$/i
/** The path of a file stored on this server. */
const HERE = /^\/(?:assets|attachments)\/[\w./-]+$/

/** The address of a file: on the web, or a path on this server. */
function source(value: unknown, at: string): string {
  const address = text(value, at, limit.VALUE_MAX).trim()
  if (address === '') throw new Bad(at, 'missing')
  if (!WEB.test(address) && !HERE.test(address)) throw new Bad(at, 'value')
  return address
}

function cardOf(value: unknown, at: string, reading: Reading, left: { modules: number }): Card {
  const card = plainAt(value, at)
  if (card.type !== 'card') throw new Bad(`${at}.type`, isAbsent(card.type) ? 'missing' : 'unknown')
  const theme = choice(cardThemes, 'primary', card.theme, `${at}.theme`)
  const expand = yes(card.expand, `${at}.expand`)
  const modules = list(card.modules, `${at}.modules`, 0, limit.MODULES_MAX)
  left.modules -= modules.length
  if (left.modules < 0) throw new Bad(`${at}.modules`, 'many')
  return {
    type: 'card',
    theme,
    ...color(card.color, `${at}.color`),
    size: choice(['sm', 'lg'], 'lg', card.size, `${at}.size`),
    ...(expand !== undefined && { expand }),
    modules: modules.map((each, index) => {
      const moduleAt = `${at}.modules[${index}]`
      const module = moduleOf(each, moduleAt, reading)
      if (theme === 'invisible' && !fitsInvisible(module)) throw new Bad(moduleAt, 'place')
      return module
    }),
  }
}

/** Whether a card without a frame may contain the module. protocol.md §7.2. */
const fitsInvisible = (module: Module): boolean =>
  module.type === 'section'
    ? module.accessory === undefined
    : ['context', 'action-group', 'divider', 'header', 'container', 'file', 'audio', 'video'].includes(
        module.type,
      )

function moduleOf(value: unknown, at: string, reading: Reading): Module {
  if (typeof value === 'string') return sectionOf({ text: value }, at)
  const module = plainAt(value, at)
  switch (module.type) {
    case 'header':
      return { type: 'header', text: plainText(module.text, `${at}.text`, limit.HEADER_MAX) }
    case 'section':
      return sectionOf(module, at)
    case 'image-group':
    case 'container':
      return {
        type: module.type,
        elements: list(module.elements, `${at}.elements`, 1, limit.IMAGES_MAX).map((each, index) =>
          imageOf(each, `${at}.elements[${index}]`),
        ),
      }
    case 'action-group':
      return {
        type: 'action-group',
        elements: list(module.elements, `${at}.elements`, 0, limit.BUTTONS_MAX).map((each, index) =>
          buttonOf(each, `${at}.elements[${index}]`),
        ),
      }
    case 'context':
      return {
        type: 'context',
        elements: list(module.elements, `${at}.elements`, 0, limit.CONTEXT_MAX).map((each, index) =>
          contextOf(each, `${at}.elements[${index}]`),
        ),
      }
    case 'divider':
      return { type: 'divider' }
    case 'file':
    case 'video':
    case 'audio':
      return fileOf(module.type, module, at, reading)
    case 'countdown':
      return countdownOf(module, at, reading)
    case 'invite':
      return { type: 'invite', code: inviteOf(module.code, `${at}.code`) }
    default:
      throw new Bad(`${at}.type`, isAbsent(module.type) ? 'missing' : 'unknown')
  }
}

function plainText(value: unknown, at: string, most: number = limit.PLAIN_MAX): PlainText {
  if (typeof value === 'string') return { type: 'plain-text', content: text(value, at, most), emoji: true }
  const it = plainAt(value, at)
  if (it.type !== 'plain-text')
    throw new Bad(`${at}.type`, isAbsent(it.type) ? 'missing' : it.type === 'kmarkdown' ? 'place' : 'unknown')
  return {
    type: 'plain-text',
    content: text(it.content, `${at}.content`, most),
    emoji: yes(it.emoji, `${at}.emoji`) ?? true,
  }
}

function words(value: unknown, at: string, most?: number): Words {
  if (isPlain(value) && value.type === 'kmarkdown')
    return {
      type: 'kmarkdown',
      content: text(value.content, `${at}.content`, most ?? limit.KMARKDOWN_MAX),
    }
  return plainText(value, at, most)
}

function sectionOf(module: Plain, at: string): Section {
  const inside = module.text
  const accessory = accessoryOf(module.accessory, `${at}.accessory`)
  const mode = choice(['left', 'right'], 'right', module.mode, `${at}.mode`)
  if (accessory?.type === 'button' && mode === 'left') throw new Bad(`${at}.mode`, 'place')
  return {
    type: 'section',
    mode,
    text:
      isPlain(inside) && inside.type === 'paragraph'
        ? paragraphOf(inside, `${at}.text`)
        : words(inside, `${at}.text`),
    ...(accessory && { accessory }),
  }
}

function accessoryOf(value: unknown, at: string): Image | Button | undefined {
  if (isAbsent(value)) return undefined
  const it = plainAt(value, at)
  if (it.type === 'image') return imageOf(it, at)
  if (it.type === 'button') return buttonOf(it, at)
  if (Object.keys(it).length === 0) return undefined
  throw new Bad(`${at}.type`, isAbsent(it.type) ? 'missing' : 'unknown')
}

function paragraphOf(input: Plain, at: string): Paragraph {
  const cols = isAbsent(input.cols) ? 1 : whole(input.cols, `${at}.cols`)
  if (cols < 1 || cols > limit.COLS_MAX) throw new Bad(`${at}.cols`, 'value')
  return {
    type: 'paragraph',
    cols,
    fields: list(input.fields, `${at}.fields`, 0, limit.FIELDS_MAX).map((each, index) =>
      words(each, `${at}.fields[${index}]`),
    ),
  }
}

function imageOf(value: unknown, at: string): Image {
  const it = plainAt(value, at)
  if (it.type !== 'image') throw new Bad(`${at}.type`, isAbsent(it.type) ? 'missing' : 'unknown')
  const fallback = isAbsent(it.fallbackUrl) || it.fallbackUrl === '' ? undefined : it.fallbackUrl
  return {
    type: 'image',
    src: source(it.src, `${at}.src`),
    alt: textOr('', it.alt, `${at}.alt`, limit.ALT_MAX),
    size: choice(['sm', 'lg'], 'lg', it.size, `${at}.size`),
    circle: yes(it.circle, `${at}.circle`) ?? false,
    ...(fallback !== undefined && { fallbackUrl: source(fallback, `${at}.fallbackUrl`) }),
  }
}

function buttonOf(value: unknown, at: string): Button {
  const it = plainAt(value, at)
  if (it.type !== 'button') throw new Bad(`${at}.type`, isAbsent(it.type) ? 'missing' : 'unknown')
  const click = choice(['', 'link', 'return-val'], '', it.click, `${at}.click`)
  const carried = textOr('', it.value, `${at}.value`, limit.VALUE_MAX)
  if (click === 'link' && !WEB.test(carried)) throw new Bad(`${at}.value`, 'value')
  return {
    type: 'button',
    theme: choice(themes, 'primary', it.theme, `${at}.theme`),
    text: words(it.text, `${at}.text`, limit.BUTTON_TEXT_MAX),
    value: carried,
    click,
    ...color(it.color, `${at}.color`),
  }
}

const contextOf = (value: unknown, at: string): Words | Image =>
  isPlain(value) && value.type === 'image' ? imageOf(value, at) : words(value, at)

const measures = ['size', 'duration', 'width', 'height'] as const

function fileOf(type: FileModule['type'], input: Plain, at: string, { sentAt }: Reading): FileModule {
  const cover = isAbsent(input.cover) || input.cover === '' ? undefined : input.cover
  const isOwnCover = type === 'audio' || sentAt === undefined
  return {
    type,
    src: source(input.src, `${at}.src`),
    title: textOr('', input.title, `${at}.title`, limit.TITLE_MAX),
    ...(cover !== undefined && isOwnCover && { cover: source(cover, `${at}.cover`) }),
    ...(sentAt === undefined && knownOf(input, at)),
  }
}

function knownOf(input: Plain, at: string): Known {
  const known: Record<string, unknown> = {}
  for (const name of measures) if (!isAbsent(input[name])) known[name] = number(input[name], `${at}.${name}`)
  for (const name of ['external', 'canDownload']) {
    const is = yes(input[name], `${at}.${name}`)
    if (is !== undefined) known[name] = is
  }
  return known
}

/** The mode `default` of chat.md means `second`. protocol.md §9.3. */
function countdownOf(input: Plain, at: string, { sentAt }: Reading): Countdown {
  if (isAbsent(input.mode)) throw new Bad(`${at}.mode`, 'missing')
  const chosen = choice(['day', 'hour', 'second', 'default'], 'second', input.mode, `${at}.mode`)
  const mode = chosen === 'default' ? 'second' : chosen
  const endTime = whole(input.endTime, `${at}.endTime`)
  if (sentAt !== undefined && endTime < sentAt) throw new Bad(`${at}.endTime`, 'past')
  if (mode !== 'second') return { type: 'countdown', mode, endTime }
  const startTime = isAbsent(input.startTime) ? sentAt : whole(input.startTime, `${at}.startTime`)
  if (startTime !== undefined && startTime >= endTime) throw new Bad(`${at}.startTime`, 'value')
  return { type: 'countdown', mode, endTime, ...(startTime !== undefined && { startTime }) }
}

function inviteOf(value: unknown, at: string): string {
  const code = codeIn(text(value, at, limit.VALUE_MAX))
  if (code === null) throw new Bad(at, 'value')
  return code
}
