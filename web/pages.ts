import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { userState } from '@guildhall/wire/auth/userState.ts'
import { viewGuild } from '@guildhall/wire/channel/channel.ts'
import { listGuilds } from '@guildhall/wire/guild/guild.ts'
import { history } from '@guildhall/wire/message/message.ts'
import { listUnread, listWaiting } from '@guildhall/wire/message/readMark.ts'
import {
  ACCOUNT_DOCUMENT,
  firstPages,
  type Page,
  SHELL_DOCUMENT,
  SHOP_DOCUMENT,
  shellPages,
} from '@guildhall/wire/pages.ts'
import { build, minifySync, type Plugin, transformWithOxc } from 'vite'
import { scopedClassName } from './classNames.ts'
import { floorNotice } from './floor.ts'
import { preact } from './preact.ts'
import { ACCOUNT, APP, DESK, FRAME, SHELL, screenFile } from './screens.ts'

type Bundle = Parameters<Extract<NonNullable<Plugin['generateBundle']>, (...args: never[]) => unknown>>[1]
type Chunk = Extract<Bundle[string], { type: 'chunk' }>

/** The markup that documents show until their scripts have run, by the name of the document. */
type Skeletons = Readonly<Record<string, string>>

/** A document that the server sends, and the chunks that it loads at once. */
interface ServedDocument {
  readonly file: string
  readonly entries: readonly string[]
  /** It has columns around it in a wide window. */
  readonly hasColumns: boolean
}

/** The documents of the table of pages; `index.html` serves all others. */
function documents(): readonly ServedDocument[] {
  const documents = new Map<string, ServedDocument>()
  const add = (file: string, entries: readonly string[], hasColumns: boolean) =>
    documents.set(file, { file, entries, hasColumns })
  add('index.html', [APP], false)
  for (const page of Object.values<Page>(firstPages))
    if (page.document) add(page.document, [...(page.startsAlone ? [] : [APP]), screenFile(page)], false)
  for (const page of Object.values<Page>(shellPages))
    if (page.document) add(page.document, [APP, ...SHELL, screenFile(page)], true)
  add(SHELL_DOCUMENT, [APP, ...SHELL], true)
  for (const file of [ACCOUNT_DOCUMENT, SHOP_DOCUMENT]) add(file, [APP, FRAME, ACCOUNT], true)
  return [...documents.values()]
}

/**
 * What `src/app/served/beforePaint.ts` requests. The paths are those of the contract, as `src/kit/call.ts` writes
 * them.
 */
const EARLY_REQUESTS = {
  always: [userState.path],
  guild: [viewGuild.path.replace(':id', '{guild}'), `${listUnread.path}?guild_id={guild}`],
  list: [listGuilds.path, listWaiting.path],
  room: [history.path.replace(':id', '{channel}')],
}

/**
 * Writes the served pages: each has the script that runs before the first paint and its route's styles
 * inline, preloads its route's scripts, and shows its skeleton at once.
 */
export function pages(): Plugin {
  return {
    name: 'pages',
    async transformIndexHtml(html, { path: file }) {
      const noticed = html.replace('</body>', () => `${floorNotice}</body>`)
      // The console has no script before the first paint, in development too.
      if (file.endsWith('/staff.html')) return noticed
      const script = `const EARLY_REQUESTS=${JSON.stringify(EARLY_REQUESTS)};${await inlineScript('beforePaint')}`
      const snapshot = await inlineScript('showSnapshot')
      return noticed
        .replace('</title>', () => `</title><script>${script}</script>`)
        .replace('<div id="root"></div>', (root) => `${root}<script>${snapshot}</script>`)
    },
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const template = bundle['index.html']
        if (template?.type !== 'asset') return
        const skeletons = await servedSkeletons()
        const html = String(template.source).replace('<html', () => `<html data-build="${buildOf(bundle)}"`)
        for (const document of documents()) {
          const source = renderPage(html, bundle, document, skeletons)
          if (document.file === 'index.html') template.source = source
          else this.emitFile({ type: 'asset', fileName: document.file, source })
        }
      },
    },
  }
}

/** A name for this build, which changes with any of its files. */
const buildOf = (bundle: Bundle): string =>
  createHash('sha256').update(Object.keys(bundle).toSorted().join()).digest('base64url').slice(0, 8)

