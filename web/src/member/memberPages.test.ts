import type { Member, MemberGroup } from '@guildhall/wire/member/member.ts'
import { expect, it } from 'vitest'
import { isWhole, ListRows, type MemberPages, noPages, withPage } from './memberPages.ts'

const group = (kind: MemberGroup['kind'], count: number): MemberGroup => ({
  kind,
  role_id: 0,
  name: '',
  color: 0,
  count,
})
const members = (from: number, count: number) =>
  Array.from({ length: count }, (_, n) => ({ id: String(from + n) }) as unknown as Member)
const shown = (state: MemberPages) => {
  const rows = new ListRows(state)
  return Array.from({ length: rows.count }, (_, row) => {
    const it = rows.at(row)
    return it.kind === 'head' ? it.group.kind : (it.member?.id ?? null)
  })
}

it('shows nothing before an answer', () => {
  expect([shown(noPages), isWhole(noPages)]).toEqual([[], false])
})

it('puts a head before each group', () => {
  const groups = [group('online', 2), group('offline', 1)]
  const state = withPage(noPages, 0, { data: members(1, 3), groups })
  expect([shown(state), isWhole(state)]).toEqual([['online', '1', '2', 'offline', '3'], true])
})

it('ends where the loaded part ends, and goes on with the next page', () => {
  const groups = [group('online', 60), group('offline', 30)]
  const first = withPage(noPages, 0, { data: members(0, 50), groups })
  expect([shown(first).length, isWhole(first)]).toEqual([51, false])
  const both = withPage(first, 1, { data: members(50, 40), groups })
  expect([shown(both).length, shown(both)[61], isWhole(both)]).toEqual([92, 'offline', true])
  expect([new ListRows(both).pagesOf([40, 51, 200]), new ListRows(both).pagesOf([61])]).toEqual([[0, 1], []])
})

it('a list that became shorter loses its last pages, and a late answer to one of them is dropped', () => {
  const long = [group('offline', 120)]
  let state = noPages
  for (const at of [0, 1, 2]) state = withPage(state, at, { data: members(at * 50, 50), groups: long })
  const short = withPage(state, 0, { data: members(0, 10), groups: [group('offline', 10)] })
  expect(shown(short)).toHaveLength(11)
  expect(withPage(short, 2, { data: members(100, 20), groups: long })).toBe(short)
})

it('shows nobody twice: who stands in a newer answer leaves the position where they were before', () => {
  const groups = [group('online', 60), group('offline', 40)]
  let state = withPage(noPages, 0, { data: members(0, 50), groups })
  // 49 went offline, and 50 took their place, before the next page was asked for.
  state = withPage(state, 1, { data: [...members(51, 48), ...members(49, 1), ...members(99, 1)], groups })
  const ids = shown(state).filter((it) => it !== null && !['online', 'offline'].includes(it))
  expect(new Set(ids).size).toBe(ids.length)
  expect(state.pages[0]?.at(-1)).toBeNull()
  const again = withPage(state, 0, { data: [...members(0, 49), ...members(50, 1)], groups })
  expect(shown(again).filter((it) => it === null)).toEqual([])
})
