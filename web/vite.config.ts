import path from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { defineConfig, type Plugin, type UserConfig } from 'vite'
import { emojiCatalogue } from './catalogue.ts'
import { sharedFiles } from './chunks.ts'
import { scopedClassName, withoutAnimations } from './classNames.ts'
import { scriptTargets, styleTargets } from './floor.ts'
import { formerAssets } from './formerAssets.ts'
import { leanContract } from './leanContract.ts'
import { pages } from './pages.ts'
import { preact } from './preact.ts'
import { screens } from './screens.ts'

/** Below this many bytes a packed copy saves less than its headers cost. */
const PACK_FROM = 1024

/** Leaves `x.br` and `x.gz` beside every text asset, so that the server packs nothing while people wait. */
function precompressed(): Plugin {
  return {
    name: 'precompressed',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const file of Object.values(bundle)) {
          if (
            !/\.(js|css|html|svg|json|webmanifest)$/.test(file.fileName) ||
            file.fileName.startsWith('.vite/')
          )
            continue
          const source = Buffer.from(file.type === 'chunk' ? file.code : file.source)
          if (source.length < PACK_FROM) continue
          this.emitFile({
            type: 'asset',
            fileName: `${file.fileName}.br`,
            source: brotliCompressSync(source, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
          })
          this.emitFile({
            type: 'asset',
            fileName: `${file.fileName}.gz`,
            source: gzipSync(source, { level: 9 }),
          })
        }
      },
    },
  }
}

/** Shorter hashes than usual: every page names many files, and a hash cannot be compressed. */
const fileNames = {
  entryFileNames: 'assets/[name]-[hash:7].js',
  chunkFileNames: 'assets/[name]-[hash:7].js',
  assetFileNames: 'assets/[name]-[hash:7][extname]',
}

/** What both builds share: that of the product's page, and that of the staff console (`--mode staff`). */
const shared: UserConfig = {
  resolve: { alias: preact },
  root: import.meta.dirname,
  css: { modules: { generateScopedName: scopedClassName } },
  // The worker that colours code fetches one language at a time.
  worker: { format: 'es' },
}

const build: NonNullable<UserConfig['build']> = {
  outDir: 'dist',
  emptyOutDir: false,
  // The served pages have no such links (pages.ts); browsers that do not know them preload scripts otherwise.
  modulePreload: {
    polyfill: false,
    // What every page has loaded need not be named where a part is loaded later, nor what hardly anybody waits
    // for: each name costs every page that may load the part.
    resolveDependencies: (file, files) =>
      /\/(?:captcha|secondFactor|later|enterShell|AuthenticateScreen|ForgotScreen|BindMobileScreen)-/.test(
        file,
      )
        ? []
        : files.filter((it) => !/\/(?:base|rolldown-runtime)-/.test(it)),
  },
  target: scriptTargets,
  cssTarget: styleTargets,
  // The content policy allows images from this site only, not from `data:`.
  assetsInlineLimit: 0,
  chunkSizeWarningLimit: 260,
}

const page: UserConfig = {
  ...shared,
  plugins: [
    leanContract(),
    withoutAnimations(),
    emojiCatalogue(),
    screens(),
    pages(),
    precompressed(),
    formerAssets(),
  ],
  build: {
    ...build,
    manifest: true,
    rolldownOptions: {
      output: { ...fileNames, codeSplitting: { groups: sharedFiles(import.meta.dirname) } },
    },
  },
}

/** A bundle of its own: members load nothing of it, and it changes nothing of what they load. */
const staff: UserConfig = {
  ...shared,
  plugins: [leanContract(), withoutAnimations(), pages(), precompressed()],
  build: {
    ...build,
    manifest: '.vite/staff.json',
    rolldownOptions: { input: path.join(import.meta.dirname, 'staff.html') },
  },
}

export default defineConfig(({ mode }) => (mode === 'staff' ? staff : page))
