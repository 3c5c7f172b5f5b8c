/** Work that returns by itself. */
import { z } from '@guildhall/wire/schema.ts'
import { type JobKind, jobKind } from '../kit/jobs.ts'

export const NO_DATA = z.object({})
export type Chore = JobKind<typeof NO_DATA>

/** One run at a time among all nodes. A run that is late by half a minute bothers nobody. */
export const chore = (name: string): Chore =>
  jobKind({ name, data: NO_DATA, isExclusive: true, pollSeconds: 30 })
