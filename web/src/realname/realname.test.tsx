import { updateSelf } from '@guildhall/wire/auth/owner.ts'
import { fail } from '@guildhall/wire/failure.ts'
import { type RealName, viewRealName } from '@guildhall/wire/realname/realname.ts'
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { writeStored } from '../kit/browser/storage.ts'
import { fakeServer } from '../testing/fakeServer.ts'
import { sessionOf } from '../testing/fixtures.ts'
import { typeSoon } from '../testing/hands.ts'
import { renderAt } from '../testing/renderAt.tsx'
import RealNameScreen from './RealNameScreen.tsx'

const NUMBER = '11010519491231002X'
const NOT_YET: RealName = { offered: true, verified: false, verified_at: 0, name: '', number: '' }

let server: ReturnType<typeof fakeServer>
let state: RealName
let sent: unknown[]
beforeEach(() => {
  localStorage.clear()
  writeStored('authorization', 'tok')
  state = NOT_YET
  sent = []
  server = fakeServer()
  server.on(viewRealName, () => state)
  server.on(updateSelf, (input) => {
    sent.push(input)
    state = {
      ...NOT_YET,
      verified: true,
      verified_at: 1_700_000_000_000,
      name: '*三',
      number: `${'*'.repeat(16)}2X`,
    }
    const { user } = sessionOf({ mobile_verified: true })
    return { ...user, user, has_password: true }
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const open = () => renderAt('/account/authentication', '/account/authentication', <RealNameScreen />)
const fill = async (name: string, number: string) => {
  await typeSoon('姓名', name)
  await typeSoon('身份证号', number)
  fireEvent.click(screen.getByRole('button', { name: '保存' }))
}

test('a community without the service says so, and offers no form', async () => {
  state = { ...NOT_YET, offered: false }
  open()
  expect(await screen.findByText('暂不支持实名认证')).toBeTruthy()
  expect(screen.queryByRole('button', { name: '保存' })).toBeNull()
})

test('what cannot be a name or a number is refused under its field, and nothing is sent', async () => {
  open()
  await fill('Zhang San', '110105194912310020')
  expect(await screen.findByText('姓名有误')).toBeTruthy()
  expect(screen.getByText('身份证号有误')).toBeTruthy()
  expect(document.activeElement).toBe(screen.getByLabelText('姓名'))
  expect(sent).toEqual([])
})

test.each([
  ['realname.mismatch', '姓名与身份证号不一致'],
  ['realname.taken', '该身份证认证的账号已达上限'],
  ['realname.unavailable', '网络错误，认证失败。'],
] as const)('what the server says of %s is shown', async (failure, text) => {
  server.on(updateSelf, () => fail(failure))
  open()
  await fill('张三', NUMBER)
  expect(await screen.findByText(text)).toBeTruthy()
})

test('a name with a dot is sent with the dot of identity cards', async () => {
  open()
  await fill('阿卜杜拉 • 买买提', NUMBER)
  await expect.poll(() => sent[0]).toMatchObject({ cert_name: '阿卜杜拉·买买提' })
})

test('a name and number that fit are sent once, without spaces, and then shown masked', async () => {
  open()
  await fill(' 张三 ', '110105 19491231 002x')
  fireEvent.click(screen.getByRole('button', { name: '保存' }))
  expect(await screen.findByText('已完成实名认证')).toBeTruthy()
  expect(screen.getByText('*三')).toBeTruthy()
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]).toMatchObject({ cert_name: '张三', cert_code: NUMBER })
})
