import { fail } from '@guildhall/wire/failure.ts'
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import { listCodeProducts, makeCodes } from '@guildhall/wire/staff/codes.ts'
import { listStaffLog } from '@guildhall/wire/staff/log.ts'
import { type StaffPerson, staffViewPerson } from '@guildhall/wire/staff/people.ts'
import type { StaffRight } from '@guildhall/wire/staff/rights.ts'
import type { StaffSelf } from '@guildhall/wire/staff/session.ts'
import { deleteUser, suspendUser } from '@guildhall/wire/staff/staff.ts'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fakeServer } from '../../testing/fakeServer.ts'
import { fill } from '../../testing/hands.ts'
import { renderAt } from '../../testing/renderAt.tsx'
import { NewBatch } from '../codes/NewBatch.tsx'
import { Self } from '../self.ts'
import { numberTyped } from './PeopleSearch.tsx'
import { PersonPage } from './PersonPage.tsx'

const somebody: StaffPerson = {
  id: '100000009' as UserId,
  username: '小满',
  identify_num: '1234',
  avatar: '',
  bot: false,
  state: 'active',
  suspended_until: 0,
  suspended_reason: '',
  created_at: 1,
  is_staff: false,
  mobile_prefix: '86',
  mobile: '*******0003',
  mobile_verified: true,
  custom_num: '',
  has_password: true,
  second_factor: false,
  staff_role: '',
  staff_rights: [],
  verified_at: 0,
  sessions: [],
  boost_unused: 0,
  boost_used: [],
  golive_normal: 0,
  golive_pro: 0,
  buff_until: 0,
  guilds: [{ id: '10' as GuildId, name: '深夜电台', is_owner: true, is_gone: false, joined_at: 1 }],
  buff_grants: [
    { id: '7', order_id: '', days: 30, granted_at: 1, revoked_at: 0 },
    { id: '8', order_id: '100000000001', days: 30, granted_at: 1, revoked_at: 0 },
  ],
}

