import { describe, expect, it, vi } from 'vitest'
import { hiddenTarget } from './hiddenTarget.ts'

describe('a link whose text names another host', () => {
  it.each([
    ['bank.example', 'https://evil.example/login', 'evil.example'],
    ['https://bank.example/pay', 'https://evil.example', 'evil.example'],
    ['log in at bank.example', 'https://evil.example', 'evil.example'],
    ['https://bank.example@evil.example/', 'https://bank.example@evil.example/', 'evil.example'],
    ['银行.中国', 'https://evil.example', 'evil.example'],
    ['bank.example.evil.example', 'https://evil.example', 'evil.example'],
  ])('%s, which leads to %s, shows %s', (label, href, host) => {
    expect(hiddenTarget(label, href)).toBe(host)
  })
  it.each([
    ['here', 'https://evil.example'],
    ['https://bank.example/pay', 'https://bank.example/pay'],
    ['BANK.example', 'https://www.bank.example/'],
    ['银行.中国', 'https://银行.中国/'],
    ['3.5 kg', 'https://shop.example'],
  ])('%s, which leads to %s, shows nothing more', (label, href) => {
    expect(hiddenTarget(label, href)).toBeNull()
  })
  it('is read in browsers that cannot ask whether an address parses', () => {
    const canParse = vi.spyOn(URL, 'canParse').mockImplementation(() => {
      throw new TypeError('URL.canParse is not a function')
    })
    expect(hiddenTarget('bank.example', 'https://evil.example')).toBe('evil.example')
    canParse.mockRestore()
  })
})
