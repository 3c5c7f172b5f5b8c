import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readStored, writeStored } from '../kit/browser/storage.ts'
import { setLocale } from '../kit/i18n.ts'
import { fakeNotifications } from '../testing/fakeNotification.ts'
import { fill } from '../testing/hands.ts'
import { renderAt } from '../testing/renderAt.tsx'
import NotificationRows from './NotificationRows.tsx'

const show = () => renderAt('/account', '/account', <NotificationRows />)
const row = (name = '浏览器通知') => screen.getByRole('switch', { name })
const note = () => document.getElementById(row().getAttribute('aria-describedby') ?? '')?.textContent
const isOn = (name?: string) => row(name).getAttribute('aria-checked') === 'true'

beforeEach(() => {
  localStorage.clear()
  setLocale('zh-CN')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('inside of the operator’s app, which notifies by itself, there are none', () => {
  fakeNotifications('granted')
  vi.stubGlobal('GuildhallNative', {})
  show()
  expect(screen.queryByRole('switch')).toBeNull()
})

test('a browser without notifications says so, and nothing can be switched', () => {
  Reflect.deleteProperty(globalThis, 'Notification')
  show()
  expect(note()).toContain('不能显示')
  expect(row().getAttribute('aria-disabled')).toBe('true')
})

test('a phone’s browser that has the name and throws has none', () => {
  const browser = fakeNotifications('default', 'default', true)
  show()
  expect(note()).toContain('不能显示')
  fireEvent.click(row())
  expect(browser.asked()).toBe(0)
})

test('a page without https has none', () => {
  fakeNotifications('denied')
  vi.stubGlobal('isSecureContext', false)
  show()
  expect(note()).toContain('不能显示')
})

test('where the browser refuses, it says where they are allowed', () => {
  const browser = fakeNotifications('denied')
  writeStored('notifications', { on: true })
  show()
  expect(isOn()).toBe(false)
  expect(note()).toContain('网站设置')
  fireEvent.click(row())
  expect(browser.asked()).toBe(0)
})

test('nothing is asked before a tap; refused, the row says so and keeps the focus', async () => {
  const browser = fakeNotifications('default', 'denied')
  show()
  expect(note()).toContain('浏览器会询问')
  expect(browser.asked()).toBe(0)
  row().focus()
  fireEvent.click(row())
  await expect.poll(note).toContain('网站设置')
  expect(document.activeElement).toBe(row())
  expect(readStored('notifications')?.on).toBeUndefined()
})

test('a question that was closed without an answer can be asked again', async () => {
  const browser = fakeNotifications('default', 'default')
  show()
  fireEvent.click(row())
  await expect.poll(() => row().getAttribute('aria-disabled')).toBeNull()
  fireEvent.click(row())
  await expect.poll(browser.asked).toBe(2)
  expect(isOn()).toBe(false)
})

test('allowed, they are on, one shows how they look, and they are switched off again', async () => {
  const browser = fakeNotifications('default', 'granted')
  show()
  fireEvent.click(row())
  await expect.poll(() => isOn()).toBe(true)
  expect(browser.open()).toEqual(['公会厅: 通知已打开'])
  fireEvent.click(row())
  expect(isOn()).toBe(false)
  expect(note()).toContain('关闭')
  expect(screen.queryByRole('switch', { name: '安静时段' })).toBeNull()
})

test('allowed in the browser’s own settings, they are still off until they are chosen', () => {
  fakeNotifications('granted')
  show()
  expect(isOn()).toBe(false)
})

test('what the browser allows meanwhile is seen when the page is looked at again', async () => {
  const browser = fakeNotifications('denied')
  show()
  browser.allow('granted')
  fireEvent(window, new Event('focus'))
  await expect.poll(note).toContain('关闭')
})

test('words, sound and quiet hours are chosen, and the device remembers them', () => {
  fakeNotifications('granted')
  writeStored('notifications', { on: true })
  show()
  expect([isOn('显示发送者和内容'), isOn('轻声提示音'), isOn('安静时段')]).toEqual([true, false, false])
  for (const name of ['显示发送者和内容', '轻声提示音', '安静时段']) fireEvent.click(row(name))
  fill(screen.getByLabelText('从'), { value: '23:30' })
  fill(screen.getByLabelText('到'), { value: '' })
  expect(readStored('notifications')).toEqual({
    on: true,
    is_bare: true,
    has_sound: true,
    quiet: { from: '23:30', to: '08:00' },
  })
  fireEvent.click(row('安静时段'))
  expect(readStored('notifications')?.quiet).toBeNull()
})

test('in English, too', () => {
  fakeNotifications('denied')
  setLocale('en')
  show()
  expect(row('Browser notifications')).toBeTruthy()
  expect(screen.getByText(/allow them for this site/)).toBeTruthy()
})
