/** Terms and privacy policy: the operator's, or those of the product. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { type Locale, locales } from '@guildhall/wire/locale.ts'
import type { AnswerOf } from '@guildhall/wire/route.ts'
import type { Block, siteDocument } from '@guildhall/wire/site/site.ts'
import type { DocumentName, SiteFace } from './folder.ts'
import { readMarkdown } from './markdown.ts'

const DIR = path.join(import.meta.dirname, '../documents')

/** The product's, each read once. */
const own = new Map<string, readonly Block[]>()

function ownWords(name: DocumentName, locale: Locale): readonly Block[] {
  const file = `${name}.${locale}.md`
  const blocks = own.get(file) ?? readMarkdown(readFileSync(path.join(DIR, file), 'utf8'))
  own.set(file, blocks)
  return blocks
}

/** An operator's document in one language stands for both: the product's would promise something else. */
export function documentOf(
  { documents }: Pick<SiteFace, 'documents'>,
  { name, locale }: { readonly name: DocumentName; readonly locale: Locale },
): AnswerOf<typeof siteDocument> {
  const given = documents[name]
  for (const each of [locale, ...locales]) {
    const blocks = given[each]
    if (blocks) return { locale: each, blocks: [...blocks] }
  }
  return { locale, blocks: [...ownWords(name, locale)] }
}
