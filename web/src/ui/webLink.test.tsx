import { goWildPath } from '@guildhall/wire/site/outside.ts'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { MemoryRouter, useLocation } from 'react-router'
import { afterEach, expect, test } from 'vitest'
import { WebLink } from './WebLink.tsx'

afterEach(cleanup)

function Address() {
  const { pathname, search } = useLocation()
  return <output>{pathname + search}</output>
}

function show(href: string): HTMLAnchorElement {
  render(
    <MemoryRouter>
      <WebLink href={href}>去</WebLink>
      <Address />
    </MemoryRouter>,
  )
  return screen.getByRole('link')
}

/**
 * Where the browser leads, however the link is opened: by a tap, a key, the middle button, or held and opened
 * from a menu.
 */
const leadsTo = (link: HTMLAnchorElement): string => link.getAttribute('href') ?? ''

const OUTSIDE = 'https://site.example/a?b=c&d=公会#e'

test('another site is behind the warning, however its link is opened, and its real address is told beside it', () => {
  const link = show(OUTSIDE)
  expect(leadsTo(link)).toBe(goWildPath(OUTSIDE))
  expect(link.title).toBe(OUTSIDE)
})

test('an address with half of a character is behind the warning too', () => {
  expect(leadsTo(show('https://site.example/\ud800'))).toBe(goWildPath('https://site.example/\ufffd'))
})

test('another site is opened in a new tab, without opener and referrer', () => {
  const link = show(OUTSIDE)
  expect(link.getAttribute('target')).toBe('_blank')
  expect(link.getAttribute('rel')).toBe('noopener noreferrer nofollow')
})

test.each([
  `${location.origin}.evil.example/channels/1`,
  `${location.origin.replace('://', '://a@')}/channels/1`,
  'https://localhost:1/channels/1',
])('%s is not of this site', (href) => {
  expect(leadsTo(show(href))).toBe(goWildPath(href))
})

test.each([
  ['/channels/1/2?m=3', '/channels/1/2?m=3'],
  ['/abc123', '/invite/abc123'],
  ['/invite/abc123', '/invite/abc123'],
  ['/user-invite/abc123', '/user-invite/abc123'],
  ['/chats', '/chats'],
])('%s of this site opens in place', (path, inside) => {
  const link = show(location.origin + path)
  expect(link.getAttribute('target')).toBeNull()
  fireEvent.click(link)
  expect(screen.getByRole('status').textContent).toBe(inside)
})

test.each(['/terms', '/assets/2026-11/abcdefghij0u00dw.png', '//evil.example/channels/', '/.//channels'])(
  '%s of this site opens in a new tab, without the warning',
  (path) => {
    const href = `${location.origin}${path}`
    const link = show(href)
    expect(link.getAttribute('target')).toBe('_blank')
    expect(leadsTo(link)).toBe(href)
    expect(link.title).toBe('')
  },
)
