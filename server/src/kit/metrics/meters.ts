/** What the metrics of all subjects are made with. */
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

export type CountsByName = Readonly<Record<string, number>>

/** Bounds of histograms of times, s. */
export const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

/** Prometheus gives a scrape up after ten seconds, and then has none of the metrics. */
const KNOWN_WITHIN_MS = 2 * SECOND_MS

/**
 * What the database says, for a scrape; null while it is away, so that the last value stays and the others
 * are told.
 */
export async function known<T>(ask: () => Promise<T>): Promise<T | null> {
  const late = new Promise<null>((resolve) => setTimeout(resolve, KNOWN_WITHIN_MS, null).unref())
  return Promise.race([ask().catch(() => null), late])
}

/** All metrics of one scrape that ask for the same have the same answer. */
export function together<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | null = null
  return () => {
    asked ??= ask().finally(() => {
      asked = null
    })
    return asked
  }
}

/** A gauge of counts by a label; what is not counted any more is gone. */
export function countsGauge(
  input: {
    readonly name: string
    readonly help: string
    readonly label: string
    readonly registers: Registry[]
  },
  count: () => Promise<CountsByName>,
): void {
  const { name, help, label, registers } = input
  new Gauge({
    name,
    help,
    labelNames: [label],
    registers,
    async collect() {
      const found = await known(count)
      if (!found) return
      this.reset()
      for (const [each, n] of Object.entries(found)) this.set({ [label]: each }, n)
    },
  })
}

/** Makes the metrics of one registry. */
export class Meters {
  readonly #registers: Registry[]

  constructor(registry: Registry) {
    this.#registers = [registry]
  }

  counter(name: string, help: string): Counter {
    return new Counter({ name, help, registers: this.#registers })
  }

  histogram(name: string, help: string, buckets: number[]): Histogram {
    return new Histogram({ name, help, buckets, registers: this.#registers })
  }

  /** `read` is called at each scrape. */
  gauge(name: string, help: string, read: () => number): void {
    new Gauge({
      name,
      help,
      registers: this.#registers,
      collect() {
        this.set(read())
      },
    })
  }
}
