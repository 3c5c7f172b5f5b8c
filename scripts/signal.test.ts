import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { expect, it } from 'vitest'

/** A script that is told to stop while it starts, or once it runs. */
async function stopped(rest: string): Promise<[number | null, string | null]> {
  const script = `
    import { stopOnSignal } from ${JSON.stringify(path.join(import.meta.dirname, 'signal.ts'))}
    const { signal, onStop } = stopOnSignal(1)
    ${rest}
    setInterval(() => undefined, 1000)
    console.log('here')`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  await once(child.stdout, 'data')
  child.kill('SIGTERM')
  return (await once(child, 'exit')) as [number | null, string | null]
}

it('a start that does not react to the signal is ended', async () => {
  expect(await stopped('')).toEqual([null, 'SIGKILL'])
})

it('a running script closes what it opened', async () => {
  expect(await stopped('onStop(async () => undefined)')).toEqual([0, null])
})
