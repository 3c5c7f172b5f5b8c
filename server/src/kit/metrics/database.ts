/** Metrics of the replica of the database. */
import { Counter, Histogram, type Registry } from 'prom-client'
import { SECONDS } from './meters.ts'

/** Where a read ran: on the replica, or why on the primary. */
export type ReadOn = 'replica' | 'late' | 'full' | 'away' | 'resting'

/** Metrics of reads that may run on a replica. */
export interface ReplicaMetrics {
  /** A read ended. */
  read(on: ReadOn): void
  /** A read waited so many seconds until the replica had what was committed before. */
  waited(seconds: number): void
}

export function replicaMeters(registry: Registry): ReplicaMetrics {
  const registers = [registry]
  const reads = new Counter({
    name: 'guildhall_replica_reads_total',
    help: 'Reads that may run on the replica: there, or why on the primary',
    labelNames: ['on'],
    registers,
  })
  const waits = new Histogram({
    name: 'guildhall_replica_wait_seconds',
    help: 'How long reads waited until the replica had what was committed before',
    buckets: SECONDS,
    registers,
  })
  return {
    read: (on) => reads.inc({ on }),
    waited: (seconds) => waits.observe(seconds),
  }
}
