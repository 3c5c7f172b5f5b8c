import { goWildPath } from '@guildhall/wire/site/outside.ts'
import { cleanup, createEvent, fireEvent, render, screen } from '@testing-library/react'
import { MemoryRouter, useLocation } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { WebLink } from './WebLink.tsx'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

function Place() {
  const { pathname, search } = useLocation()
  return <output>{pathname + search}</output>
}

function show(href: string): HTMLAnchorElement {
  render(
    <MemoryRouter>
      <WebLink href={href}>去</WebLink>
      <Place />
    </MemoryRouter>,
  )
  return screen.getByRole('link')
}

/** Presses a button of the mouse on a link; the path that the browser reads afterwards. */
function opened(link: HTMLAnchorElement, kind: 'click' | 'auxclick', button = 0): string {
  vi.useFakeTimers()
  const event = createEvent(
    kind,
    link,
    { button, bubbles: true, cancelable: true },
    { EventType: 'MouseEvent' },
  )
  // Nothing is opened in a test.
  link.addEventListener(kind, (it) => it.preventDefault())
  fireEvent(link, event)
  return link.getAttribute('href') ?? ''
}

const OUTSIDE = 'https://site.example/a?b=c&d=公会#e'

test.each([
  ['click', 0],
  ['auxclick', 1],
] as const)(
  'a %s on another site opens the warning, and the address is whole again afterwards',
  (kind, button) => {
    const link = show(OUTSIDE)
    expect(link.getAttribute('href')).toBe(OUTSIDE)
    expect(opened(link, kind, button)).toBe(goWildPath(OUTSIDE))
    vi.runAllTimers()
    expect(link.getAttribute('href')).toBe(OUTSIDE)
  },
)

test('an address with half of a character opens the warning too', () => {
  expect(opened(show('https://site.example/\ud800'), 'click')).toBe(goWildPath('https://site.example/\ufffd'))
})

test('the menu of the right button copies the real address', () => {
  expect(opened(show(OUTSIDE), 'auxclick', 2)).toBe(OUTSIDE)
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
  expect(opened(show(href), 'click')).toBe(goWildPath(href))
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
    expect(opened(link, 'click')).toBe(href)
  },
)
