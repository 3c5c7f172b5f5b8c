// The captcha benchmark: how long a challenge of each kind takes to make, and a proof of work to solve.

import { CAPTCHA_KINDS } from '@guildhall/wire/captcha/captcha.ts'
import { drawChallenge } from '../../server/src/captcha/challenges.ts'
import { solveWork } from '../../web/src/captcha/solveWork.ts'

const ROUNDS = 100
const SOLVED = 10

async function timed(name: string, rounds: number, work: () => Promise<unknown>): Promise<void> {
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now()
    await work()
    times.push(performance.now() - start)
  }
  times.sort((a, b) => a - b)
  const at = (part: number) => times[Math.floor(part * (rounds - 1))]!.toFixed(1)
  console.log(`${name}: ${at(0.5)} ms (95th percentile ${at(0.95)}) over ${rounds}`)
}

export async function run(): Promise<void> {
  for (const kind of CAPTCHA_KINDS) {
    // The first one loads the library and the characters.
    const { shown } = await drawChallenge(kind)
    await timed(`make ${kind} (${Math.round((shown.imgData.length * 3) / 4000)} kB)`, ROUNDS, () =>
      drawChallenge(kind),
    )
  }
  await timed('solve work', SOLVED, async () => {
    const { shown } = await drawChallenge('work')
    await solveWork(shown.work!, new AbortController())
  })
}
