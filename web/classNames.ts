import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Plugin } from 'vite'

/** Files named so far, by the name of their component. */
const stylesheets = new Map<string, string>()

/**
 * The class name that a page gets for a class of `Button.module.css`: `Button_main`. It needs no hash,
 * because no two stylesheets may have the same name; it compresses better than one and is the same in every
 * build.
 */
export function scopedClassName(name: string, file: string): string {
  const sheet = path.basename(file.split('?')[0]!, '.module.css')
  const first = stylesheets.get(sheet) ?? file
  if (first !== file) throw new Error(`Two stylesheets have the name ${sheet}: ${first} and ${file}`)
  stylesheets.set(sheet, file)
  return `${sheet}_${name}`
}

/**
 * Leaves the names of animations out of what scripts get of a stylesheet: they ask for classes alone, and each
 * name is bytes on the way to the first screen.
 */
export function withoutAnimations(): Plugin {
  return {
    name: 'without-animations',
    apply: 'build',
    enforce: 'post',
    async transform(code, id) {
      const [file = ''] = id.split('?')
      if (!file.endsWith('.module.css')) return null
      return { code: withoutNames(code, animationsOf(await readFile(file, 'utf8'))), map: null }
    },
  }
}

/** The animations of a stylesheet whose names are no classes, too. */
export const animationsOf = (css: string): string[] =>
  [...css.matchAll(/@keyframes ([\w-]+)/g)]
    .map(([, name = '']) => name)
    .filter((name) => !new RegExp(`\\.${name}\\b`).test(css))

/** A module without these entries of the object that it exports. */
export const withoutNames = (code: string, names: readonly string[]): string =>
  names.reduce((rest, name) => rest.replace(new RegExp(`^\\s*"?${name}"?: .*\n`, 'm'), ''), code)
