import { fail } from '@guildhall/wire/failure.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import type { StaffRight } from '@guildhall/wire/staff/rights.ts'
import { staffWaiting, WAITING_COUNT_MAX, type Waiting } from '@guildhall/wire/staff/waiting.ts'
import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fakeServer } from '../../testing/fakeServer.ts'
import { renderAt } from '../../testing/renderAt.tsx'
import { Frame } from '../Frame.tsx'

const nothing: Waiting = { reviews: null, reports: null, orders: null, approvals: null }
let server: ReturnType<typeof fakeServer>
let waiting: Waiting
beforeEach(() => {
  server = fakeServer()
  waiting = nothing
  server.on(staffWaiting, () => waiting)
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const open = (...rights: StaffRight[]) =>
  renderAt(
    '/staff',
    '*',
    <Frame
      self={{
        id: '1' as UserId,
        username: '值班员',
        identify_num: '0001',
        avatar: '',
        role: '',
        rights,
        ends_at: 0,
      }}
      onLeave={() => {}}
    />,
  )
const linksOf = (name: string) =>
  within(screen.getByLabelText(name))
    .getAllByRole('link')
    .map((link) => link.getAttribute('href'))

test('a right that opens no section leads nowhere', async () => {
  open('content')
  expect(await screen.findByText('你的账号没有可用的栏目')).toBeTruthy()
})

test('counts that were refused say why and are asked for again; the ways to the lists stay', async () => {
  server.on(staffWaiting, () => fail('internal'))
  open('report')
  expect((await screen.findByRole('alert')).textContent).toContain('待处理数量加载失败')
  expect(linksOf('待处理')).toEqual(['/staff/reports'])
  server.on(staffWaiting, () => ({ ...nothing, reports: 2 }))
  fireEvent.click(screen.getByRole('button', { name: '重试' }))
  expect(await screen.findByText('2 项等你处理')).toBeTruthy()
})

test('what waits is counted for the sections that the rights open, and leads to what waits', async () => {
  waiting = { ...nothing, orders: 3, approvals: WAITING_COUNT_MAX }
  open('order', 'gift', 'number')
  expect(await screen.findByText(`${WAITING_COUNT_MAX + 3}+ 项等你处理`)).toBeTruthy()
  expect(linksOf('待处理')).toEqual(['/staff/approvals', '/staff/orders?first=trouble'])
  expect(linksOf('其他栏目')).toEqual(['/staff/numbers'])
})

test('while it is counted nobody is told that all is done; when nothing waits, they are', async () => {
  const answer = server.waits(staffWaiting)
  open('report', 'review')
  expect(screen.getByText('正在统计待处理内容')).toBeTruthy()
  expect(screen.queryByText('都处理完了')).toBe(null)
  answer({ ...nothing, reports: 0, reviews: 0 })
  expect(await screen.findByText('都处理完了')).toBeTruthy()
})

test('who never has to decide anything is offered their sections alone', async () => {
  open('people')
  expect(await screen.findByText('你的栏目没有需要处理的内容')).toBeTruthy()
  expect(linksOf('其他栏目')).toEqual(['/staff/people'])
})
