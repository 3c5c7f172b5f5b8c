import type { UserId } from '@guildhall/wire/id.ts'
import { routes } from '@guildhall/wire/routes.ts'
import { listStaffLog, type StaffLogRow } from '@guildhall/wire/staff/log.ts'
import type { StaffRight } from '@guildhall/wire/staff/rights.ts'
import { staffMe } from '@guildhall/wire/staff/session.ts'
import { staffWaiting } from '@guildhall/wire/staff/waiting.ts'
import { cleanup, render, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fakeServer } from '../../testing/fakeServer.ts'
import { renderAt } from '../../testing/renderAt.tsx'
import { Self } from '../self.ts'
import { aboutsOf } from './about.ts'
import LogSection from './LogSection.tsx'
import { useActText } from './LogTable.tsx'

const row = (change: Partial<StaffLogRow>): StaffLogRow => ({
  id: '1',
  at: 1,
  actor: '7',
  actor_name: '值班员',
  place: '10.0.0',
  kind: 'act',
  name: 'user suspend',
  user_id: '',
  user_name: '',
  target: '',
  detail: {},
  ...change,
})

let server: ReturnType<typeof fakeServer>
let items: StaffLogRow[]
beforeEach(() => {
  server = fakeServer()
  items = []
  server.on(listStaffLog, () => ({ items, has_more: false }))
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const open = (...rights: StaffRight[]) =>
  renderAt(
    '/staff/log',
    '/staff/log',
    <Self
      value={{
        id: '7' as UserId,
        username: '值班员',
        identify_num: '0001',
        avatar: '',
        role: '',
        rights,
        ends_at: 0,
      }}
    >
      <LogSection />
    </Self>,
  )

test('a log without such rows says what would be in it', async () => {
  open('log')
  expect(await screen.findByText('没有这样的记录')).toBeTruthy()
})

test('a row says who did what to whom and why, with links to all of it, and keeps the raw fields folded', async () => {
  items = [
    row({ user_id: '9', user_name: '小满', detail: { reason: '刷屏', until: 5 } }),
    row({
      id: '2',
      name: 'report decide',
      target: '30',
      detail: { case: '12', outcome: 'acted' },
    }),
  ]
  open('log', 'people', 'report')
  const [, first, second] = await screen.findAllByRole('row')
  for (const words of ['值班员', '封禁用户', '刷屏']) expect(first?.textContent).toContain(words)
  expect(within(first!).getByRole('link', { name: '小满' }).getAttribute('href')).toBe('/staff/people/9')
  const raw = within(first!).getByText('until: 5').closest('details')
  expect(raw?.open).toBe(false)
  expect(second?.textContent).toContain('处理举报 · 违规')
  expect(within(second!).getByRole('link', { name: '举报 12' }).getAttribute('href')).toBe(
    '/staff/reports/12',
  )
})

test('nothing leads to what the rights of the reader do not open', async () => {
  items = [
    row({ user_id: '9', user_name: '小满', name: 'order refund', target: '100', detail: { fee: 1500 } }),
  ]
  open('log')
  expect(await screen.findByText('订单 100')).toBeTruthy()
  expect(screen.getByText('小满')).toBeTruthy()
  expect(screen.getByText(/退款 · .*15\.00/)).toBeTruthy()
  expect(screen.queryAllByRole('link')).toEqual([])
})

test('a look at one thing leads to it, and the object of an act and its field are the same thing once', () => {
  const look = (name: string, detail: object) => aboutsOf(row({ kind: 'call', name, detail: { ...detail } }))
  expect(look('report-view', { id: 12 })).toEqual([{ of: 'report', id: '12' }])
  expect(look('review-view', { id: 4, kind: 'message' })).toEqual([{ of: 'heldMessage', id: '4' }])
  expect(look('user-find', { id: 4, name: '' })).toEqual([])
  const act = row({ name: 'product change', target: '8', detail: { product_id: 8 } })
  expect(aboutsOf(act)).toEqual([{ of: 'product', id: '8' }])
})

test('every call of staff that is logged has words', () => {
  let say: (name: string) => string = (name) => name
  function Words() {
    say = useActText()
    return null
  }
  render(<Words />)
  const unsaid = [...routes.values()]
    .filter(({ who }) => who === 'staff')
    .filter((route) => route.path !== staffMe.path && route.path !== staffWaiting.path)
    .map(({ path }) => path.replace('/api/v3/staff/', ''))
    .filter((name) => say(name) === name)
  expect(unsaid).toEqual([])
})
