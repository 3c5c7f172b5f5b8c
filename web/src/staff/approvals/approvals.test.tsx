import { fail } from '@guildhall/wire/failure.ts'
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import {
  type Approval,
  decideApproval,
  listApprovals,
  withdrawApproval,
} from '@guildhall/wire/staff/approvals.ts'
import { type StaffSelf, staffLogout } from '@guildhall/wire/staff/session.ts'
import { staffWaiting } from '@guildhall/wire/staff/waiting.ts'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { setLocale } from '../../kit/i18n.ts'
import { fakeServer } from '../../testing/fakeServer.ts'
import { fill } from '../../testing/hands.ts'
import { renderAt } from '../../testing/renderAt.tsx'
import { Frame } from '../Frame.tsx'
import { Self } from '../self.ts'
import ApprovalsSection from './ApprovalsSection.tsx'

const codes: Approval = {
  id: '7',
  kind: 'codes',
  why: 'value',
  facts: {
    codes: {
      product_id: 1001,
      product_name: 'BUFF 年卡',
      price: 16_800,
      count: 10_000,
      per_user: 1,
      expires_at: 0,
      note: '周年庆',
      value: 168_000_000,
    },
  },
  actor: '9',
  actor_name: '小林',
  reason: '直播间',
  created_at: 1,
  expires_at: 2,
  state: 'waiting',
  failure: '',
  decided_by: '',
  decided_by_name: '',
  decided_at: null,
  decided_why: '',
}
const self: StaffSelf = {
  id: '1' as UserId,
  username: '值班员',
  identify_num: '0001',
  avatar: '',
  role: 'finance',
  rights: ['code', 'price'],
  ends_at: 1,
}

let server: ReturnType<typeof fakeServer>
let items: Approval[]
beforeEach(() => {
  server = fakeServer()
  items = [codes]
  server.on(listApprovals, () => ({ items, has_more: false }))
})
afterEach(() => {
  cleanup()
  setLocale('zh-CN')
  vi.unstubAllGlobals()
})

const open = (search = '') =>
  renderAt(
    `/staff/approvals${search}`,
    '/staff/approvals',
    <Self value={self}>
      <ApprovalsSection />
    </Self>,
  )
const dialog = () => screen.getByRole('alertdialog')
const press = (name: string) => fireEvent.click(within(dialog()).getByRole('button', { name }))

test('who asked is told that somebody else has to approve, and decides nothing', async () => {
  items = [{ ...codes, actor: '1' }]
  open()
  expect(await screen.findByText('需要其他人批准')).toBeTruthy()
  expect(screen.queryByRole('button', { name: '批准' })).toBeNull()
  expect(screen.queryByRole('button', { name: '驳回' })).toBeNull()
})

test('who asked takes it back, and nobody else can', async () => {
  items = [codes, { ...codes, id: '8', actor: '1' }]
  server.on(withdrawApproval, ({ id }) => {
    items = items.filter((it) => it.id !== String(id))
    return {}
  })
  open()
  expect(await screen.findAllByRole('button', { name: '撤回' })).toHaveLength(1)
  fireEvent.click(screen.getByRole('button', { name: '撤回' }))
  expect(dialog().textContent).toContain('BUFF 年卡')
  press('撤回')
  await waitFor(() => expect(screen.queryByText('需要其他人批准')).toBeNull())
  expect(server.received(withdrawApproval)).toEqual([{ id: 8 }])
  expect(screen.getByRole('button', { name: '批准' })).toBeTruthy()
})

test('an approval says what exactly will happen, and then shows the codes this once', async () => {
  server.on(decideApproval, () => ({ batch_id: '5', codes: ['AAAAA-BBBBB'] }))
  open()
  fireEvent.click(await screen.findByRole('button', { name: '批准' }))
  for (const text of [
    'BUFF 年卡',
    '¥168.00',
    '10000 个',
    '¥1,680,000.00',
    '每人可用 1 次',
    '长期有效',
    '周年庆',
  ])
    expect(dialog().textContent).toContain(text)
  press('批准')
  expect(await screen.findByDisplayValue('AAAAA-BBBBB')).toBeTruthy()
  expect(server.received(decideApproval)).toEqual([{ id: 7, approve: true, reason: '' }])
})

test('a rejection needs a reason', async () => {
  server.on(decideApproval, () => ({ batch_id: '', codes: [] }))
  open()
  fireEvent.click(await screen.findByRole('button', { name: '驳回' }))
  press('驳回')
  expect((await screen.findByRole('alert')).textContent).toBe('请填写原因')
  fill(within(dialog()).getByLabelText(/^原因/), { value: '数量太多' })
  press('驳回')
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  expect(server.received(decideApproval)).toEqual([{ id: 7, approve: false, reason: '数量太多' }])
})

test('what has changed meanwhile is refused, and its dialog says what it would do now', async () => {
  const change = { product_id: 1001, product_name: 'BUFF 月卡', valid_from: 0, after: { price: 1 } }
  const withPrice = (price: number): Approval => ({
    ...codes,
    kind: 'change',
    why: 'price',
    facts: { change: { ...change, before: { price } } },
  })
  items = [withPrice(1800)]
  server.on(decideApproval, () => {
    items = [withPrice(1500)]
    return fail('staff.approval_changed')
  })
  open()
  fireEvent.click(await screen.findByRole('button', { name: '批准' }))
  expect(dialog().textContent).toContain('价格 ¥18.00 → ¥0.01')
  press('批准')
  await waitFor(() => expect(dialog().textContent).toContain('价格 ¥15.00 → ¥0.01'))
  expect(within(dialog()).getByRole('alert').textContent).toContain('情况已有变化')
})

test('what could not be done still waits, and says why', async () => {
  items = [{ ...codes, failure: 'product.retired' }]
  open()
  expect(await screen.findByText('上次未能执行：商品已下架')).toBeTruthy()
  expect(screen.getByRole('button', { name: '批准' })).toBeTruthy()
})

test('what was decided says how, by whom and why; in English, too', async () => {
  setLocale('en')
  const [from, to] = [
    { id: '2' as UserId, name: 'Ann#0001' },
    { id: '3' as UserId, name: 'Bob#0002' },
  ]
  items = [
    {
      ...codes,
      kind: 'guild',
      why: 'owner',
      facts: { guild: { id: '10' as GuildId, name: 'Night', from, to } },
      state: 'rejected',
      decided_by: 'operator',
      decided_at: 3,
      decided_why: 'not proven',
    },
  ]
  open('?state=decided')
  expect(
    await screen.findByText(/the guild Night \(10\) goes from Ann#0001 \(2\) to Bob#0002 \(3\)/),
  ).toBeTruthy()
  expect(screen.getByText('Rejected')).toBeTruthy()
  expect(screen.getByText(/not proven/)).toBeTruthy()
  expect(screen.getByText('Command line')).toBeTruthy()
  expect(server.received(listApprovals)).toEqual([{ state: 'decided' }])
})

test('the section has a badge, for those alone whose rights decide something', async () => {
  server.on(staffWaiting, () => ({ reviews: null, reports: null, orders: null, approvals: 3 }))
  server.on(staffLogout, () => ({}))
  renderAt('/staff/approvals', '/staff/*', <Frame self={self} onLeave={() => undefined} />)
  expect(await screen.findByRole('link', { name: /待批.*3 项待处理/ })).toBeTruthy()
  cleanup()
  renderAt('/staff', '/staff/*', <Frame self={{ ...self, rights: ['word'] }} onLeave={() => undefined} />)
  expect(screen.queryByRole('link', { name: /待批/ })).toBeNull()
})
