import { TOAST_MS } from '@guildhall/wire/limit.ts'
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Toasts, toast } from './Toast.tsx'

beforeEach(() => {
  vi.useFakeTimers()
  render(<Toasts />)
})
afterEach(() => {
  act(() => void vi.advanceTimersByTime(TOAST_MS * 2))
  cleanup()
  vi.useRealTimers()
})
const text = () => [...screen.getByRole('status').children].map((it) => it.textContent)

test('nothing is shown without words', () => {
  act(() => toast(''))
  expect(text()).toEqual([])
})

test('five are shown at once at most, the oldest goes', () => {
  act(() => {
    for (const each of ['一', '二', '三', '四', '五', '六']) toast(each)
  })
  expect(text()).toEqual(['二', '三', '四', '五', '六'])
})

test('the same words are shown once, and begin anew', () => {
  act(() => toast('网络错误'))
  act(() => void vi.advanceTimersByTime(TOAST_MS - 1))
  act(() => toast('网络错误'))
  expect(text()).toEqual(['网络错误'])
  act(() => void vi.advanceTimersByTime(TOAST_MS - 1))
  expect(text()).toEqual(['网络错误'])
  act(() => void vi.advanceTimersByTime(1))
  expect(text()).toEqual([])
})

test('each goes after its own two seconds', () => {
  act(() => toast('一'))
  act(() => void vi.advanceTimersByTime(TOAST_MS / 2))
  act(() => toast('二'))
  act(() => void vi.advanceTimersByTime(TOAST_MS / 2))
  expect(text()).toEqual(['二'])
})
