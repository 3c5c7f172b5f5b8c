/** What products are called in other languages than the default one. Ours. */
import { defaultLocale, type Locale } from '../locale.ts'
import { type Out, text, z } from '../schema.ts'
import { readWords } from '../words.ts'

export const PRODUCT_NAME_MAX = 60
export const LABEL_MAX = 20
export const TIP_MAX = 200

/** What a product says in one language; what is empty is said in the default one. */
const productWords = z.object({
  name: text(PRODUCT_NAME_MAX, 0, readWords),
  discount_label: text(LABEL_MAX, 0, readWords),
  buy_tip: text(TIP_MAX, 0, readWords),
})
export type ProductWords = Out<typeof productWords>
/** The most characters of each of them. */
export const productWordMax: Readonly<Record<keyof ProductWords, number>> = {
  name: PRODUCT_NAME_MAX,
  discount_label: LABEL_MAX,
  buy_tip: TIP_MAX,
}

type OtherLocale = Exclude<Locale, typeof defaultLocale>
const byLocale = { en: z.optional(productWords) } satisfies Record<OtherLocale, unknown>
/** What a product says in other languages than the default one. Ours. */
export const productTranslations = z.object(byLocale)
export type ProductTranslations = Out<typeof productTranslations>

/** One word of a product in a language. */
export function wordIn<F extends keyof ProductWords>(
  of: Readonly<Partial<Record<F, string>>> & { readonly translations: ProductTranslations },
  field: F,
  locale: Locale,
): string {
  const translated = locale === defaultLocale ? '' : of.translations[locale]?.[field]
  return translated || (of[field] ?? '')
}
