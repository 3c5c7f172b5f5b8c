import type { Message } from '@guildhall/wire/message/message.ts'
import { expect, test } from 'vitest'
import { emptyRoom, type Room } from '../../roomStore/room.ts'
import { reduceRoom } from '../../roomStore/roomReducer.ts'
import { messageLike } from '../../testing/messages.ts'
import { LIST_WINDOW_SIZE, type ListWindow, sliceWindow, windowAround } from './listWindow.ts'
import { rowsOf } from './rows.ts'

const roomOf = (messages: Message[], more: Partial<Room> = {}): Room => ({
  ...reduceRoom(emptyRoom('7'), { type: 'pageLoaded', before: null, epoch: 0, messages }),
  ...more,
})
/** The numbers have gaps: other channels of the guild share the sequence. */
const many = Array.from({ length: 3_500 }, (_, index) => messageLike(index * 3 + 1))
const long = roomOf(many, { atStart: true })
const seqs = (room: Room, part: ListWindow | null) => sliceWindow(room, part).messages.map(({ seq }) => seq)

test('the window of a small room is all of it', () => {
  const small = roomOf(many.slice(0, 3), { atStart: true })
  expect(sliceWindow(small, null)).toMatchObject({ from: 0, atStart: true, atEnd: true })
  expect(seqs(small, null)).toEqual([1, 4, 7])
  expect(sliceWindow(roomOf([]), null).messages).toEqual([])
  expect(windowAround(roomOf([]), 5)).toBeNull()
})

test('the window of a long room holds the newest messages, and is not at the start', () => {
  const newest = sliceWindow(long, null)
  expect(newest.messages).toHaveLength(LIST_WINDOW_SIZE)
  expect(newest).toMatchObject({ from: 2_500, atStart: false, atEnd: true })
  expect(rowsOf(long)[0]?.kind).toBe('message')
})

test('a window around a message has as many on both sides, also when it is deleted', () => {
  for (const seq of [6_001, 6_000]) {
    const there = seqs(long, windowAround(long, seq))
    expect(there).toHaveLength(LIST_WINDOW_SIZE + 1)
    expect(there[LIST_WINDOW_SIZE / 2]).toBe(6_001)
  }
})

test('moving from edge to edge passes every message in order, to the start and back to the end', () => {
  const passed = new Set<number>()
  let part: ListWindow | null = null
  for (let steps = 0; !sliceWindow(long, part).atStart; steps += 1) {
    expect(steps).toBeLessThan(20)
    const here = seqs(long, part)
    for (const seq of here) passed.add(seq)
    part = windowAround(long, here[20]!)
    expect(seqs(long, part)).toContain(here[20])
  }
  for (const seq of seqs(long, part)) passed.add(seq)
  expect([...passed].sort((a, b) => a - b)).toEqual(many.map(({ seq }) => seq))
  expect(rowsOf(long, null, sliceWindow(long, part))[0]?.kind).toBe('start')
  for (let steps = 0; !sliceWindow(long, part).atEnd; steps += 1) {
    expect(steps).toBeLessThan(20)
    part = windowAround(long, seqs(long, part).at(-20)!)
  }
  expect(part?.last).toBeNull()
  expect(seqs(long, part).at(-1)).toBe(many.at(-1)!.seq)
})

test('a window at the end grows by new messages, and loses none above', () => {
  const part = { first: many[2_600]!.seq, last: null }
  const before = seqs(long, part)
  const now = reduceRoom(long, { type: 'messageReceived', message: messageLike(20_000) })
  expect(seqs(now, part)).toEqual([...before, 20_000])
})

test('the send queue is shown at the end only', () => {
  const now = reduceRoom(long, { type: 'send', nonce: 'n', content: 'x', at: 1 })
  const kinds = (part: ListWindow | null) =>
    new Set(rowsOf(now, null, sliceWindow(now, part)).map(({ kind }) => kind))
  expect(kinds(null).has('outgoing')).toBe(true)
  expect(kinds(windowAround(now, 6_001)).has('outgoing')).toBe(false)
})

test('an empty window falls back to the newest messages', () => {
  expect(seqs(roomOf(many.slice(0, 5)), { first: 900_000, last: 900_100 })).toEqual([1, 4, 7, 10, 13])
})
