/**
 * A file of JSON lines, only ever appended to and read again at the start: what was written is known after a
 * kill at any moment.
 */
import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import { PRIVATE_FILE } from '@guildhall/server/kit/files/directory.ts'

/** What fields were called in the files of older sandboxes. */
const FORMER_NAMES: Readonly<Record<string, string>> = {
  note: 'delivery',
  notes: 'deliveries',
  messages: 'deliveries',
  evil: 'tamper',
}
/** Inside of a text, quotes are written as `\"`. */
const FORMER = new RegExp(`"(${Object.keys(FORMER_NAMES).join('|')})":`, 'g')

export class JsonLines<T> {
  readonly #file: number

  /**
   * Opens the file, which it makes, and gives each line to `read`. A line that a kill cut off is dropped:
   * nobody was answered because of it.
   */
  constructor(file: string, read: (line: T) => void) {
    this.#file = openSync(file, 'a+', PRIVATE_FILE)
    const bytes = readFileSync(this.#file)
    const end = bytes.lastIndexOf('\n') + 1
    ftruncateSync(this.#file, end)
    for (const line of bytes.toString('utf8', 0, end).split('\n'))
      if (line !== '')
        read(JSON.parse(line.replace(FORMER, (_all, name: string) => `"${FORMER_NAMES[name]}":`)) as T)
  }

  append(line: T): void {
    writeSync(this.#file, `${JSON.stringify(line)}\n`)
  }

  close(): void {
    closeSync(this.#file)
  }
}
