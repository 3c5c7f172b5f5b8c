// @vitest-environment happy-dom
import { CALL_TIMEOUT_MS } from '@guildhall/wire/limit.ts'
import { siteInfo } from '@guildhall/wire/site/site.ts'
import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { noteConnected } from '../../gateway/whenConnected.ts'
import { call } from '../../kit/call.ts'
import { useFailedLoad } from '../../kit/picture/useFailedLoad.ts'
import { fakeServer } from '../../testing/fakeServer.ts'
import { siteOf } from '../../testing/fixtures.ts'
import './deadLoads.ts'

let isReachable = true
let server: ReturnType<typeof fakeServer>
const stop = vi.fn()

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('stop', stop)
  stop.mockClear()
  server = fakeServer()
  server.on(siteInfo, () => {
    if (!isReachable) throw new Error('no network')
    return siteOf()
  })
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

async function callOnce(reachable: boolean): Promise<void> {
  isReachable = reachable
  await call(siteInfo, {}).catch(() => undefined)
}
/** The connection went, and came back this long ago. */
function reconnected(msAgo: number): void {
  noteConnected(false)
  noteConnected(true)
  vi.advanceTimersByTime(msAgo)
}

test('nothing is stopped by a call that may have begun before the connection came back', async () => {
  reconnected(CALL_TIMEOUT_MS - 1)
  await callOnce(false)
  expect(stop).not.toHaveBeenCalled()
})

test('nothing is stopped while there is no connection either', async () => {
  reconnected(CALL_TIMEOUT_MS)
  noteConnected(false)
  await callOnce(false)
  expect(stop).not.toHaveBeenCalled()
})

test('nothing is stopped once a call was answered since the connection came back', async () => {
  reconnected(CALL_TIMEOUT_MS)
  await callOnce(true)
  await callOnce(false)
  expect(stop).not.toHaveBeenCalled()
})

test('what is loading is stopped when a call gets no answer though the connection is back, once for each time', async () => {
  for (const times of [1, 2]) {
    reconnected(CALL_TIMEOUT_MS)
    await callOnce(false)
    await callOnce(false)
    expect(stop).toHaveBeenCalledTimes(times)
  }
})

/** A picture that failed to load: whether it is still not to be loaded again. */
function failedPicture() {
  const { result } = renderHook(() => useFailedLoad('/assets/a.png'))
  act(() => result.current.fail())
  return () => result.current.hasFailed
}

test('a picture that failed to load is loaded again when the connection is back, not by calls meanwhile', async () => {
  reconnected(0)
  const hasFailed = failedPicture()
  await act(() => callOnce(true))
  expect(hasFailed()).toBe(true)
  act(() => reconnected(0))
  expect(hasFailed()).toBe(false)
})

test('a picture that was stopped is loaded again once a call is answered', async () => {
  reconnected(CALL_TIMEOUT_MS)
  await callOnce(false)
  const hasFailed = failedPicture()
  await act(() => callOnce(false))
  expect(hasFailed()).toBe(true)
  await act(() => callOnce(true))
  expect(hasFailed()).toBe(false)
})
