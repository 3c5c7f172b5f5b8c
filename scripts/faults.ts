/**
 * Judges the suite: plants each fault of `scripts/faults/` in a copy of this commit, runs `npm test --
 * changed` there, and prints which step found it, in which file. `node scripts/faults.ts 03 07` plants those
 * alone. A fault whose patch no longer applies is to be written anew.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'

const ROOT = path.dirname(import.meta.dirname)
const FAULTS = path.join(ROOT, 'scripts/faults')
const NOTHING_FOUND = 'nothing'

/** A copy of the last commit with its packages, as links to the files of this tree. */
function openCopy(): string {
  const copy = path.join(mkdtempSync(path.join(tmpdir(), 'guildhall-faults-')), 'tree')
  execFileSync('git', ['worktree', 'add', '--detach', '-q', copy, 'HEAD'], { cwd: ROOT })
  for (const folder of ['.', 'server', 'web'])
    execFileSync('cp', ['-al', path.join(ROOT, folder, 'node_modules'), path.join(copy, folder)])
  return copy
}

function closeCopy(copy: string): void {
  execFileSync('git', ['worktree', 'remove', '--force', copy], { cwd: ROOT })
  rmSync(path.dirname(copy), { recursive: true, force: true })
}

/** How types, tests and journeys name the file in which they found something. */
const FILE = /^(?:(\S+)\(\d+,\d+\): error| ❯ \|\w+\| (\S+) \(.*failed|\s+✘.*› (\S+?):\d+:\d+ ›)/

/**
 * The first step that fails with a fault and the first file that it names, or `nothing`. The steps after it
 * are not run.
 */
async function whatFinds(copy: string, patch: string): Promise<string> {
  execFileSync('git', ['apply', path.join(FAULTS, patch)], { cwd: copy })
  const run = spawn(process.execPath, ['scripts/test.ts', 'changed', '--base', 'HEAD'], {
    cwd: copy,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, NO_COLOR: '1' },
  })
  const ended = once(run, 'close')
  let found = NOTHING_FOUND
  let file = ''
  for await (const line of createInterface(run.stdout)) {
    file ||= FILE.exec(line)?.slice(1).find(Boolean) ?? ''
    const step = /^== (\w+) FAILED/.exec(line)?.[1]
    if (!step || found !== NOTHING_FOUND) continue
    found = `${step} ${file}`
    run.kill('SIGTERM')
  }
  await ended
  execFileSync('git', ['checkout', '-q', '.'], { cwd: copy })
  return found
}

const wanted = process.argv.slice(2)
const patches = readdirSync(FAULTS)
  .filter((name) => name.endsWith('.patch') && (wanted.length === 0 || wanted.includes(name.slice(0, 2))))
  .toSorted()
const copy = openCopy()
let found = 0
try {
  for (const patch of patches) {
    const [title] = readFileSync(path.join(FAULTS, patch), 'utf8').split('\n')
    const began = performance.now()
    const finder = await whatFinds(copy, patch)
    if (finder !== NOTHING_FOUND) found += 1
    const seconds = ((performance.now() - began) / 1000).toFixed(0)
    console.log(`| ${patch.slice(0, 2)} | ${title} | ${finder} | ${seconds} s |`)
  }
} finally {
  closeCopy(copy)
}
console.log(`${found} of ${patches.length} faults were found.`)