function renderPage(
  template: string,
  bundle: Bundle,
  { file, entries, hasColumns }: ServedDocument,
  skeletons: Skeletons,
): string {
  const { scripts, styles } = filesOf(bundle, ['index.html', ...entries])
  const skeleton = skeletons[path.basename(file, '.html')]
  const css = styles.map((name) => String((bundle[name] as { source: string | Uint8Array }).source)).join('')
  if (css.includes('</style')) throw new Error(`The styles of ${file} would end their element`)
  const head = [
    `<style>${css}</style>`,
    // Tells the loader that these styles are there; the browser does not load a disabled stylesheet.
    ...styles.map((name) => `<link rel="stylesheet" disabled href="/${name}">`),
  ].join('')
  const preloads = `<script type="application/json" id="preloads">${JSON.stringify(scripts.map((name) => `/${name}`))}</script>`
  return template
    .replace('<script>', () => `${preloads}<script>`)
    .replace(/\s*<link rel="(?:stylesheet|modulepreload)"[^>]*>/g, '')
    .replace('</head>', () => `${head}</head>`)
    .replace('<div id="root"></div>', (root) => (skeleton ? `<div id="root">${skeleton}</div>` : root))
    .replace('</body>', (end) => (hasColumns ? deskPreloads(bundle, scripts, styles) + end : end))
}

/**
 * Preloads what the columns of a wide window need beyond what the page loads anyway. At the end of the page:
 * over HTTP/1.1 the page's own data and scripts would wait for links in its head.
 */
function deskPreloads(bundle: Bundle, scripts: readonly string[], styles: readonly string[]): string {
  const desk = filesOf(bundle, DESK)
  const link = (kind: string) => (name: string) =>
    `<link rel="${kind}" media="(min-width: 900px)" crossorigin href="/${name}">`
  return [
    ...desk.scripts.filter((name) => !scripts.includes(name)).map(link('modulepreload')),
    ...desk.styles.filter((name) => !styles.includes(name)).map(link('preload" as="style')),
  ].join('')
}

/** The scripts that the entries import statically, and their styles, in the order of loading. */
function filesOf(bundle: Bundle, entries: readonly string[]): { scripts: string[]; styles: string[] } {
  const chunks = Object.values(bundle).filter((it): it is Chunk => it.type === 'chunk')
  const scripts = new Set<string>()
  const styles = new Set<string>()
  const walk = (chunk: Chunk): void => {
    if (scripts.has(chunk.fileName)) return
    scripts.add(chunk.fileName)
    for (const name of chunk.imports) walk(bundle[name] as Chunk)
    for (const name of (chunk as { viteMetadata?: { importedCss: Set<string> } }).viteMetadata?.importedCss ??
      [])
      styles.add(name)
  }
  for (const entry of entries) {
    const chunk = chunks.find((it) => it.facadeModuleId?.endsWith(`/web/${entry}`))
    if (!chunk) throw new Error(`${entry} has no chunk: has the file moved?`)
    walk(chunk)
  }
  return { scripts: [...scripts], styles: [...styles] }
}

/** A script of `src/app/served` that stands in the page, as one line. */
async function inlineScript(name: 'beforePaint' | 'showSnapshot'): Promise<string> {
  const file = path.join(import.meta.dirname, `src/app/served/${name}.ts`)
  const { code } = await transformWithOxc(readFileSync(file, 'utf8'), file, { target: 'es2020' })
  return minifySync(`${name}.js`, code.replace(/^export \{\};?$/m, '')).code.trim()
}

/** The markup of `src/app/served/servedSkeletons.tsx`, which is built and run for it. */
async function servedSkeletons(): Promise<Skeletons> {
  const built = await build({
    configFile: false,
    root: import.meta.dirname,
    logLevel: 'silent',
    resolve: { alias: preact },
    ssr: { noExternal: true },
    css: { modules: { generateScopedName: scopedClassName } },
    build: { ssr: 'src/app/served/servedSkeletons.tsx', write: false, emptyOutDir: false },
  })
  const { code } = (built as { output: [{ code: string }] }).output[0]
  const module = await import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`)
  return module.servedSkeletons
}
