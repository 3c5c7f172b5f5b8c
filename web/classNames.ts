import path from 'node:path'

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