let server: ReturnType<typeof fakeServer>
let person: StaffPerson
beforeEach(() => {
  server = fakeServer()
  person = somebody
  server.on(staffViewPerson, () => person)
  server.on(listStaffLog, () => ({ items: [], has_more: false }))
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const selfWith = (rights: readonly StaffRight[]): StaffSelf => ({
  id: '1' as UserId,
  username: '值班员',
  identify_num: '0001',
  avatar: '',
  role: '',
  rights: [...rights],
  ends_at: 1,
})
const open = (...rights: StaffRight[]) =>
  renderAt(
    '/staff/people/100000009',
    '/staff/people/:id',
    <Self value={selfWith(['people', ...rights])}>
      <PersonPage />
    </Self>,
  )
const press = (name: string) =>
  fireEvent.click(within(screen.getByRole('alertdialog')).getByRole('button', { name }))
const say = (label: string, value: string) => fill(screen.getByLabelText(label, { exact: false }), { value })

test('a number is of China, unless it begins with another prefix', () => {
  expect(numberTyped('138 0000 0003')).toEqual({ mobile_prefix: '86', mobile: '13800000003' })
  for (const typed of ['+852 6123-4567', '+85261234567', '00852 6123 4567'])
    expect(numberTyped(typed)).toEqual({ mobile_prefix: '852', mobile: '61234567' })
  expect(numberTyped('+86 138 0000 0003')).toEqual({ mobile_prefix: '86', mobile: '13800000003' })
})

test('somebody who is not there is said to be so, and may be asked for again', async () => {
  server.on(staffViewPerson, () => fail('user.unknown'))
  open()
  expect(await screen.findByText('用户不存在')).toBeTruthy()
  server.on(staffViewPerson, () => person)
  fireEvent.click(screen.getByRole('button', { name: /重试|再试/ }))
  expect(await screen.findByText('小满#1234')).toBeTruthy()
})

test('what the rights do not allow is neither offered nor linked nor asked for', async () => {
  open()
  expect(await screen.findByText('小满#1234')).toBeTruthy()
  for (const name of ['赠送 BUFF', '收回', '退出所有设备', '解封'])
    expect(screen.queryByRole('button', { name })).toBeNull()
  expect(screen.queryByRole('link', { name: '深夜电台' })).toBeNull()
  expect(screen.queryByRole('link', { name: /订单/ })).toBeNull()
  expect(server.received(listStaffLog)).toEqual([])
})

test('with the rights there are links and acts; only what the house gave is taken back', async () => {
  open('gift', 'order', 'guild', 'log')
  const link = await screen.findByRole('link', { name: '查看该用户的订单' })
  expect(link.getAttribute('href')).toBe('/staff/orders?number=100000009')
  expect(screen.getByRole('link', { name: '深夜电台' }).getAttribute('href')).toBe('/staff/guilds/10')
  expect(screen.getAllByRole('button', { name: '收回' })).toHaveLength(1)
  expect(server.received(listStaffLog)).toEqual([{ user_id: '100000009', kind: 'act' }])
})

test('nothing is offered on staff and on deleted accounts', async () => {
  person = { ...somebody, is_staff: true, staff_role: 'support', staff_rights: ['people'] }
  open('gift')
  expect(await screen.findByText('工作人员的账号只能用命令行操作。')).toBeTruthy()
  expect(screen.queryByRole('button', { name: '封禁' })).toBeNull()
  expect(screen.queryByRole('button', { name: '收回' })).toBeNull()
  cleanup()
  person = { ...somebody, state: 'deleted' }
  open('gift')
  expect(await screen.findByText('已注销')).toBeTruthy()
  expect(screen.queryByRole('button', { name: '注销账号' })).toBeNull()
})

test('a suspension needs a reason, and a refusal stands in its dialog', async () => {
  server.on(suspendUser, () => fail('forbidden'))
  open()
  fireEvent.click(await screen.findByRole('button', { name: '封禁' }))
  press('封禁')
  expect((await screen.findByRole('alert')).textContent).toBe('请填写原因')
  expect(server.received(suspendUser)).toEqual([])
  say('原因', '刷屏')
  say('时长', '0')
  press('封禁')
  expect((await screen.findByRole('alert')).textContent).toContain('未授权')
  expect(server.received(suspendUser)).toEqual([{ user_id: '100000009', until: 0, reason: '刷屏' }])
})

test('deleting an account is asked twice', async () => {
  server.on(deleteUser, () => ({}))
  open()
  fireEvent.click(await screen.findByRole('button', { name: '注销账号' }))
  say('原因', '本人申请')
  press('注销账号')
  expect(await screen.findByText(/此操作无法撤销/)).toBeTruthy()
  expect(server.received(deleteUser)).toEqual([])
  press('注销账号')
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  expect(server.received(deleteUser)).toEqual([{ user_id: '100000009', words: false, reason: '本人申请' }])
})

test('codes are not asked for with wrong numbers, and leaving without the export is warned of', async () => {
  server.on(listCodeProducts, () => ({ items: [{ id: 1001, name: 'BUFF 月卡', kind: 'buff', price: 3000 }] }))
  server.on(makeCodes, () => ({ batch_id: '5', codes: ['AAAAA-BBBBB'], approval_id: '' }))
  renderAt('/staff/codes/new', '/staff/codes/new', <NewBatch />)
  fireEvent.click(await screen.findByRole('button', { name: '生成兑换码' }))
  expect(screen.queryByRole('alertdialog')).toBeNull()
  say('商品', '1001')
  say('数量', '10001')
  fireEvent.click(screen.getByRole('button', { name: '生成兑换码' }))
  expect(await screen.findByText('请输入 1 到 10000 的整数')).toBeTruthy()
  say('数量', '1')
  fireEvent.click(screen.getByRole('button', { name: '生成兑换码' }))
  say('原因', '活动')
  press('生成兑换码')
  expect(await screen.findByDisplayValue('AAAAA-BBBBB')).toBeTruthy()
  const leaving = new Event('beforeunload', { cancelable: true })
  dispatchEvent(leaving)
  expect(leaving.defaultPrevented).toBe(true)
  press('关闭')
  expect(screen.getByText('还没有导出')).toBeTruthy()
  press('再看看')
  expect(screen.getByDisplayValue('AAAAA-BBBBB')).toBeTruthy()
  press('关闭')
  press('放弃并离开')
  expect(await screen.findByText('at /staff/codes/5')).toBeTruthy()
  const after = new Event('beforeunload', { cancelable: true })
  dispatchEvent(after)
  expect(after.defaultPrevented).toBe(false)
})

test.each([
  '+86 138 0000 0003',
  '+8613800000003',
  '0086 13800000003',
  '＋８６－１３８０００００００３\u200b',
])('%s is found as a number of China', (typed) =>
  expect(numberTyped(typed)).toEqual({ mobile_prefix: '86', mobile: '13800000003' }),
)
