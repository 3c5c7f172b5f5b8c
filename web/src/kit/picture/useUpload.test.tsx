import { act, renderHook } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { CallFailure } from '../call.ts'
import { useUpload } from './useUpload.ts'

const FILE = new File(['x'], 'x.png', { type: 'image/png' })
const ADDRESS = '/assets/x.png'

/** An upload that the test answers; `signals`: of each that was begun. */
function uploads() {
  const signals: AbortSignal[] = []
  const open = Promise.withResolvers<{ url: string }>()
  const upload = vi.fn((_file: File, { signal }: { signal: AbortSignal }) => {
    signals.push(signal)
    return open.promise
  })
  return { upload, signals, open }
}

test('a second tap uploads nothing', async () => {
  const { upload, open } = uploads()
  const { result } = renderHook(() => useUpload(upload))
  await act(async () => {
    const first = result.current.run(FILE)
    const second = result.current.run(FILE)
    open.resolve({ url: ADDRESS })
    expect(await Promise.all([first, second])).toEqual([ADDRESS, null])
  })
  expect(upload).toHaveBeenCalledOnce()
})

test('a failure is said, and a second try uploads again', async () => {
  const upload = vi.fn().mockRejectedValueOnce(new CallFailure('network', 'gone'))
  upload.mockResolvedValueOnce({ url: ADDRESS })
  const { result } = renderHook(() => useUpload(upload))
  await act(() => result.current.run(FILE))
  expect([result.current.failure?.message, result.current.sent]).toEqual(['gone', null])
  await act(async () => expect(await result.current.run(FILE)).toBe(ADDRESS))
  expect(result.current.failure).toBeNull()
})

test('what was uploaded is not sent again when its use failed, unless the server has lost it', async () => {
  const upload = vi.fn().mockResolvedValue({ url: ADDRESS })
  const { result } = renderHook(() => useUpload(upload))
  const failing = (name: 'network' | 'asset.unknown') => () => Promise.reject(new CallFailure(name, name))
  await act(() => result.current.run(FILE, failing('network')))
  await act(() => result.current.run(FILE, failing('asset.unknown')))
  expect(upload).toHaveBeenCalledOnce()
  await act(() => result.current.run(FILE))
  expect(upload).toHaveBeenCalledTimes(2)
})

test('an upload ends with its form, and its address is used by nobody', async () => {
  const { upload, signals, open } = uploads()
  const use = vi.fn()
  const { result, unmount } = renderHook(() => useUpload(upload))
  const running = result.current.run(FILE, use)
  unmount()
  open.resolve({ url: ADDRESS })
  expect(await running).toBeNull()
  expect(signals[0]?.aborted).toBe(true)
  expect(use).not.toHaveBeenCalled()
})

test('after a cancelled upload another one is possible', async () => {
  const { upload, open } = uploads()
  const { result } = renderHook(() => useUpload(upload))
  await act(async () => {
    void result.current.run(FILE)
    result.current.cancel()
    const again = result.current.run(FILE)
    open.resolve({ url: ADDRESS })
    expect(await again).toBe(ADDRESS)
  })
  expect(result.current.sent).toBeNull()
})
