/** Ports of servers that tests start. */
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { HOUR_MS } from '@guildhall/wire/unit.ts'

/**
 * Below the range from which a system takes the ports of outgoing connections: none of those is in the way
 * later.
 */
const FROM = 20_000
const COUNT = 12_000
/**
 * A file for each port that was given away, for all runs of this machine: a server listens seconds after it
 * got its port.
 */
const CLAIMS = path.join(tmpdir(), 'guildhall-test-ports')
/** Longer than any test. */
const CLAIM_MS = HOUR_MS

const canListen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })

const claim = (port: number): Promise<boolean> =>
  writeFile(path.join(CLAIMS, String(port)), '', { flag: 'wx' }).then(
    () => true,
    () => false,
  )

let opened: Promise<void> | null = null

/** Makes the directory, and drops what runs that are long over have claimed. */
async function openClaims(): Promise<void> {
  await mkdir(CLAIMS, { recursive: true })
  for (const name of await readdir(CLAIMS)) {
    const file = path.join(CLAIMS, name)
    const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Date.now() }))
    if (Date.now() - mtimeMs > CLAIM_MS) await rm(file, { force: true })
  }
}

/** A port that nothing listens on, and that no other test of this machine gets. */
export async function freePort(): Promise<number> {
  opened ??= openClaims()
  await opened
  for (;;) {
    const port = FROM + Math.floor(Math.random() * COUNT)
    if ((await canListen(port)) && (await claim(port))) return port
  }
}
