/** Runs on this node the work of the modules that nobody waits for. */
import { z } from '@guildhall/wire/schema.ts'
import { jobKind } from '../kit/jobs.ts'
import type { Module, ModuleContext, Schedule } from '../kit/module.ts'
import { everyMinute } from './everyMinute.ts'

const kindOf = ({ name }: Schedule) =>
  jobKind({ name, data: z.object({}), isExclusive: true, pollSeconds: 30 })

/** The job queue is closed by its owner. */
export interface Working {
  /** Stops what was started beside jobs and the work of every minute; calls are answered meanwhile. */
  stop(): Promise<void>
  /** Stops the work of every minute, and waits for it. */
  close(): Promise<void>
}

export async function startWork(
  { appContext: { db }, jobs, log, metrics }: Pick<ModuleContext, 'appContext' | 'jobs' | 'log' | 'metrics'>,
  modules: readonly Module[],
  { scheduledWork }: { readonly scheduledWork: boolean },
): Promise<Working> {
  for (const start of modules.flatMap((it) => it.jobs ?? [])) await start(jobs)
  const schedules = scheduledWork ? modules.flatMap((it) => it.schedules ?? []) : []
  await Promise.all(
    schedules.map(async (schedule) => {
      await jobs.work(kindOf(schedule), async (_data, signal) => void (await schedule.run(signal)))
      await jobs.schedule(kindOf(schedule), schedule.cron, {})
    }),
  )
  for (const schedule of schedules) if (schedule.atStart) await jobs.send(db, kindOf(schedule), {})
  const everyMinutes = scheduledWork ? modules.flatMap((it) => it.everyMinute ?? []) : []
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
