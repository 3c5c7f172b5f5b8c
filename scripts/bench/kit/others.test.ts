import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { cpuOfTree, timesOfTree } from './others.ts'

const timeOf = (pid: number) => [...timesOfTree(pid).values()].reduce((sum, ms) => sum + ms, 0)
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
      const before = timeOf(one.pid)
      await expect.poll(() => timeOf(one.pid)).toBeGreaterThan(before)
      // What this process has started is more than either of them.
      expect(timeOf(process.pid)).toBeGreaterThan(timeOf(one.pid))
    } finally {
      one.end()
      other.end()
    }
  },
)

test.runIf(isLinux)('what a process took is still counted when it has ended', async () => {
  const work = 'while (process.cpuUsage().user < 200_000);'
  const script = `
    require('child_process').spawnSync(process.execPath, ['-e', ${JSON.stringify(work)}])
    process.stdout.write('.')
    setInterval(() => {}, 1_000)`
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    await once(child.stdout!, 'data')
    expect(cpuOfTree(child.pid!) - timeOf(child.pid!)).toBeGreaterThanOrEqual(200)
  } finally {
    child.kill('SIGKILL')
  }
})

test.runIf(isLinux)('a process that is not there has taken no time', () => {
  expect(timeOf(2 ** 30)).toBe(0)
})
