import { sendCode } from '@guildhall/wire/auth/auth.ts'
import { login } from '@guildhall/wire/auth/login.ts'
import { verifyMobile } from '@guildhall/wire/auth/owner.ts'
import { type Challenge, captcha, checkCaptcha } from '@guildhall/wire/captcha/captcha.ts'
import { fail } from '@guildhall/wire/failure.ts'
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import LoginScreen from '../auth/LoginScreen.tsx'
import { call, onCaptcha } from '../kit/call.ts'
import { failureOf } from '../testing/failure.ts'
import { fakeServer } from '../testing/fakeServer.ts'
import { sessionOf } from '../testing/fixtures.ts'
import { fill, pressSoon, typeSoon } from '../testing/hands.ts'
import { renderAt } from '../testing/renderAt.tsx'
import { askCaptcha } from './captcha.tsx'

let server: ReturnType<typeof fakeServer>
let made = 0
const NUMBER = { mobile: '13800000000', mobile_prefix: '86' }
const PASS = 'the pass'
const { user } = sessionOf()
const changedSelf = { ...user, user, has_password: true }

const shown: Record<string, Partial<Challenge>> = {
  slider: { piece: { imgData: 'AAAA', top: 40 } },
}

beforeEach(() => {
  localStorage.clear()
  made = 0
  server = fakeServer()
  onCaptcha(askCaptcha)
  server.on(captcha, ({ kind }) => {
    made += 1
    return { id: `challenge ${made}`, kind, imgData: 'AAAA', ...shown[kind] }
  })
  server.on(checkCaptcha, (it) => (it.captcha === 'right' ? { sign: PASS } : fail('captcha.wrong')))
  server.on(sendCode, ({ sign }) => (sign === PASS ? {} : fail('captcha.needed', { sign: '' })))
})
afterEach(() => {
  // It lies beside what the tests draw.
  const open = screen.queryByRole('button', { name: '取消' })
  if (open) fireEvent.click(open)
  onCaptcha(null)
  cleanup()
  vi.unstubAllGlobals()
})

const dialog = () => screen.findByRole('dialog')
const ask = () => call(sendCode, { ...NUMBER, type: 'login' })

