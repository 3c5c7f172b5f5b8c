import { updateSelf } from '@guildhall/wire/auth/owner.ts'
import { fail } from '@guildhall/wire/failure.ts'
import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { writeStored } from '../../kit/browser/storage.ts'
import { setLocale } from '../../kit/i18n.ts'
import { fakeServer } from '../../testing/fakeServer.ts'
import { sessionOf } from '../../testing/fixtures.ts'
import { fill } from '../../testing/hands.ts'
import { renderAt } from '../../testing/renderAt.tsx'
import ChangeDigitsScreen from './ChangeDigitsScreen.tsx'

let server: ReturnType<typeof fakeServer>
beforeEach(() => {
  localStorage.clear()
  writeStored('authorization', 'tok')
  setLocale('zh-CN')
  server = fakeServer()
})
afterEach(cleanup)

const show = (is_vip: boolean) => {
  const { user } = sessionOf({ is_vip })
  server.on(updateSelf, ({ identify_num }) => {
    const changed = { ...user, identify_num: identify_num || '0007' }
    return { ...changed, user: changed, has_password: true }
  })
  renderAt('/account/digits', '/account/digits', <ChangeDigitsScreen />, user)
}
const choose = (digits: string) => {
  fill(screen.getByLabelText('编号'), { value: digits })
  fireEvent.click(screen.getByRole('button', { name: '保存' }))
}

test('without BUFF there is no field, but the way to it', () => {
  show(false)
  expect(screen.queryByLabelText('编号')).toBeNull()
  expect(screen.getByRole('link', { name: '开通 BUFF 会员' }).getAttribute('href')).toBe('/account/buff')
})

test('what is no number, or is taken, is said under the field', async () => {
  show(true)
  choose('12a4')
  expect(await screen.findByText('编号为 4-8 位数字')).toBeTruthy()
  expect(server.received(updateSelf)).toEqual([])
  server.on(updateSelf, () => fail('user.number_taken'))
  choose('8888')
  expect(await screen.findByText('同名用户已使用这个编号，请换一个')).toBeTruthy()
  expect(screen.getByLabelText('编号').getAttribute('aria-invalid')).toBe('true')
})

test('a number is saved, and an empty field gives the old one back', async () => {
  show(true)
  choose('520520')
  expect(await screen.findByText('at /account')).toBeTruthy()
  cleanup()
  show(true)
  choose('')
  expect(await screen.findByText('at /account')).toBeTruthy()
  expect(server.received(updateSelf)).toMatchObject([{ identify_num: '520520' }, { identify_num: '' }])
})
