import { describe, expect, it } from 'vitest'
import { AT } from '../../../testing/pay/wechatSide.ts'
import { fromWechatTime, wechatTime } from './facts.ts'

describe('times', () => {
  it.each(['', '2026-08-01', '2026-08-01 12:00:00', '2026-02-30T12:00:00+08:00', '2026-08-01T12:00:00'])(
    '%j is none',
    (text) => {
      expect(fromWechatTime(text)).toBeNull()
    },
  )

  it('have a zone', () => {
    expect(wechatTime(AT)).toBe('2026-08-01T12:00:00+08:00')
    for (const text of ['2026-08-01T12:00:00+08:00', '2026-08-01T04:00:00Z', '2026-08-01T12:00:00.000+08:00'])
      expect(fromWechatTime(text)).toBe(AT)
  })
})
