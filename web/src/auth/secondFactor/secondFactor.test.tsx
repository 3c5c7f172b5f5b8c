import { login } from '@guildhall/wire/auth/login.ts'
import { thirdPartLogin } from '@guildhall/wire/auth/thirdParty.ts'
import { fail } from '@guildhall/wire/failure.ts'
import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { call, onCaptcha, onSecondFactor } from '../../kit/call.ts'
import { failureOf } from '../../testing/failure.ts'
import { fakeServer } from '../../testing/fakeServer.ts'
import { sessionOf } from '../../testing/fixtures.ts'
import { fill } from '../../testing/hands.ts'
import { askSecondFactor } from './secondFactor.tsx'

let server: ReturnType<typeof fakeServer>
const RIGHT = '123456'
const who = { mobile: '13800000000', mobile_prefix: '86', password: 'secret1' }

beforeEach(() => {
  localStorage.clear()
  server = fakeServer()
  onSecondFactor(askSecondFactor)
  server.on(login, ({ second_factor: given }) => {
    if (!given) return fail('auth.second_factor_needed')
    return given === RIGHT ? sessionOf() : fail('auth.second_factor_wrong')
  })
})
afterEach(() => {
  const open = screen.queryByRole('button', { name: '取消' })
  if (open) fireEvent.click(open)
  onSecondFactor(null)
  onCaptcha(null)
  cleanup()
  vi.unstubAllGlobals()
})

const enter = async (text: string, label = '动态验证码') => {
  fill(await screen.findByLabelText(label), { value: text })
  fireEvent.click(screen.getByRole('button', { name: '确定' }))
}

test('a wrong code shows its message and keeps the call waiting; the right one answers it', async () => {
  const answer = call(login, who)
  await enter('000000')
  await screen.findByText('两步验证码错误')
  await enter(RIGHT)
  expect((await answer).token).toBe(sessionOf().token)
  expect(server.received(login).map(({ second_factor }) => second_factor)).toEqual([
    undefined,
    '000000',
    RIGHT,
  ])
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('nothing is sent without a code, and letters of a recovery code are', async () => {
  const failed = failureOf(call(login, who))
  await enter('')
  await screen.findByText('请输入验证码')
  fireEvent.click(screen.getByRole('button', { name: /输入恢复码/ }))
  await enter(' - ', '恢复码')
  await screen.findByText('请输入验证码')
  expect(server.received(login)).toHaveLength(1)
  await enter('abcde-fghjk', '恢复码')
  await screen.findByText('两步验证码错误')
  expect(server.received(login)[1]?.second_factor).toBe('abcdefghjk')
  fireEvent.click(screen.getByRole('button', { name: '取消' }))
  await failed
})

test('closing it lets the call fail without words', async () => {
  const failed = failureOf(call(login, who))
  await screen.findByRole('dialog')
  fireEvent.click(screen.getByRole('button', { name: '取消' }))
  expect(await failed).toMatchObject({ name: 'auth.second_factor_needed', message: '' })
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('a refusal that no other code lifts closes it and is the failure of the call', async () => {
  const failed = failureOf(call(login, who))
  await screen.findByRole('dialog')
  server.on(login, () => fail('auth.too_many_tries'))
  await enter(RIGHT)
  expect((await failed).name).toBe('auth.too_many_tries')
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('a captcha that the second call needs is solved for it, and the first pass is not used again', async () => {
  let solved = 0
  onCaptcha(async () => `pass ${++solved}`)
  const used = new Set<string>()
  server.on(login, ({ sign = '', second_factor }) => {
    if (sign === '' || used.has(sign)) return fail('captcha.needed', { sign: '' })
    used.add(sign)
    return second_factor === RIGHT ? sessionOf() : fail('auth.second_factor_needed')
  })
  const answer = call(login, who)
  await enter(RIGHT)
  expect((await answer).token).toBe(sessionOf().token)
  expect([...used]).toEqual(['pass 1', 'pass 2'])
})

test('the proof of a login by a third party goes with the code', async () => {
  server.on(thirdPartLogin, ({ second_factor, second_factor_proof }) =>
    second_factor === RIGHT && second_factor_proof === 'sealed'
      ? sessionOf()
      : fail('auth.second_factor_needed', { proof: 'sealed' }),
  )
  const answer = call(thirdPartLogin, { token_type: 'qq', auth_code: 'x', state: 'qqlogin.x' })
  await enter(RIGHT)
  expect((await answer).token).toBe(sessionOf().token)
})
