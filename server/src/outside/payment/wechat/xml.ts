/**
 * The XML of WeChat Pay's version 2: one element with elements of text in it. What else XML has is refused:
 * attributes, elements in elements, comments, declarations, entities of one's own. Pure.
 */

/** Texts by the names of their elements. */
export type WechatFields = ReadonlyMap<string, string>

/** The longest that is read, bytes; real ones have about 1000. */
const BYTES_MAX = 16 * 1024
const FIELDS_MAX = 64

const OPEN = /\s*<xml>/y
const FIELD =
  /\s*<([A-Za-z_]\w{0,63})>(?:\s*<!\[CDATA\[((?:(?!\]\]>)[\s\S])*)\]\]>\s*|((?:[^<&]|&(?:lt|gt|amp|quot|apos);)*))<\/\1>/y
const CLOSE = /\s*<\/xml>\s*$/y
const REFERENCES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
  '&quot;': '"',
  '&apos;': "'",
}
/** What a text of XML cannot have. */
const FORBIDDEN = /[^\P{Cc}\t\n\r]|[\uFFFE\uFFFF]/u

/** Whether bytes want to be XML, and not JSON. A mark of the byte order is a space. */
export const isXml = (bytes: Uint8Array): boolean =>
  /^\s*</.test(Buffer.from(bytes.subarray(0, 64)).toString())

/** Null for everything that is not of this form, and for a name that is there twice. */
export function readWechatXml(bytes: Uint8Array): WechatFields | null {
  const text = bytes.length <= BYTES_MAX ? textOf(bytes) : null
  if (text === null || FORBIDDEN.test(text)) return null
  const fields = new Map<string, string>()
  let at = end(OPEN, text, 0)
  while (at !== null) {
    FIELD.lastIndex = at
    const found = FIELD.exec(text)
    if (!found) break
    const [, name = '', verbatim, written = ''] = found
    if (fields.has(name) || fields.size === FIELDS_MAX) return null
    fields.set(name, verbatim ?? written.replace(/&\w+;/g, (it) => REFERENCES[it] ?? it))
    at = FIELD.lastIndex
  }
  return at !== null && end(CLOSE, text, at) !== null ? fields : null
}

/** As WeChat takes it. */
export const writeWechatXml = (fields: Readonly<Record<string, string>>): string =>
  `<xml>${Object.entries(fields)
    .map(([name, value]) => `<${name}>${escaped(value)}</${name}>`)
    .join('')}</xml>`

const escaped = (text: string): string =>
  text.replace(/[&<>]/g, (it) => ({ '&': '&amp;', '<': '&lt;' })[it] ?? '&gt;')

function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

/** Where a pattern ends that has to be at an index; null: it is not there. */
function end(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : null
}
