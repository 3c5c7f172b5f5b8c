/**
 * How much the database of the console's benchmark holds. `SCALE` makes it smaller, to try the benchmark
 * itself.
 */
const SCALE = Number(process.env.SCALE ?? 1)
const scaled = (count: number): number => Math.max(1, Math.round(count * SCALE))

export const size = {
  people: scaled(100_000),
  guilds: scaled(10_000),
  /** Members of the largest guild, and memberships of all others. */
  largest: scaled(20_000),
  memberships: scaled(100_000),
  messages: scaled(200_000),
  orders: scaled(1_000_000),
  batches: scaled(400),
  codesPerBatch: 100,
  /** One batch has as many codes as a batch may have. */
  codesOfLargest: scaled(10_000),
  grants: scaled(100_000),
  cases: scaled(50_000),
  openCases: scaled(5_000),
  revisions: scaled(20_000),
  waiting: scaled(400),
  held: scaled(20_000),
  log: scaled(1_000_000),
  words: scaled(10_000),
  changes: scaled(2_000),
  days: 730,
  recommended: scaled(500),
} as const
