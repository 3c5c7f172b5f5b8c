/** Terms and privacy policy: the operator's, or those of the product. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { type Locale, locales } from '@guildhall/wire/locale.ts'
import type { AnswerOf } from '@guildhall/wire/route.ts'
import type { siteDocument } from '@guildhall/wire/site/site.ts'
import type { DocumentName, SiteFace } from './folder.ts'
import { readMarkdown } from './markdown.ts'

const DIR = path.join(import.meta.dirname, '../documents')

const ownWords = (name: DocumentName, locale: Locale) =>
  readMarkdown(readFileSync(path.join(DIR, `${name}.${locale}.md`), 'utf8'))

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
