import { accountPages, SHOP_DOCUMENT } from '@guildhall/wire/pages.ts'
import { cleanup, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { setLocale } from '../kit/i18n.ts'
import { RouteSkeleton } from './RouteSkeleton.tsx'

beforeEach(() => setLocale('zh-CN'))
afterEach(cleanup)

const show = (address: string) =>
  render(
    <MemoryRouter initialEntries={[address.replace(/:\w+/g, '1')]}>
      <RouteSkeleton />
    </MemoryRouter>,
  ).container

test.each(Object.entries(accountPages))('%s waits with the outlines of its document', (address, page) => {
  const isShop = 'document' in page && page.document === SHOP_DOCUMENT
  const container = show(address)
  expect(screen.getByRole('status', { name: '加载中' })).toBeTruthy()
  expect(container.querySelector('[data-shop]') !== null).toBe(isShop || address.startsWith('/guild/boost'))
})

test('guilds wait with the outlines of a list beside the rail, not of a page', () => {
  expect(show('/discover').innerHTML).toBe(show('/channels/1').innerHTML)
  expect(show('/friends').innerHTML).not.toBe(show('/channels/1').innerHTML)
})
