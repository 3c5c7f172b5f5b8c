/** Below the limit of a test, which says only that the test took long. */
const LIMIT_MS = 60_000

/** Awaits what a test waits for; when it does not come, the failure says what was there instead. */
export async function orReport<T>(awaited: Promise<T>, found: () => unknown): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_, refuse) => {
    const report = () => refuse(new Error(`it did not come; there was ${JSON.stringify(found())}`))
    timer = setTimeout(report, LIMIT_MS)
  })
  try {
    return await Promise.race([awaited, limit])
  } finally {
    clearTimeout(timer)
  }
}
