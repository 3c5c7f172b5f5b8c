/** Outlines of the characters of idioms, read once, when the first is drawn. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'

let read: Promise<Readonly<Record<string, string>>> | null = null

/** Paths by character. `glyphs/README.md` says where they come from. */
export function han(): Promise<Readonly<Record<string, string>>> {
  read ??= readFile(path.join(import.meta.dirname, 'glyphs/han.json'), 'utf8').then(
    (text) => JSON.parse(text) as Record<string, string>,
  )
  return read
}
