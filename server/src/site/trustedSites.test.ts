import { HOSTILE_LINKS, LOOKALIKE_LINKS } from '@guildhall/wire/fixtures/hostileLinks.ts'
import { describe, expect, it } from 'vitest'
import { trustedTarget } from './trustedSites.ts'

const SITES = {
  hosts: ['site.example', '.wild.example'],
  publicUrl: 'https://hall.example',
}

describe('the warning of other sites', () => {
  it.each([...HOSTILE_LINKS, ...LOOKALIKE_LINKS])('passes nobody on to %j', (value) => {
    expect(trustedTarget(value, SITES)).toBeNull()
  })

  it.each([undefined, null, 7, ['https://site.example/'], { url: 'https://site.example/' }])(
    'passes nobody on when the address is %j',
    (value) => {
      expect(trustedTarget(value, SITES)).toBeNull()
    },
  )

  it.each([
    ['https://site.example/a?b=c#d', 'https://site.example/a?b=c#d'],
    ['http://site.example', 'http://site.example/'],
    ['https://SITE.example:443/', 'https://site.example/'],
    ['https://wild.example/', 'https://wild.example/'],
    ['https://a.b.wild.example/', 'https://a.b.wild.example/'],
    ['https://hall.example/channels/1', 'https://hall.example/channels/1'],
    ['https://site.example\\@evil.example', 'https://site.example/@evil.example'],
    ['https://site.example/\u202efdp.exe', 'https://site.example/fdp.exe'],
  ])('passes on to %s', (value, target) => {
    expect(trustedTarget(value, SITES)).toBe(target)
  })

  it('trusts no host by default, but its own address', () => {
    const own = { hosts: [], publicUrl: 'http://127.0.0.1:3000' }
    expect(trustedTarget('https://site.example/', own)).toBeNull()
    expect(trustedTarget('http://127.0.0.1:3000/x', own)).toBe('http://127.0.0.1:3000/x')
    expect(trustedTarget('http://127.0.0.1:3001/x', own)).toBeNull()
  })
})
