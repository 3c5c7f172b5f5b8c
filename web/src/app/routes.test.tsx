import listed from 'virtual:account-pages'
import { accountPages, firstPages, otherPages, shellPages } from '@guildhall/wire/pages.ts'
import type { ReactElement } from 'react'
import { matchRoutes, type RouteObject } from 'react-router'
import { expect, test } from 'vitest'
import { routes } from './App.tsx'
import { routes as otherRoutes } from './OtherPages.tsx'

/**
 * What draws an address: the patterns from the outermost route to the innermost, `''` for one that has none.
 */
const drawnBy = (all: RouteObject[], address: string) =>
  (matchRoutes(all, address.replace(/:\w+/g, '1').replace('*', 'x')) ?? []).map(
    ({ route }) => route.path ?? '',
  )

/** The name of the component that a route shows. */
const shown = (all: RouteObject[], address: string) =>
  ((matchRoutes(all, address)?.at(-1)?.route.element as ReactElement | null)?.type as { name?: string })?.name

test.each(['/nowhere', '/cdk/1', '/guild', '/renewal', '/channels/1/2/3'])('no page has %s', (address) => {
  const found = matchRoutes(routes, address)?.at(-1)?.route.path
  expect(['*', '/guild/*', '/renewal/*']).toContain(found)
  expect(drawnBy(otherRoutes, address)).toEqual(['*'])
})

test.each(Object.keys(firstPages))('%s is drawn outside of the shell', (address) => {
  expect(drawnBy(routes, address)).toEqual([address])
})

test.each(Object.keys(shellPages))('%s is drawn inside of the shell', (address) => {
  expect(drawnBy(routes, address)).toEqual(['', address])
})

test.each(Object.keys(accountPages))(
  '%s is drawn by the pages of the account, inside of the shell',
  (address) => {
    expect(drawnBy(routes, address)[0]).toBe('')
    expect(shown(routes, address)).toBe(shown(routes, '/account'))
    expect(listed.map(([it]) => it)).toContain(address)
  },
)

test.each(Object.keys(otherPages))('%s is drawn by the other pages', (address) => {
  expect(drawnBy(routes, address)).toEqual(['*'])
  expect(drawnBy(otherRoutes, address)).toEqual([address])
})
