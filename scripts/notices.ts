/**
 * Writes `web/src/site/notices.txt`, which `/licenses` shows: the packages that are shipped, with the texts
 * of their licences. With `--check` it says whether the file is up to date.
 */
import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'

const ROOT = path.dirname(import.meta.dirname)
const FILE = 'web/src/site/notices.txt'

/** Development packages of which something is in the built page: data, and the bundler's own few lines. */
const IN_THE_PAGE = ['emojibase-data', 'rolldown', 'vite']
/** What is in the tree itself and has a licence of its own; `file`: its text. */
const IN_THE_TREE = [
  {
    name: 'Outlines of the characters of idioms, of hanzi-writer-data',
    version: '2.0.1',
    licence: 'Arphic Public License',
    file: 'server/src/captcha/glyphs/ARPHICPL.TXT',
  },
]
/** A package says here what others are bundled into it; nothing of them is in the page. */
const OTHERS_BUNDLED = /\n# Licenses of bundled dependencies\n[\s\S]*/

export interface Notice {
  readonly name: string
  readonly version: string
  /** By its SPDX name; null: the package names none. */
  readonly licence: string | null
  /** Empty: the package has no file of it. */
  readonly texts: readonly string[]
  readonly author?: string
}

interface LockedPackage {
  readonly version: string
  readonly license?: string
  readonly dev?: true
  readonly link?: true
  readonly optional?: true
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
}

const label = ({ name, version }: Notice) => `${name} ${version}`

/** The whole page: a list of all, then each text once, with those that it stands for. */
export function noticesText(notices: readonly Notice[]): string {
  const sorted = [...new Map(notices.map((it) => [label(it), it])).values()].toSorted((a, b) =>
    label(a) < label(b) ? -1 : 1,
  )
  const lines = sorted.map((it) => {
    const by = it.texts.length === 0 && it.author ? `, by ${it.author}` : ''
    return `${label(it)}: ${it.licence ?? 'no licence is named'}${by}`
  })
  const texts = [...textsOf(sorted)].map(
    ([text, holders]) => `${'-'.repeat(72)}\n${holders.map(label).join(', ')}\n\n${text}\n`,
  )
  return `${[...lines, ''].join('\n')}\n${texts.join('\n')}`
}

/** Each text with those that have it. Two are one when only spaces, line ends or capitals differ. */
function textsOf(notices: readonly Notice[]): Map<string, Notice[]> {
  const first = new Map<string, string>()
  const holders = new Map<string, Notice[]>()
  for (const it of notices)
    for (const text of it.texts.map(plain)) {
      const words = text.toLowerCase().replace(/\s+/g, ' ')
      const shown = first.get(words) ?? text
      first.set(words, shown)
      holders.set(shown, [...(holders.get(shown) ?? []), it])
    }
  return holders
}

/** With line ends of one kind, and nothing behind the last word of a line. */
const plain = (text: string): string =>
  text
    .replace(/^\ufeff/, '')
    .replace(/\s*?\r?\n|\r/g, '\n')
    .trim()

/** What is shipped, as `package-lock.json` and the installed packages say. */
async function shipped(): Promise<Notice[]> {
  const lock = JSON.parse(await readFile(path.join(ROOT, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, LockedPackage>>
  }
  const isShipped = (folder: string, { dev, link }: LockedPackage) =>
    !link && (!dev || IN_THE_PAGE.some((name) => folder === `node_modules/${name}`))
  const packages = Object.entries(lock.packages).filter(
    ([folder, locked]) => folder.includes('node_modules/') && isShipped(folder, locked),
  )
  const tree = IN_THE_TREE.map(async ({ file, ...named }) => ({
    ...named,
    texts: [await readFile(path.join(ROOT, file), 'utf8')],
  }))
  return Promise.all([...tree, ...packages.map(([folder, locked]) => noticeOf(folder, locked))])
}

async function noticeOf(folder: string, { version, license, ...locked }: LockedPackage): Promise<Notice> {
  const name = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length)
  const known = { name, version, licence: license ?? null }
  const from = path.join(ROOT, folder)
  const isThere = existsSync(from)
  // The file must not depend on the machine that writes it.
  if (locked.os || locked.cpu || (locked.optional && !isThere)) return { ...known, texts: [] }
  if (!isThere) throw new Error(`${folder} is not installed: npm ci, then again.`)
  const { author } = JSON.parse(await readFile(path.join(from, 'package.json'), 'utf8')) as {
    readonly author?: string | { readonly name?: string }
  }
  const by = typeof author === 'string' ? author.replace(/\s*[<(].*/, '') : author?.name
  return { ...known, texts: await textsIn(from), ...(by && { author: by }) }
}

async function textsIn(folder: string): Promise<string[]> {
  const found = (await readdir(folder, { withFileTypes: true }))
    .filter(({ name }) => /^(?:(?:un)?licen[cs]e|copying|notice)/i.test(name))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const texts = await Promise.all(
    found.map(async (entry) => {
      const file = path.join(folder, entry.name)
      if (!entry.isDirectory()) return [(await readFile(file, 'utf8')).replace(OTHERS_BUNDLED, '')]
      const names = (await readdir(file)).toSorted()
      return Promise.all(names.map((name) => readFile(path.join(file, name), 'utf8')))
    }),
  )
  return texts.flat()
}

/**
 * Whether the written file is another than would be written. @throws Error when a package is not installed
 */
export async function isNoticesFileStale(): Promise<boolean> {
  const written = await readFile(path.join(ROOT, FILE), 'utf8').catch(() => '')
  return written.replaceAll('\r\n', '\n') !== noticesText(await shipped())
}

if (import.meta.main) {
  const isStale = await isNoticesFileStale()
  if (process.argv.includes('--check')) {
    if (isStale) console.error(`${FILE} is out of date: run \`npx node scripts/notices.ts\`.`)
    process.exitCode = isStale ? 1 : 0
  } else if (isStale) {
    await writeFile(path.join(ROOT, FILE), noticesText(await shipped()))
    console.log(`wrote ${FILE}`)
  }
}
