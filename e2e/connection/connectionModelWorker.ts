/**
 * A worker thread that runs schedules of the connection model, so that `connectionModel.test.ts` uses every
 * core.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { TRANSPORTS } from '../../server/src/testing/gateway.ts'
import { play } from './connectionModel.ts'

const { from, to, transport } = workerData as { from: number; to: number; transport: number }
let messages = 0
for (let seed = from; seed < to; seed += 1) {
  try {
    messages += play(seed, TRANSPORTS[transport]!.open)
  } catch (error) {
    const again = `LINE_SEED=${seed} LINE_SCHEDULES=1 npm test -- unit`
    throw new Error(`schedule ${seed} is broken (repeat it with ${again}): ${(error as Error).stack}`)
  }
}
parentPort!.postMessage(messages)
