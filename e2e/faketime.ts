/** The clock of a process, which a test sets while the process runs, by Debian's libfaketime. */
import { existsSync, readdirSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { ensurePackages, NEEDS } from '../scripts/packages.ts'

const LIB = '/usr/lib'

const findLibrary = (): string | null =>
  readdirSync(LIB)
    .map((folder) => `${LIB}/${folder}/faketime/libfaketime.so.1`)
    .find((file) => existsSync(file)) ?? null

/** Installs it when this is root on Debian; false when there is none. */
export const haveFaketime = (): boolean => ensurePackages(NEEDS.faketime, () => findLibrary() !== null)

export interface FakeClock {
  /** What the process is started with. */
  readonly env: Readonly<Record<string, string>>
  /** The process is this far ahead within a second; negative: behind. Its monotonic clock goes on. */
  jump(seconds: number): Promise<void>
}

/** `file`: where the offset is kept. */
export async function openFakeClock(file: string): Promise<FakeClock> {
  const library = findLibrary()
  if (!library) throw new Error('There is no libfaketime. On Debian, as root: apt-get install -y libfaketime')
  const jump = async (seconds: number) => {
    await writeFile(`${file}.new`, `${seconds < 0 ? '' : '+'}${seconds}\n`)
    await rename(`${file}.new`, file)
  }
  await jump(0)
  return {
    env: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_CACHE_DURATION: '1',
      // Node ends itself when its monotonic clock goes back, and times of files need not agree.
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      NO_FAKE_STAT: '1',
    },
    jump,
  }
}
