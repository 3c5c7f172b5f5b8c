import { describe, expect, it } from 'vitest'
import { openMetrics } from './metrics.ts'

const numberOf = (page: string, name: string): number | undefined => {
  const line = page.split('\n').find((it) => it.startsWith(`${name} `))
  return line === undefined ? undefined : Number(line.slice(name.length + 1))
}

describe('the metrics of a server', () => {
  it('include nothing that wakes an idle server', async () => {
    const page = await openMetrics().page()
    expect(page).not.toMatch(/nodejs_eventloop_lag_(?:min|max|mean|stddev|p\d+)_seconds/)
    expect(numberOf(page, 'nodejs_eventloop_lag_seconds')).toBeGreaterThanOrEqual(0)
  })

  it('report how busy the event loop was since the last scrape', async () => {
    const metrics = openMetrics()
    await metrics.page()
    const until = performance.now() + 40
    while (performance.now() < until);
    const busy = numberOf(await metrics.page(), 'guildhall_loop_busy_ratio')
    await new Promise((done) => setTimeout(done, 400))
    const idle = numberOf(await metrics.page(), 'guildhall_loop_busy_ratio')
    expect(busy).toBeGreaterThan(idle!)
    expect(busy).toBeLessThanOrEqual(1)
    expect(idle).toBeGreaterThanOrEqual(0)
  })

  it('count the failures of a provider from zero, so that the first one is a rise', async () => {
    const metrics = openMetrics()
    metrics.sms.expect('aliyun', ['failed'])
    const name = 'guildhall_sms_sent_total{provider="aliyun",outcome="failed"}'
    expect(numberOf(await metrics.page(), name)).toBe(0)
    metrics.sms.sent('aliyun', 'failed')
    expect(numberOf(await metrics.page(), name)).toBe(1)
  })

  it('answer while the database hangs, with what is known without it', async () => {
    const metrics = openMetrics()
    metrics.jobs.watch(() => new Promise(() => undefined))
    metrics.sms.watchDay(() => Promise.reject(new Error('away')), 7)
    expect(numberOf(await metrics.page(), 'guildhall_sms_day_max')).toBe(7)
  })
})
