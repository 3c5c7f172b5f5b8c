import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { defaultLocale, type Locale, locales } from '@guildhall/wire/locale.ts'
import type { Plugin } from 'vite'
import { TONES, toned } from './src/emoji/tone.ts'

/** The name of the module that the build generates. */
const NAME = 'virtual:emoji-catalogue'
/** Few phones have newer emoji. The server accepts them. */
const VERSION_MAX = 15.1
/** Skin tones and hair alone. */
const COMPONENTS = 2

interface Entry {
  readonly emoji: string
  readonly hexcode: string
  readonly label: string
  readonly tags?: readonly string[]
  readonly group?: number
  readonly order: number
  readonly version: number
  readonly skins?: readonly { readonly emoji: string; readonly tone: number | readonly number[] }[]
}
type Shortcodes = Readonly<Record<string, string | readonly string[]>>

const require = createRequire(import.meta.url)
const read = <T>(file: string): T =>
  JSON.parse(readFileSync(require.resolve(`emojibase-data/${file}`), 'utf8')) as T

/** The package names its folders by language alone. */
const entriesOf = (locale: Locale) => read<Entry[]>(`${locale.split('-')[0]}/data.json`)

/**
 * The package adds a variation selector where Unicode's list has none. The list decides, as on the server.
 */
const canonical = (characters: string): string =>
  [characters, characters.replace(/\ufe0f$/, '')].find((it) => /^\p{RGI_Emoji}$/v.test(it)) ?? characters

/**
 * Unicode's emoji in their order, each as `[characters, group, version, has tones, a name in each locale,
 * keywords]`; the keywords are separated by spaces.
 */
export function emojiRows(): unknown[][] {
  const byLocale = locales.map((locale) => new Map(entriesOf(locale).map((it) => [it.hexcode, it])))
  const shortcodes = ['emojibase', 'github'].map((name) => read<Shortcodes>(`en/shortcodes/${name}.json`))
  return entriesOf(defaultLocale)
    .filter((it) => it.group !== undefined && it.group !== COMPONENTS && it.version <= VERSION_MAX)
    .toSorted((a, b) => a.order - b.order)
    .map((it) => {
      const entries = byLocale.map((entries) => entries.get(it.hexcode))
      const codes = shortcodes.flatMap((known) => known[it.hexcode] ?? [])
      const [tags, ...others] = entries.map((entry) => entry?.tags ?? [])
      const keywords = [...(tags ?? []), ...codes, ...others.flat()]
      const tones = it.skins?.filter(({ tone }) => typeof tone === 'number') ?? []
      const characters = canonical(it.emoji)
      const hasTones = TONES.every((tone, i) => tones[i]?.emoji === toned(characters, tone))
      return [
        characters,
        it.group,
        it.version,
        hasTones ? 1 : 0,
        entries.map((entry) => entry?.label ?? ''),
        [...new Set(keywords)].join(' ').toLowerCase(),
      ]
    })
}

/** Generates the emoji catalogue from the data package, with only the fields that the page uses. */
export function emojiCatalogue(): Plugin {
  return {
    name: 'emoji-catalogue',
    resolveId: (id) => (id === NAME ? `\0${NAME}` : null),
    load: (id) =>
      id === `\0${NAME}` ? `export default JSON.parse(${JSON.stringify(JSON.stringify(emojiRows()))})` : null,
  }
}
