import { fail } from '@guildhall/wire/failure.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import { listMembers } from '@guildhall/wire/member/member.ts'
import { cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { noteConnected } from '../gateway/whenConnected.ts'
import { cache } from '../kit/routeQuery.ts'
import { fakeServer } from '../testing/fakeServer.ts'
import { useMemberPages } from './useMemberPages.ts'

let server: ReturnType<typeof fakeServer>
const open = () => renderHook(() => useMemberPages('10' as GuildId, null, () => [0]))

beforeEach(() => {
  vi.useFakeTimers()
  cache.clear()
  server = fakeServer()
  server.on(listMembers, () => ({ data: [], online_count: 0, offline_count: 0, groups: [] }))
})
afterEach(() => {
  cleanup()
  noteConnected(false)
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('the list is asked for once the reader is online, who is then online in it from its first paint', async () => {
  const { result } = open()
  await vi.advanceTimersByTimeAsync(500)
  expect(server.received(listMembers)).toEqual([])
  expect(result.current.state.groups).toBeNull()
  noteConnected(true)
  await vi.advanceTimersByTimeAsync(0)
  expect(server.received(listMembers)).toHaveLength(1)
})

test('it does not wait for a connection that does not come', async () => {
  open()
  await vi.advanceTimersByTimeAsync(2_000)
  expect(server.received(listMembers)).toHaveLength(1)
})

test('a list that was loaded without a connection is asked for again as soon as there is one', async () => {
  open()
  await vi.advanceTimersByTimeAsync(2_000)
  noteConnected(true)
  await vi.advanceTimersByTimeAsync(0)
  expect(server.received(listMembers)).toHaveLength(2)
})

test('a first load that the network lost is shown as failed, and tried again until the list is there', async () => {
  let isLost = true
  server.on(listMembers, () => {
    if (isLost) throw new TypeError('no network')
    return { data: [], online_count: 0, offline_count: 0, groups: [] }
  })
  const { result } = open()
  await vi.advanceTimersByTimeAsync(2_000)
  expect(result.current.failure?.name).toBe('network')
  isLost = false
  await vi.advanceTimersByTimeAsync(5_000)
  expect(result.current.failure).toBeNull()
  expect(result.current.state.groups).toEqual([])
})

test('a first load that was refused is not repeated', async () => {
  server.on(listMembers, () => fail('forbidden'))
  const { result } = open()
  await vi.advanceTimersByTimeAsync(2_000)
  expect(result.current.failure?.name).toBe('forbidden')
  await vi.advanceTimersByTimeAsync(20_000)
  expect(server.received(listMembers)).toHaveLength(1)
})

test('it does not wait for one that is there, and nothing is asked for a list that was left', async () => {
  open().unmount()
  noteConnected(true)
  await vi.advanceTimersByTimeAsync(0)
  expect(server.received(listMembers)).toEqual([])
  open()
  await vi.advanceTimersByTimeAsync(0)
  expect(server.received(listMembers)).toHaveLength(1)
})
