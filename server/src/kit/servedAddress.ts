/** The address of the server that runs on a data directory, for commands that print links. */
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'

const fileOf = (dataDir: string): string => path.join(dataDir, 'address')

/** Remembers the public address of the server that starts. */
export const recordAddress = (dataDir: string, address: string): Promise<void> =>
  writeFile(fileOf(dataDir), `${address}\n`, { mode: 0o600 })

/** The address of the server that started last on this directory; null when none has. */
export async function recordedAddress(dataDir: string): Promise<string | null> {
  const address = await readFile(fileOf(dataDir), 'utf8').catch(() => '')
  return address.trim() || null
}
