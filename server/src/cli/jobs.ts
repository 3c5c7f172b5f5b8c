/** `jobs …`: background work. */
import { type Database, isUnavailable } from '../kit/database/db.ts'
import { MIGRATE } from '../kit/database/store.ts'
import type { Jobs } from '../kit/jobs.ts'
import { openLog } from '../kit/log.ts'
import { OperatorError } from '../kit/operatorError.ts'
import { type Commands, isUuid } from './command.ts'

export const jobsCommands: Commands = {
  'jobs list': {
    usage: '',
    isReading: true,
    run: (_options, { database }) =>
      withJobs(database, async (jobs) => ({ queues: await jobs.states(), failed: await jobs.failures() })),
  },
  'jobs retry': {
    usage: '--queue NAME --job JOB_ID',
    async run({ queue = '', job = '' }, { database }) {
      const isQueued = isUuid(job) && (await withJobs(database, (jobs) => jobs.retry(queue, job)))
      if (!isQueued) throw new OperatorError(`Queue "${queue}" has no failed job ${job}.`)
      return { queue, job, queued: true }
    },
  },
}

/**
 * Runs `use` on the job queue, which is loaded only for its commands. Its tables are made only where
 * `migrates` says so.
 */
export async function withJobs<T>(
  { pool }: Database,
  use: (jobs: Jobs) => Promise<T>,
  migrates = false,
): Promise<T> {
  const { openJobs } = await import('../kit/jobs.ts')
  const jobs = await openJobs({
    pool,
    log: openLog('quiet', process.stderr),
    isWorker: false,
    migrates,
  }).catch((error: unknown) => {
    if (isUnavailable(error)) throw error
    throw new OperatorError(`The job queue has no tables of this version: ${MIGRATE}.`, { cause: error })
  })
  try {
    return await use(jobs)
  } finally {
    await jobs.close()
  }
}
