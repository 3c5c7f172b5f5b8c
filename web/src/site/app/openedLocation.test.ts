import { describe, expect, it } from 'vitest'
import { openedLocation } from './openedLocation.ts'

const read = (address: string) => {
  const { pathname, search } = new URL(address, 'https://hall.example')
  return openedLocation(pathname, search)
}

describe('what the page that opens the app is asked to open', () => {
  it.each([
    '/oia',
    '/oia/',
    '/oia/account',
    '/oia//evil.example',
    '/oia/invite/a%2Fb',
    '/oia?invite=../../x',
    '/oia?invite=javascript:alert(1)',
    '/oia?invite=abc',
    '/oia/https://evil.example',
  ])('is the app itself for %s', (address) => {
    expect(read(address)).toMatchObject({ path: '/', asked: '/', onWeb: '/', invite: null, guildId: null })
  })

  it.each([
    '/oia?guild=',
    '/oia?guild=x',
    '/oia?guild=1/2/3',
    '/oia?guild=10%3Fx=1',
    '/oia/channels/',
    '/oia/channels/x',
  ])('is a guild without an id for %s', (address) => {
    expect(read(address)).toMatchObject({ path: '/', asked: '/channels/', onWeb: '/', guildId: null })
  })

  it.each([
    ['/oia/invite/abcdef', '/invite/abcdef'],
    ['/oia?invite=abcdef', '/invite/abcdef'],
    ['/oia/invite/abcdef/', '/invite/abcdef'],
  ])('is an invite for %s, which goes on in the browser without asking again', (address, path) => {
    expect(read(address)).toEqual({
      path,
      asked: path,
      onWeb: `${path}?web`,
      isInvite: true,
      invite: 'abcdef',
      guildId: null,
    })
  })

  it.each([
    ['/oia/channels/10', '/channels/10'],
    ['/oia?guild=10', '/channels/10'],
    ['/oia/channels/10/20', '/channels/10/20'],
    ['/oia?guild=10&channel=20', '/channels/10/20'],
  ])('is a location for %s', (address, path) => {
    expect(read(address)).toMatchObject({ path, onWeb: path, isInvite: false, guildId: '10' })
  })
})
