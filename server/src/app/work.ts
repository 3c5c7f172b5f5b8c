/** Runs on this node the work of the modules that nobody waits for. */
import { z } from '@guildhall/wire/schema.ts'
import { jobKind } from '../kit/jobs.ts'
import type { AppContext, Chore, Module } from '../kit/module.ts'
import { everyMinute } from './everyMinute.ts'

const kindOf = ({ name }: Chore) => jobKind({ name, data: z.object({}), isExclusive: true, pollSeconds: 30 })

/** The job queue is closed by its owner. */
export interface Working {
  /** Stops what was started beside jobs and the work of every minute; calls are answered meanwhile. */
  stop(): Promise<void>
  /** Stops the work of every minute, and waits for it. */
  close(): Promise<void>
}

export async function startWork(
  { live: { db }, jobs, log, metrics }: Pick<AppContext, 'live' | 'jobs' | 'log' | 'metrics'>,
  modules: readonly Module[],
): Promise<Working> {
  for (const begin of modules.flatMap((it) => it.jobs ?? [])) await begin(jobs)
  const chores = modules.flatMap((it) => it.chores ?? [])
  await Promise.all(
    chores.map(async (chore) => {
      await jobs.work(kindOf(chore), async (_data, signal) => void (await chore.run(signal)))
      await jobs.schedule(kindOf(chore), chore.cron, {})
    }),
  )
  for (const chore of chores) if (chore.atStart) await jobs.send(db, kindOf(chore), {})
  const everyMinutes = modules.flatMap((it) => it.everyMinute ?? [])
  // By a clock that nobody sets.
  const doneAt = everyMinutes.map(() => performance.now())
  metrics.everyMinute.watch(() => performance.now() - Math.min(performance.now(), ...doneAt))
  const minutes = everyMinutes.map((each, n) =>
    everyMinute(log, each, () => {
      doneAt[n] = performance.now()
    }),
  )
  const started = modules.flatMap((it) => it.start?.() ?? [])
  return {
    stop: async () => void (await Promise.all(started.map((stop) => stop()))),
    close: async () => void (await Promise.all(minutes.map((stop) => stop()))),
  }
}
