/**
 * Finds the messages that match, newest first. The index is asked for one span of time after the other, back
 * from now, so that a word which is everywhere costs no more than one that is rare.
 */

import { readCards } from '@guildhall/wire/card/card.ts'
import type { Card } from '@guildhall/wire/card/node.ts'
import { typedIn } from '@guildhall/wire/card/textOfCards.ts'
import type { FILE_KINDS, Mark } from '@guildhall/wire/search/search.ts'
import { DAY_MS } from '@guildhall/wire/unit.ts'
import type { SearchedRow, SearchFilter, SearchPosition } from '../message/message.ts'
import { anyOf, quoted } from './lexemes.ts'
import type { Reader } from './reader.ts'
import { joined, type Sought } from './terms.ts'

/** Candidates that are read and compared at once. */
const READ_AT_ONCE = 1100
/** A span should have about so many candidates. */
const WANTED = 1500
/**
 * Longer spans are asked by months, and the longest without: each alternative costs time for each
 * candidate.
 */
const DAYS_MAX = 8
const MONTHS_MAX = 13
const MONTH_MS = 30 * DAY_MS

type FileKind = (typeof FILE_KINDS)[number]

/** A message that matches. */
export interface Hit extends SearchPosition, Pick<SearchedRow, 'updated_at'> {
  readonly marks: readonly Mark[]
  /** How well it fits; the more the better. */
  readonly fit: number
}

/** The messages of one table in the scope of the asker. */
export interface Source {
  /** The lexemes of its guilds or chats. */
  readonly scopes: readonly string[]
  /** What narrows the scopes down to what the asker may view; empty: nothing does. */
  readonly within: string
  /** When its newest message was sent, ms: not always before now, as clocks go back. */
  readonly newest: number
  readonly read: (filter: SearchFilter, limit: number) => Promise<SearchedRow[]>
}

export interface Wanted {
  readonly sought: readonly Sought[]
  readonly filter: Omit<SearchFilter, 'conditions' | 'before'>
  readonly before: SearchPosition | null
  /** Has one of these. */
  readonly kinds: readonly FileKind[]
  /** No more are looked for. */
  readonly most: number
  /** No more candidates are read. */
  readonly mostRead: number
}

/** Hits, newest first. `isAll`: everything was read that they could be among. */
export interface Found {
  readonly hits: readonly Hit[]
  readonly isAll: boolean
}

/** Hits of one source, at most `most`. */
export async function findIn(source: Source, wanted: Wanted, reader: Reader): Promise<Found> {
  const hits: Hit[] = []
  const having = [
    ...wanted.sought.flatMap(({ condition }) => condition ?? []),
    ...wanted.filter.has.flatMap((it) => (it === 'pin' || it === 'reaction' ? [] : [quoted(`#k${it}`)])),
    ...(wanted.kinds.length > 0 ? [anyOf(wanted.kinds.map((kind) => quoted(`#k${kind}`)))] : []),
  ]
  let { before } = wanted
  let until = Math.min(wanted.filter.until, (before?.create_at ?? source.newest) + 1)
  let span = DAY_MS
  let read = 0
  while (hits.length < wanted.most && until > wanted.filter.since && read < wanted.mostRead) {
    const since = Math.max(wanted.filter.since, until - span)
    const conditions = [...having, ...spanConditions(source, since, until)]
    const rows = await source.read({ ...wanted.filter, since, until, before, conditions }, READ_AT_ONCE)
    for (const row of rows) {
      const hit = hitOf(row, wanted.sought, reader)
      if (hit && hits.length < wanted.most) hits.push(hit)
    }
    read += rows.length
    before = rows.at(-1) ?? before
    if (rows.length === READ_AT_ONCE) continue
    until = since
    span = nextSpan(span, rows.length)
  }
  return { hits, isAll: until <= wanted.filter.since }
}

/**
 * As long as a span should be that has enough, as far as the last one shows; all that is left when it had
 * none.
 */
function nextSpan(span: number, found: number): number {
  if (found === 0) return Number.MAX_SAFE_INTEGER
  return span * Math.min(LONGER_MOST, Math.max(2, Math.ceil(WANTED / found)))
}

/** A span is at most so many times as long as the one before. */
const LONGER_MOST = 100

/** More alternatives of scope and month cost more than they save. */
const SCOPES_MAX = 200

/**
 * The conditions of a span of time in some scopes: for each scope the months that the span touches, where
 * that is not too much, and the days. Of a very long time there is none.
 */
function spanConditions({ scopes, within }: Source, since: number, until: number): string[] {
  const months = numbersBetween(since, until, MONTH_MS)
  const days = numbersBetween(since, until, DAY_MS)
  const isMonths = months.length <= MONTHS_MAX
  const inMonths = isMonths && months.length * scopes.length <= SCOPES_MAX
  const where = inMonths ? scopes.flatMap((scope) => months.map((month) => `${scope}.${month}`)) : scopes
  const conditions = [anyOf(where.map(quoted)) + within]
  if (days.length <= DAYS_MAX) conditions.push(anyOf(days.map((day) => quoted(`#d${day}`))))
  else if (isMonths && !inMonths) conditions.push(anyOf(months.map((month) => quoted(`#m${month}`))))
  return conditions
}

/** The numbers of the days or months that a span touches, and one more than `MONTHS_MAX` of more. */
function numbersBetween(since: number, until: number, unit: number): number[] {
  const first = Math.floor(since / unit)
  const count = Math.min(MONTHS_MAX + 1, Math.floor((until - 1) / unit) - first + 1)
  return Array.from({ length: count }, (_, index) => first + index)
}

/** Null: it does not match, although it has all lexemes. */
export function hitOf(row: SearchedRow, sought: readonly Sought[], reader: Reader): Hit | null {
  const words = reader.units(row.raw_content)
  const others = othersOf(row).map((text) => reader.units(text))
  const marks: Mark[] = []
  let fit = 0
  for (const each of sought) {
    const here = each.marksOf(words)
    const elsewhere = here.length > 0 ? 0 : others.reduce((sum, it) => sum + each.marksOf(it).length, 0)
    if (here.length + elsewhere === 0) return null
    marks.push(...here)
    fit += Math.min(here.length + elsewhere, OFTEN) / (1 + words.length / SHORT)
  }
  const { create_at, updated_at, seq, id } = row
  return { create_at, updated_at, seq, id, marks: joined(marks), fit }
}

/** A word that is there more often makes a message fit no better. */
const OFTEN = 3
/** In a message of so many characters a word counts half as much as where it stands alone. */
const SHORT = 30

const titlesIn = (cards: readonly Card[]): string[] =>
  cards.flatMap(({ modules }) => modules.flatMap((module) => ('title' in module ? [module.title] : [])))

/** What is searched besides the words of a message. Marks are shown in those alone. */
function othersOf({ cards, file_name, titles }: SearchedRow): string[] {
  const read = cards === null ? null : readCards(cards)
  return [
    ...(read && 'cards' in read ? [...typedIn(read.cards), ...titlesIn(read.cards)] : []),
    ...(file_name === null ? [] : [file_name]),
    ...titles.filter((title) => typeof title === 'string'),
  ].map((text) => text.normalize('NFC'))
}
