import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { referenceShellPages } from './referenceShell.ts'

it('the reference shell does not exist in production', () => {
  expect(referenceShellPages({ production: true })).toEqual([])
})

it('elsewhere it runs its own script alone, frames this server alone, and is framed by nobody', async () => {
  const [page] = referenceShellPages({ production: false })
  const reply = (await page!.run({} as never)) as { body: string; headers: Record<string, string> }
  const policy = reply.headers['content-security-policy']!
  const script = /<script>(.*?)<\/script>/s.exec(reply.body)![1]!
  expect(script.length).toBeGreaterThan(1_000)
  expect(policy).toContain(`script-src 'sha256-${createHash('sha256').update(script).digest('base64')}';`)
  expect(policy).toContain("frame-src 'self';")
  expect(policy).toContain("frame-ancestors 'none';")
})
