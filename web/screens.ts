/** What the build makes of the table of pages for the page's router: `wire/src/pages.ts`. */
import path from 'node:path'
import { accountPages, otherPages, type Page } from '@guildhall/wire/pages.ts'
import type { Plugin } from 'vite'

/** What the router of the page needs, and what its shell needs. */
export const APP = 'src/app/App.tsx'
export const FRAME = 'src/app/shell/Shell.tsx'
export const SHELL = [FRAME, 'src/app/preload.ts']
/** What draws the pages of the account and the shop. */
export const ACCOUNT = 'src/app/AccountPages.tsx'
/** What stands around a room in a wide window. */
export const DESK = ['DeskFrame', 'LeftColumns', 'MembersColumn'].map((it) => `src/app/desk/${it}.tsx`)

/** The file of a page's screen, below `web`. */
export const screenFile = ({ screen }: Page): string => `src/${screen}.tsx`

type Pages = Readonly<Record<string, Page>>

/** The generated modules, by name. */
const MODULES: Readonly<Record<string, () => string>> = {
  'virtual:account-pages': () => screensSource(accountPages),
  'virtual:other-pages': () => screensSource(otherPages),
}

/**
 * Generates lists of addresses with their screens, and nothing else of the table. What the first file needs
 * is put into it as it is: a module would come with a file of its own.
 */
export function screens(): Plugin {
  return {
    name: 'screens',
    config: () => ({
      define: { ACCOUNT_ADDRESSES: JSON.stringify(beginnings(Object.keys(accountPages))) },
    }),
    resolveId: (id) => (id in MODULES ? `\0${id}` : null),
    load: (id) => MODULES[id.replace('\0', '')]?.() ?? null,
  }
}

/** A module with `[address, screen]` of each page; the code of a screen is loaded when it is first shown. */
export function screensSource(pages: Pages): string {
  const at = (file: string) => JSON.stringify(path.posix.join(import.meta.dirname, file))
  const lines = [`import { screen } from ${at('src/app/screen.tsx')}`]
  // Addresses that share a screen keep it when somebody goes from one to the other.
  const names = new Map<string, string>()
  for (const page of Object.values(pages)) {
    const file = screenFile(page)
    if (names.has(file)) continue
    const name = `Screen${names.size}`
    names.set(file, name)
    lines.push(
      page.comesWithList
        ? `import ${name} from ${at(file)}`
        : `const ${name} = screen(() => import(${at(file)}))`,
    )
  }
  const rows = Object.entries(pages).map(
    ([address, page]) => `  [${JSON.stringify(address)}, ${names.get(screenFile(page))}],`,
  )
  return [...lines, 'export default [', ...rows, ']'].join('\n')
}

/** Few patterns that match all of these addresses: `/account/*` for all that begin so. */
export function beginnings(addresses: readonly string[]): string[] {
  const firsts = addresses.map((it) => it.split('/')[1] ?? '')
  const isDeep = (first: string) => addresses.some((it) => it.startsWith(`/${first}/`))
  return [...new Set(firsts)].map((first) => (isDeep(first) ? `/${first}/*` : `/${first}`))
}
