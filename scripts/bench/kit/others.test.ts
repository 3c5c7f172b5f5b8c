import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { timeOfTree } from './others.ts'

const isLinux = process.platform === 'linux'

/** A process that starts another one, which works for ever. */
const startWork = async () => {
  const work = `process.stdout.write('.'); for (;;);`
  const script = `require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(work)}], { stdio: 'inherit' })`
  const child = spawn(process.execPath, ['-e', script], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout!, 'data')
  return { pid: child.pid!, end: () => process.kill(-child.pid!, 'SIGKILL') }
}

test.runIf(isLinux)(
  'the time of a process has that of the processes that it has started, and of no other',
  async () => {
    const [one, other] = [await startWork(), await startWork()]
    try {
      const before = timeOfTree(one.pid)
      await expect.poll(() => timeOfTree(one.pid)).toBeGreaterThan(before)
      // What this process has started is more than either of them.
      expect(timeOfTree(process.pid)).toBeGreaterThan(timeOfTree(one.pid))
    } finally {
      one.end()
      other.end()
    }
  },
)

test.runIf(isLinux)('a process that is not there has taken no time', () => {
  expect(timeOfTree(2 ** 30)).toBe(0)
})