test('a refusal opens the dialog, and the call is made again with the sign of the right answer', async () => {
  const answer = ask()
  await typeSoon('图中的字符', 'right')
  await pressSoon('确定')
  expect(await answer).toEqual({})
  expect(server.received(checkCaptcha)).toEqual([{ id: 'challenge 1', captcha: 'right', ...NUMBER }])
  expect(server.received(sendCode).map(({ sign }) => sign)).toEqual([undefined, PASS])
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('a wrong answer shows its message and a new picture, and keeps the call waiting', async () => {
  const answer = ask()
  await typeSoon('图中的字符', 'wrong')
  await pressSoon('确定')
  await screen.findByText('验证未通过，请再试一次')
  expect(server.received(captcha)).toHaveLength(2)
  await typeSoon('图中的字符', 'right')
  await pressSoon('确定')
  await answer
  expect(server.received(checkCaptcha)[1]?.id).toBe('challenge 2')
})

test('closing it lets the call fail without words', async () => {
  const failed = failureOf(ask())
  await dialog()
  await pressSoon('取消')
  expect(await failed).toMatchObject({ name: 'captcha.needed', message: '' })
  expect(server.received(sendCode)).toHaveLength(1)
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('Escape closes it', async () => {
  const failed = failureOf(ask())
  await dialog()
  fireEvent.keyDown(document.body, { key: 'Escape' })
  expect((await failed).message).toBe('')
})

test('many calls open one dialog; the others are tried again once it is solved, and ask again if they must', async () => {
  const [first, second] = [ask(), ask()]
  await dialog()
  await waitFor(() => expect(server.received(sendCode)).toHaveLength(2))
  expect(screen.getAllByRole('dialog')).toHaveLength(1)
  await typeSoon('图中的字符', 'right')
  await pressSoon('确定')
  await first
  await waitFor(() => expect(server.received(captcha)).toHaveLength(2))
  await typeSoon('图中的字符', 'right')
  await pressSoon('确定')
  expect(await second).toEqual({})
})

test('closing it ends all calls that wait', async () => {
  const failed = [failureOf(ask()), failureOf(ask())]
  await dialog()
  await waitFor(() => expect(server.received(sendCode)).toHaveLength(2))
  await pressSoon('取消')
  for (const each of failed) expect((await each).message).toBe('')
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('a call that is refused again after its captcha fails with the message', async () => {
  server.on(sendCode, () => fail('captcha.needed', { sign: '' }))
  const failed = failureOf(ask())
  await typeSoon('图中的字符', 'right')
  await pressSoon('确定')
  expect((await failed).message).toBe('请输入验证码')
  expect(server.received(sendCode)).toHaveLength(2)
})

test.each([
  ['400', '拖动滑块完成验证'],
  ['600', '请按正确顺序输入图中的成语'],
  ['anything', '请输入验证码'],
])('sign %s asks: %s', async (sign, title) => {
  server.on(sendCode, () => fail('captcha.needed', { sign }))
  const failed = failureOf(ask())
  expect((await dialog()).textContent).toContain(title)
  await pressSoon('取消')
  await failed
})

test('the piece of a slider is pushed by keys too, and its position is the answer', async () => {
  server.on(sendCode, ({ sign }) => (sign ? {} : fail('captcha.needed', { sign: '400' })))
  server.on(checkCaptcha, () => ({ sign: PASS }))
  const answer = ask()
  const slider = await screen.findByRole('slider', { name: '滑块位置' })
  await screen.findByText('推到形状相同的那一个上')
  expect(document.activeElement).toBe(slider)
  fireEvent.input(slider, { target: { value: '120' } })
  await pressSoon('确定')
  await answer
  expect(server.received(checkCaptcha)[0]?.captcha).toBe('120')
})

test('a slider is answered when the finger lets it go, without a further tap', async () => {
  server.on(sendCode, ({ sign }) => (sign ? {} : fail('captcha.needed', { sign: '400' })))
  server.on(checkCaptcha, () => ({ sign: PASS }))
  const answer = ask()
  const slider = await screen.findByRole('slider', { name: '滑块位置' })
  fireEvent.pointerDown(slider)
  for (const value of ['40', '120']) fireEvent.input(slider, { target: { value } })
  expect(server.received(checkCaptcha)).toEqual([])
  slider.dispatchEvent(new Event('change', { bubbles: true }))
  await answer
  expect(server.received(checkCaptcha).map(({ captcha }) => captcha)).toEqual(['120'])
})

/** A call that an idiom stands before, and where its characters are tapped. */
async function askedForIdiom() {
  server.on(sendCode, ({ sign }) => (sign ? {} : fail('captcha.needed', { sign: '600' })))
  server.on(checkCaptcha, () => ({ sign: PASS }))
  const answer = ask()
  return { answer, taps: await screen.findByRole('application', { name: /依次点击图中的四个字/ }) }
}

test('the characters of an idiom are tapped in order and started over, and three of them are no answer', async () => {
  const { answer, taps } = await askedForIdiom()
  taps.getBoundingClientRect = () => new DOMRect(10, 10, 140, 70)
  const tap = (x: number, y: number) => fireEvent.click(taps, { clientX: 10 + x, clientY: 10 + y })
  tap(1, 1)
  await pressSoon('重选')
  for (const x of [10, 50, 90]) tap(x, 20)
  await pressSoon('确定')
  expect(server.received(checkCaptcha)).toEqual([])
  for (const x of [130, 70]) tap(x, 20)
  await screen.findByText('已选 4/4')
  await pressSoon('确定')
  await answer
  expect(server.received(checkCaptcha)[0]?.captcha).toBe('20,40;100,40;180,40;260,40')
})

test('the characters of an idiom are marked by keys, which stay within the picture; none are typed', async () => {
  const { answer, taps } = await askedForIdiom()
  expect(document.activeElement).toBe(taps)
  expect(screen.queryByRole('textbox')).toBeNull()
  const press = (key: string, times: number) => {
    for (let n = 0; n < times; n += 1) fireEvent.keyDown(taps, { key })
  }
  press('ArrowLeft', 10)
  press(' ', 1)
  press('ArrowUp', 20)
  press(' ', 1)
  press('ArrowRight', 3)
  press(' ', 1)
  press('ArrowDown', 2)
  press(' ', 2)
  await pressSoon('确定')
  await answer
  expect(server.received(checkCaptcha)[0]?.captcha).toBe('40,70;40,0;70,0;70,20')
})

/** Workers that do each work by a counter of its salt, once they are let. */
function fakeWorkers() {
  const left: string[] = []
  let release = () => {}
  const free = new Promise<void>((resolve) => {
    release = resolve
  })
  vi.stubGlobal(
    'Worker',
    class {
      onmessage: (event: { data: string }) => void = () => {}
      salt = ''
      async postMessage({ salt }: { salt: string }) {
        this.salt = salt
        await free
        this.onmessage({ data: `counter of ${salt}` })
      }
      terminate() {
        left.push(this.salt)
      }
    },
  )
  return { left, letGo: () => release() }
}

test('the work beside a picture is done while somebody slides, and goes with the answer', async () => {
  const workers = fakeWorkers()
  server.on(sendCode, ({ sign }) => (sign ? {} : fail('captcha.needed', { sign: '400' })))
  server.on(captcha, ({ kind }) => {
    made += 1
    const work = { algorithm: '', nonce: '', salt: `${made}`, cost: 1, keyLength: 1, keyPrefix: '' }
    return { id: `challenge ${made}`, kind, imgData: 'AAAA', ...shown[kind], work }
  })
  server.on(checkCaptcha, () => ({ sign: PASS }))
  const answer = ask()
  await pressSoon('换一张')
  await waitFor(() => expect(workers.left).toEqual(['1']))
  fill(await screen.findByRole('slider'), { value: '120' })
  await pressSoon('确定')
  expect(server.received(checkCaptcha)).toEqual([])
  workers.letGo()
  await answer
  expect(server.received(checkCaptcha)).toEqual([
    { id: 'challenge 2', captcha: '120', counter: 'counter of 2', ...NUMBER },
  ])
})

test('who cannot see the picture chooses another way, the one without pictures first', async () => {
  const failed = failureOf(ask())
  await pressSoon('我看不清，换一种验证方式')
  const first = await screen.findByRole('button', { name: '不用看图，让手机来验证' })
  expect(document.activeElement).toBe(first)
  fireEvent.click(first)
  expect(await screen.findByRole('button', { name: '开始验证' })).toBeTruthy()
  expect(server.received(captcha).map(({ kind }) => kind)).toEqual(['image', 'work'])
  await pressSoon('取消')
  await failed
})

test('a challenge that cannot be made says why, and is asked for again', async () => {
  server.on(captcha, () => fail('captcha.too_many'))
  const failed = failureOf(ask())
  await screen.findByText('验证次数过多，请稍后再试')
  server.on(captcha, ({ kind }) => ({ id: 'late', kind, imgData: 'AAAA' }))
  await pressSoon('重试')
  await screen.findByLabelText('图中的字符')
  await pressSoon('取消')
  await failed
})

test('after a closed captcha the login form shows no problem', async () => {
  server.on(login, () => fail('captcha.needed', { sign: '400' }))
  renderAt('/login', '/login', <LoginScreen acceptInvite={() => Promise.reject(new Error('no invite'))} />)
  fireEvent.click(screen.getByRole('tab', { name: '密码登录' }))
  await typeSoon('手机号', NUMBER.mobile)
  await typeSoon('密码', 'secret123')
  await pressSoon('登录')
  await dialog()
  await pressSoon('取消')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(screen.queryByText('请输入验证码')).toBeNull()
  expect(document.body.textContent).not.toContain('发生错误')
})

test('a call that has its number inside of `mobile` gets a pass for that number', async () => {
  server.on(verifyMobile, ({ sign }) => (sign === PASS ? changedSelf : fail('captcha.needed', { sign: '' })))
  const answer = call(verifyMobile, { mobile: { ...NUMBER, code: '123456' } })
  await typeSoon('图中的字符', 'right')
  await pressSoon('确定')
  expect((await answer).user.id).toBe('7')
  expect(server.received(checkCaptcha)).toEqual([{ id: 'challenge 1', captcha: 'right', ...NUMBER }])
})
