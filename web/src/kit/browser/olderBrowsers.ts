/**
 * What the page uses of the language's library and what the oldest browsers that it is for lack;
 * `e2e/app/floor.e2e.ts` finds what is missing here. Loaded by `withLibrary` in those alone.
 */

type Test = (value: unknown, index: number, all: readonly unknown[]) => unknown

function at(this: ArrayLike<unknown>, index: number): unknown {
  const whole = Math.trunc(index) || 0
  return this[whole < 0 ? this.length + whole : whole]
}

function findLastIndex(this: readonly unknown[], test: Test): number {
  for (let index = this.length - 1; index >= 0; index -= 1) if (test(this[index], index, this)) return index
  return -1
}

/** The functions by the object that has them. */
export const library = {
  ofArrays: {
    at,
    findLastIndex,
    findLast(this: readonly unknown[], test: Test): unknown {
      return this[findLastIndex.call(this, test)]
    },
    toSorted(this: readonly unknown[], compare?: (a: unknown, b: unknown) => number): unknown[] {
      return [...this].sort(compare)
    },
  },
  ofStrings: { at },
  ofBytes: { at },
  ofObject: {
    hasOwn: (of: object, name: PropertyKey): boolean => Object.hasOwn(of, name),
  },
  ofAbortSignal: {
    timeout(ms: number): AbortSignal {
      const controller = new AbortController()
      setTimeout(() => controller.abort(new DOMException('signal timed out', 'TimeoutError')), ms)
      return controller.signal
    },
  },
  ofSignals: {
    throwIfAborted(this: AbortSignal): void {
      if (this.aborted) throw this.reason ?? new DOMException('signal is aborted', 'AbortError')
    },
  },
} as const

const OWNERS: Readonly<Record<keyof typeof library, object>> = {
  ofArrays: Array.prototype,
  ofStrings: String.prototype,
  ofBytes: Object.getPrototypeOf(Uint8Array.prototype) as object,
  ofObject: Object,
  ofAbortSignal: AbortSignal,
  ofSignals: AbortSignal.prototype,
}

for (const [of, functions] of Object.entries(library))
  for (const [name, value] of Object.entries(functions)) {
    const owner = OWNERS[of as keyof typeof library]
    // A loop over the fields of an object must not meet it.
    if (!(name in owner)) Object.defineProperty(owner, name, { value, writable: true, configurable: true })
  }
