import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Line, type Sample, ScreenWatch } from './talkScreen.ts'

const ROOM = '/channels/1/2'

let line: Line
let watch: ScreenWatch
let socket: object

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(console, 'log').mockImplementation(() => undefined)
  line = new Line()
  watch = new ScreenWatch('甲机', line, /^\/channels\/1(\/2)?$/)
  socket = {}
  line.opened(socket)
  line.received(socket)
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const row = (token: string, more: object = {}) => ({
  token,
  text: token,
  isOutgoing: false,
  hasSign: false,
  reactions: [],
  ...more,
})
const sample = (more: Partial<Sample> = {}): Sample => ({
  path: ROOM,
  bar: null,
  elements: 100,
  rows: [row('甲机-0001')],
  draft: '',
  ...more,
})
const after = (ms: number, more: Partial<Sample> = {}) => {
  vi.advanceTimersByTime(ms)
  watch.judge(sample(more), Date.now())
}
const found = () => watch.untruths.map(({ what }) => what)

test('a closed socket without a bar is untrue after five seconds', () => {
  line.closed(socket)
  after(4_000)
  expect(found()).toEqual([])
  after(2_000)
  expect(found()).toEqual(['no bar 6000 ms after the connection died (told)'])
})

test('a black hole has to be said soon after a send without an answer, else after the heartbeat', () => {
  line.cut('silent')
  after(51_000)
  expect(found()).toEqual([])
  after(3_000)
  expect(found()).toHaveLength(1)
  line.kill('silent')
  line.sent()
  after(22_000)
  expect(found()).toHaveLength(1)
  after(3_000)
  expect(found()).toHaveLength(2)
})

test('a bar while connected is untrue after five seconds', () => {
  after(5_700, { bar: '正在重新连接…' })
  expect(found()).toEqual([])
  after(300, { bar: '正在重新连接…' })
  expect(found()).toEqual(['"正在重新连接…" 6000 ms after it was connected'])
})

test('frames of a line that carries nothing do not count as a connection', () => {
  line.cut('silent')
  const next = {}
  line.opened(next)
  line.received(next)
  expect(line.connectedSince).toBeNull()
  line.mend()
  line.received(next)
  expect(line.connectedSince).not.toBeNull()
})

test('a page that never connects again is untrue', () => {
  line.cut('told')
  line.mend()
  after(130_000, { bar: '网络已断开' })
  expect(found()).toEqual(['not connected long after the line was back'])
})

test('a blank screen, a room that lost its messages and another page are untrue', () => {
  after(300, { elements: 2 })
  after(300, { elements: 2 })
  after(300)
  after(300, { rows: [] })
  after(300, { rows: [] })
  after(300, { path: '/login' })
  expect(found()).toEqual([
    'the screen is blank: 2 elements, 1 messages',
    'the screen is blank: 100 elements, 0 messages',
    'the screen is at /login',
  ])
})

test('an unsent message without a sign and a message shown twice are untrue', () => {
  after(300, { rows: [row('甲机-0001', { isOutgoing: true })] })
  after(300, { rows: [row('甲机-0002'), row('甲机-0002', { isOutgoing: true, hasSign: true })] })
  expect(found()).toEqual(['甲机-0001 is not stored and has no sign', '甲机-0002 is shown twice'])
})
