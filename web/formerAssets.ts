import { readdirSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import type { Plugin } from 'vite'

/** A page that was opened before a deploy may load its own files for this long, ms. */
const KEPT_MS = 14 * 24 * 3_600_000

/**
 * Keeps the hashed files of former builds for two weeks: pages that are open during a deploy go on loading
 * theirs. Use with
 * `emptyOutDir: false`.
 */
export function formerAssets(): Plugin {
  return {
    name: 'former-assets',
    apply: 'build',
    writeBundle({ dir }, bundle) {
      const assets = path.join(dir!, 'assets')
      for (const file of readdirSync(assets)) {
        const isCurrent = Object.hasOwn(bundle, `assets/${file}`)
        const filePath = path.join(assets, file)
        if (!isCurrent && Date.now() - statSync(filePath).mtimeMs > KEPT_MS) rmSync(filePath)
      }
    },
  }
}
