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

test('it does not wait for one that is there, and nothing is asked for a list that was left', async () => {
  open().unmount()
  noteConnected(true)
  await vi.advanceTimersByTimeAsync(0)
  expect(server.received(listMembers)).toEqual([])
  open()
  await vi.advanceTimersByTimeAsync(0)
  expect(server.received(listMembers)).toHaveLength(1)
})
