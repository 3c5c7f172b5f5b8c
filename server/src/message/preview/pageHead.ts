/** Metadata in the head of a web page: OpenGraph, the older meta tags, and the title. */

import type { Bytes } from '@guildhall/wire/unit.ts'
import { withoutOverrides } from '@guildhall/wire/visible.ts'
import { Parser } from 'htmlparser2'
import type { SafeFetchResponse } from '../../outside/safeFetch.ts'

/** Bytes of a page that are read. */
const HEAD_MAX: Bytes = 512 * 1024
/** Bytes in which a page may declare its encoding. */
const CHARSET_WITHIN: Bytes = 4_096
/** The greatest depth of elements that is parsed. */
const DEPTH_MAX = 64
/** The size of a parsed chunk, UTF-16 units; after each it is checked whether the head has ended. */
const PIECE = 4_096
/** Different meta names that are stored. */
const SAID_MAX = 200

const TITLE_MAX = 200
const DESCRIPTION_MAX = 400
const SITE_NAME_MAX = 60
/** UTF-16 units of anything that is not shown. */
const VALUE_MAX = 2_048

/** Byte order marks, as hex, and the encoding of each. */
const MARKS = [
  ['efbbbf', 'utf-8'],
  ['feff', 'utf-16be'],
  ['fffe', 'utf-16le'],
] as const

const HTML = new Set(['text/html', 'application/xhtml+xml'])

export interface Page {
  /** The address after redirects. */
  readonly url: URL
  /** Cleaned for display, `''` when it has none; so are the next two. */
  readonly title: string
  readonly description: string
  readonly siteName: string
  /** `#rrggbb`, or `''`. */
  readonly themeColor: string
  /** The absolute address of its picture; null without one. */
  readonly image: string | null
  /** Other metadata by name in lower case: the first value of each. */
  readonly said: ReadonlyMap<string, string>
}

export const isPage = ({ mime }: Pick<SafeFetchResponse, 'mime'>): boolean => HTML.has(mime)

/**
 * Reads the head of a page while it arrives, and no further.
 * @throws Unreachable
 */
export async function readPage(answer: SafeFetchResponse): Promise<Page> {
  const bytes = await headBytes(answer)
  return pageOf(bytes, answer)
}

async function headBytes({ body }: SafeFetchResponse): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    length += chunk.length
    if (length >= HEAD_MAX) break
  }
  return Buffer.concat(chunks).subarray(0, HEAD_MAX)
}

/** The metadata in the first bytes of a page. Never throws. */
export function pageOf(bytes: Buffer, { url, charset }: Pick<SafeFetchResponse, 'url' | 'charset'>): Page {
  const said = headOf(decoded(bytes, charset))
  const first = (...names: string[]): string => {
    for (const name of names) {
      const value = said.get(name)
      if (value) return value
    }
    return ''
  }
  return {
    url,
    title: tidy(first('og:title', 'twitter:title', 'title'), TITLE_MAX),
    description: tidy(first('og:description', 'twitter:description', 'description'), DESCRIPTION_MAX),
    siteName: tidy(first('og:site_name', 'application-name') || hostOf(url), SITE_NAME_MAX),
    themeColor: colorOf(first('theme-color')),
    image: addressOf(
      first('og:image:secure_url', 'og:image', 'og:image:url', 'twitter:image', 'twitter:image:src'),
      url,
    ),
    said,
  }
}

/** Decodes bytes: by their byte order mark, else the Content-Type, else the page's own declaration. */
function decoded(bytes: Buffer, charset: string | null): string {
  const named = /<meta[^>]{1,200}?charset\s*=\s*["']?\s*([\w.:-]{1,40})/i.exec(
    bytes.toString('latin1', 0, CHARSET_WITHIN),
  )?.[1]
  const begin = bytes.toString('hex', 0, 3)
  const marked = MARKS.find(([mark]) => begin.startsWith(mark))?.[1]
  for (const label of [marked, charset, named]) {
    if (!label) continue
    try {
      return new TextDecoder(label).decode(bytes)
    } catch {
      // Unknown encoding: the next candidate may be right.
    }
  }
  return new TextDecoder().decode(bytes)
}

/** The values of `<meta>` and `<title>` in a head. */
function headOf(html: string): Map<string, string> {
  const said = new Map<string, string>()
  const add = (name: string, value: string) => {
    if (said.size < SAID_MAX && value !== '' && !said.has(name)) said.set(name, value.slice(0, VALUE_MAX))
  }
  let depth = 0
  let title: string | null = null
  let isOver = false
  const parser = new Parser({
    onopentag(name, { property, name: called, itemprop, content }) {
      if (isOver) return
      depth += 1
      const key = property ?? called ?? itemprop
      if (name === 'meta' && key && content) add(key.trim().toLowerCase(), content)
      if (name === 'title' && !said.has('title')) title = ''
      if (name === 'body' || depth > DEPTH_MAX) isOver = true
    },
    ontext(piece) {
      if (title !== null && title.length < VALUE_MAX) title += piece
    },
    onclosetag(name) {
      depth -= 1
      if (name === 'title' && title !== null) {
        add('title', title)
        title = null
      }
      if (name === 'head') isOver = true
    },
  })
  for (let at = 0; at < html.length && !isOver; at += PIECE) parser.write(html.slice(at, at + PIECE))
  return said
}

/** Cleaned for one line: without bidirectional overrides and line breaks, and of bounded length. */
function tidy(text: string, most: number): string {
  const line = withoutOverrides(text).replace(/[\p{Cc}\s]+/gu, ' ')
  const clean = line.trim().toWellFormed()
  return clean.length <= most ? clean : `${clean.slice(0, most - 1).toWellFormed()}…`
}

const hostOf = ({ hostname }: URL): string => hostname.replace(/^www\./, '')

function colorOf(text: string): string {
  const [, digits] = /^#([\da-f]{3}|[\da-f]{6})$/i.exec(text.trim()) ?? []
  if (!digits) return ''
  return `#${digits.length === 3 ? [...digits].map((each) => each + each).join('') : digits}`.toLowerCase()
}

function addressOf(text: string, base: URL): string | null {
  const written = text.trim()
  if (written === '' || !URL.canParse(written, base.href)) return null
  const { protocol, href } = new URL(written, base.href)
  return protocol === 'http:' || protocol === 'https:' ? href : null
}
