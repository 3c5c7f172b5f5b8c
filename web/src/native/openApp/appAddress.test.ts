import { describe, expect, it } from 'vitest'
import { addressOf, appTarget } from './appAddress.ts'

const HALL = { scheme: 'hall', androidPackage: 'com.example.hall' }
const at = { host: 'hall.example', store: 'https://store.example/app?id=1' }

describe('what the app is to show', () => {
  it.each([
    '//evil.example/invite/abcdef',
    '/invite/abc#Intent;scheme=javascript;end',
    '/invite/abc;package=com.evil;end',
    '/invite/..%2f..',
    '/channels/1/2/3',
    '/channels/1?x=1',
    '/channels/x',
    '/account',
    'javascript:alert(1)',
    '',
  ])('is nothing but the app itself for %j', (path) => {
    expect(appTarget(path)).toBe('/')
  })

  it.each(['/invite/abcdef', '/user-invite/K7P2W9XM', '/channels/10', '/channels/10/20'])('is %s', (path) => {
    expect(appTarget(path)).toBe(path)
  })
})

describe('the address of the app', () => {
  it.each([
    ['/invite/abcdef', 'hall://invite/abcdef'],
    ['/channels/10', 'hall://channels/10'],
    ['/channels/10/20', 'hall://channels/10/20'],
    ['/', 'hall://home'],
    ['//evil.example', 'hall://home'],
  ])('on iOS has the scheme and %s', (path, address) => {
    expect(addressOf(HALL, { platform: 'ios' }, path, at)).toBe(address)
  })

  it('on iOS is none without a scheme: universal links of this host open in the browser', () => {
    expect(addressOf({ ...HALL, scheme: '' }, { platform: 'ios' }, '/channels/10', at)).toBeNull()
  })

  it('on Android names the package, and the store in case it is missing', () => {
    expect(addressOf(HALL, { platform: 'android' }, '/channels/10/20', at)).toBe(
      'intent://channels/10/20#Intent;scheme=hall;package=com.example.hall;S.browser_fallback_url=https%3A%2F%2Fstore.example%2Fapp%3Fid%3D1;end',
    )
    expect(addressOf(HALL, { platform: 'android' }, '/channels/10', { ...at, store: null })).toBe(
      'intent://channels/10#Intent;scheme=hall;package=com.example.hall;end',
    )
  })

  it('on Android is that of this site where the app has no scheme', () => {
    expect(
      addressOf({ ...HALL, scheme: '' }, { platform: 'android' }, '/invite/abcdef', { ...at, store: null }),
    ).toBe('intent://hall.example/invite/abcdef#Intent;scheme=https;package=com.example.hall;end')
  })

  it('on Android is the plain scheme without a package', () => {
    expect(addressOf({ ...HALL, androidPackage: '' }, { platform: 'android' }, '/channels/10', at)).toBe(
      'hall://channels/10',
    )
  })

  it('is none on a desk', () => {
    expect(addressOf(HALL, { platform: 'desktop' }, '/channels/10', at)).toBeNull()
  })
})
