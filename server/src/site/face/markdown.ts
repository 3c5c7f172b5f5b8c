/**
 * Markdown of the operator as blocks that the page draws: headings, paragraphs, lists, bold and links. There
 * is no HTML on the way, so that none can come out of it.
 */
import type { Block, Span } from '@guildhall/wire/site/site.ts'
import MarkdownIt, { type Token } from 'markdown-it'

/** Reads all that Markdown has, so that what is not drawn is refused instead of shown as its source. */
const parser = new MarkdownIt({ html: true })

/** Of tokens that are not drawn. */
const CALLED: Readonly<Record<string, string>> = {
  html_block: 'HTML',
  html_inline: 'HTML',
  image: 'a picture',
  table_open: 'a table',
  blockquote_open: 'a quotation',
  fence: 'code',
  code_block: 'code (four spaces at the beginning of a line)',
  code_inline: 'code',
  hr: 'a rule',
  s_open: 'struck text',
}

/** What is not drawn; the message goes on after the name of the file. */
export class NotDrawn extends Error {}

const isAddress = (href: string): boolean => /^(?:https?:\/\/|mailto:|tel:|\/(?!\/))/i.test(href)

/** @throws NotDrawn */
export function readMarkdown(text: string): readonly Block[] {
  const blocks: Block[] = []
  const lists: ('bullet' | 'number')[] = []
  let kind: Block['kind'] = 'words'
  for (const token of parser.parse(text, {})) {
    const line = (token.map?.[0] ?? 0) + 1
    if (token.type === 'inline') {
      const spans = spansOf(token.children ?? [], line)
      if (spans.length > 0) blocks.push({ kind, spans })
      // A second paragraph of an item belongs to it, and has no mark of its own.
      if (lists.length > 0) kind = 'words'
    } else if (token.type === 'heading_open') kind = token.tag === 'h1' ? 'title' : 'heading'
    else if (token.type === 'paragraph_open' && lists.length === 0) kind = 'words'
    else if (token.type === 'bullet_list_open') lists.push('bullet')
    else if (token.type === 'ordered_list_open') lists.push('number')
    else if (/_list_close$/.test(token.type)) lists.pop()
    else if (token.type === 'list_item_open') kind = lists.at(-1)!
    else if (!/^(?:list_item|heading|paragraph)_(?:open|close)$/.test(token.type)) throw notDrawn(token, line)
  }
  return blocks
}

function spansOf(tokens: readonly Token[], line: number): Span[] {
  const spans: Span[] = []
  let bold = 0
  let url = ''
  const add = (text: string) => {
    const last = spans.at(-1)
    if (text === '') return
    if (last && last.bold === bold > 0 && last.url === url)
      spans[spans.length - 1] = { ...last, text: last.text + text }
    else spans.push({ text, bold: bold > 0, url })
  }
  for (const token of tokens) {
    if (token.type === 'text') add(token.content)
    else if (token.type === 'softbreak') add('\n')
    else if (token.type === 'hardbreak') add('\n')
    else if (/^(?:strong|em)_open$/.test(token.type)) bold += 1
    else if (/^(?:strong|em)_close$/.test(token.type)) bold -= 1
    else if (token.type === 'link_close') url = ''
    else if (token.type === 'link_open') {
      url = String(token.attrGet('href') ?? '')
      if (!isAddress(url))
        throw new NotDrawn(
          `leads to "${url}" on line ${line}: links are https://, mailto:, tel: or a path of this site.`,
        )
    } else throw notDrawn(token, line)
  }
  return spans
}

const notDrawn = ({ type }: Token, line: number): NotDrawn =>
  new NotDrawn(
    `has ${CALLED[type] ?? type} on line ${line}, which is not shown: there are headings, paragraphs, lists, bold and links.`,
  )
