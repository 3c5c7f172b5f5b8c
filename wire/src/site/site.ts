/** Calls of the site itself. */
import { locales } from '../locale.ts'
import { route } from '../route.ts'
import { type Out, text, z } from '../schema.ts'

/**
 * The newest app for a platform: its address in the store and its version, both empty where the operator set
 * none. chat.md §7 and §9 "Platform store links".
 */
export const latestVersion = route({
  method: 'GET',
  path: '/api/v2/updates/latest-version',
  dialect: 'v2',
  who: 'anyone',
  input: z.object({ platform: text(20, 1) }),
  answer: z.object({ url: z.string(), version: z.string() }),
  fails: [],
})

/**
 * What the operator has set of the native app and of the lines on the pages. Texts and addresses are empty
 * where nothing is set.
 */
export const siteInfo = route({
  method: 'GET',
  path: '/api/v3/site/info',
  dialect: 'v3',
  who: 'anyone',
  input: z.object({}),
  answer: z.object({
    app: z.object({
      /** Of the app's own addresses, without `:`. */
      scheme: z.string(),
      version: z.string(),
      /** Addresses in the stores. */
      ios_url: z.string(),
      android_url: z.string(),
      /** Whether addresses of this site open the iOS app (universal links). */
      ios_links: z.boolean(),
      /** The package whose app links are set up. */
      android_package: z.string(),
      /** The app's id at WeChat's open platform: pages in WeChat open it by its tag. */
      wechat_app_id: z.string(),
    }),
    /** The line for business contacts. */
    contact: z.string(),
    copyright: z.string(),
    /** Registration notices; `url`: where one can be checked. */
    records: z.array(z.object({ text: z.string(), url: z.string() })),
  }),
  fails: [],
})

/** A piece of a document's words; `url`: where it leads, empty where it is no link. */
const span = z.object({ text: z.string(), bold: z.boolean(), url: z.string() })
export type Span = Out<typeof span>

/** A part of a document: a heading, a paragraph, or an item of a list. Lines may end within its words. */
const block = z.object({
  kind: z.enum(['title', 'heading', 'words', 'bullet', 'number']),
  spans: z.array(span),
})
export type Block = Out<typeof block>

/** What one agrees to by registering. */
export const documentNames = ['terms', 'privacy'] as const

/**
 * A document of the site, the operator's own or the product's. `locale`: in which language it is, another one
 * where the operator has it in one language alone.
 */
export const siteDocument = route({
  method: 'GET',
  path: '/api/v3/site/document',
  dialect: 'v3',
  who: 'anyone',
  input: z.object({ name: z.enum(documentNames), locale: z.enum(locales) }),
  answer: z.object({ locale: z.enum(locales), blocks: z.array(block) }),
  fails: [],
})
