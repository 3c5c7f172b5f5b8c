import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Bridge, connectShell, findTransport, type Transport } from './bridge.ts'
import { setShell, shell } from './shell.ts'
import { SHELL_TIMEOUTS } from './shellCalls.ts'
import type { ShellFailure } from './shellFailure.ts'

const CONFIG = {
  token: 'T',
  theme: 'dark',
  app_plantform: 'IOS',
  version: '1.42.0',
  calls: ['jump_guild', 'buy_produce_vip'],
}

/** A shell at the other end: what the page sent, and a way to answer. */
function openEnd() {
  const sent: { id: number; call: string; data: unknown }[] = []
  let receive: (text: unknown) => void = () => undefined
  const transport: Transport = {
    post: (text) => void sent.push(JSON.parse(text)),
    listen: (it) => {
      receive = it
    },
  }
  return {
    sent,
    transport,
    raw: (text: unknown) => receive(text),
    tell: (message: unknown) => receive(JSON.stringify(message)),
    answer: (result: unknown) => receive(JSON.stringify({ id: sent.at(-1)!.id, result })),
  }
}

async function connected() {
  const end = openEnd()
  const asked = connectShell(end.transport)
  await expect.poll(() => end.sent).toHaveLength(1)
  end.answer(CONFIG)
  return { end, it: (await asked)! }
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => {
  vi.useRealTimers()
  setShell(null)
})

test('a shell that answers nothing within 10 s is none', async () => {
  const end = openEnd()
  const asked = connectShell(end.transport)
  await vi.advanceTimersByTimeAsync(SHELL_TIMEOUTS.get_app_config)
  expect(SHELL_TIMEOUTS.get_app_config).toBe(10_000)
  expect(await asked).toBeNull()
  end.answer(CONFIG)
  await vi.advanceTimersByTimeAsync(0)
  expect(shell()).toBeNull()
})

test.each([
  ['another platform', { ...CONFIG, app_plantform: 'Symbian' }],
  ['no calls', { ...CONFIG, calls: undefined }],
  ['another theme', { ...CONFIG, theme: 'sepia' }],
  ['a token that is no text', { ...CONFIG, token: 7 }],
  ['nothing', null],
])('a first answer with %s makes a plain page', async (_, config) => {
  const end = openEnd()
  const asked = connectShell(end.transport)
  await vi.advanceTimersByTimeAsync(0)
  end.answer(config)
  expect(await asked).toBeNull()
})

test('a shell that throws is none', async () => {
  const { transport } = openEnd()
  const post = () => {
    throw new Error('no such handler')
  }
  expect(await connectShell({ ...transport, post })).toBeNull()
})

test('a page that cannot listen is a plain one', async () => {
  const { transport } = openEnd()
  const listen = () => {
    throw new TypeError('Cannot redefine property: GuildhallBridge')
  }
  expect(await connectShell({ ...transport, listen })).toBeNull()
})

test('a page without a shell asks nobody', async () => {
  expect(findTransport()).toBeNull()
  expect(await connectShell()).toBeNull()
})

test('what the first answer says is there for the whole page, and a missing token may be null', async () => {
  const end = openEnd()
  const asked = connectShell(end.transport)
  await vi.advanceTimersByTimeAsync(0)
  expect(end.sent).toEqual([{ id: 1, call: 'get_app_config', data: {} }])
  end.answer({ ...CONFIG, token: null })
  expect((await asked)!.config).toMatchObject({ token: null, app_plantform: 'IOS' })
  expect(shell()).toBe(await asked)
})

test('a call that the shell does not have fails at once, and is not sent', async () => {
  const { end, it } = await connected()
  expect(it.has('join_audio')).toBe(false)
  await expect(it.call('join_audio', { guild_id: '1', channel_id: '2' })).rejects.toMatchObject({
    name: 'unsupported',
  })
  expect(end.sent).toHaveLength(1)
})

test('data that the contract does not allow is not sent', async () => {
  const { end, it } = await connected()
  await expect(it.call('jump_guild', { guild_id: '' })).rejects.toMatchObject({ name: 'bad_data' })
  expect(end.sent).toHaveLength(1)
})

test('an error of the shell has its words, and that of an unknown call is named so', async () => {
  const { end, it } = await connected()
  const bought = it.call('buy_produce_vip', { produce_id: '7' })
  await vi.advanceTimersByTimeAsync(0)
  end.tell({ id: 2, error: { name: 'declined', message: '余额不足' } })
  await expect(bought).rejects.toMatchObject({ name: 'refused', reason: 'declined', message: '余额不足' })
  const jumped = it.call('jump_guild', { guild_id: '1' })
  await vi.advanceTimersByTimeAsync(0)
  end.tell({ id: 3, error: { name: 'unsupported' } })
  await expect(jumped).rejects.toMatchObject({ name: 'unsupported' })
})

test.each([
  [{ id: 2, result: { status: 'maybe' } }],
  [{ id: 2 }],
  [{ id: 2, result: 'success' }],
  [{ id: 2, error: 'no' }],
  [{ id: 2, result: { status: 'success' }, error: {} }],
])('the answer %j to a purchase is a bad one', async (message) => {
  const { end, it } = await connected()
  const bought = it.call('buy_produce_vip', { produce_id: '7' })
  await vi.advanceTimersByTimeAsync(0)
  end.tell(message)
  await expect(bought).rejects.toMatchObject({ name: 'bad_answer' })
})

test('a wrong answer is shown to whoever writes the shell, and its token to nobody', async () => {
  const { end, it } = await connected()
  const asked = it.call('get_app_config', {})
  await vi.advanceTimersByTimeAsync(0)
  end.answer({ ...CONFIG, token: 'secret', version: 1 })
  const failure = await asked.catch((error: unknown) => error as ShellFailure)
  expect(failure).toMatchObject({ name: 'bad_answer', message: 'version: invalid_type' })
  expect((failure as ShellFailure).answered).toContain('"version":1')
  expect(JSON.stringify(failure)).not.toContain('secret')
})

test('texts that are no message, and answers to nothing, change nothing', async () => {
  const { end, it } = await connected()
  const bought = it.call('buy_produce_vip', { produce_id: '7' })
  await vi.advanceTimersByTimeAsync(0)
  for (const text of ['', '{', 'null', '[]', '{"id":"2"}', '{"id":99,"result":{}}', { id: 2 }, null, 7])
    end.raw(text)
  end.tell({ event: 'constructor', data: {} })
  end.tell({ id: 2, result: { status: 'success', order_id: '9' } })
  end.tell({ id: 2, result: { status: 'cancel' } })
  end.tell({ id: 2, error: { name: 'declined' } })
  expect(await bought).toEqual({ status: 'success', order_id: '9' })
})

test('answers come in any order, and one that comes late is ignored', async () => {
  const { end, it } = await connected()
  const late = it.call('jump_guild', { guild_id: '1' })
  late.catch(() => undefined)
  await vi.advanceTimersByTimeAsync(SHELL_TIMEOUTS.jump_guild)
  await expect(late).rejects.toMatchObject({ name: 'timeout' })
  const first = it.call('jump_guild', { guild_id: '2' })
  const second = it.call('buy_produce_vip', { produce_id: '7' })
  await vi.advanceTimersByTimeAsync(0)
  end.tell({ id: 2, result: {} })
  end.tell({ id: 4, result: { status: 'cancel' } })
  end.tell({ id: 3, result: {} })
  expect(await second).toEqual({ status: 'cancel' })
  expect(await first).toEqual({})
})

test('events reach those who listen, until they stop', async () => {
  const { end, it } = await connected()
  const heard: string[] = []
  const stop = it.on('on_webview_show', () => heard.push('shown'))
  it.on('on_click_navigation_left', () => heard.push('left'))
  end.tell({ event: 'on_webview_show' })
  end.tell({ event: 'on_click_navigation_left', data: {} })
  end.tell({ event: 'on_webview_show', data: 'no object' })
  stop()
  end.tell({ event: 'on_webview_show', data: {} })
  expect(heard).toEqual(['shown', 'left'])
})

test('asking for the configuration again brings it up to date', async () => {
  const { end, it } = await connected()
  const asked = it.call('get_app_config', {})
  await vi.advanceTimersByTimeAsync(0)
  end.answer({ ...CONFIG, theme: 'light', calls: ['join_audio'] })
  await asked
  expect(it.config.theme).toBe('light')
  expect(it.has('join_audio')).toBe(true)
})

const pageOf = (more: object) => {
  const page = new EventTarget() as EventTarget & Record<string, unknown>
  return Object.assign(
    page,
    { location: { origin: 'https://guildhall.example' }, parent: page },
    more,
  ) as unknown as Window
}

test.each([
  ['iOS', (post: unknown) => ({ webkit: { messageHandlers: { guildhall: { postMessage: post } } } })],
  ['Android and desktop', (post: unknown) => ({ GuildhallNative: { postMessage: post } })],
])(
  'on %s texts go to the object of the shell, and come by GuildhallBridge, which nothing replaces',
  (_, put) => {
    const sent: string[] = []
    const got: unknown[] = []
    const page = pageOf(put((text: string) => sent.push(text)))
    const transport = findTransport(page)!
    transport.listen((text) => got.push(text))
    transport.post('{}')
    const { GuildhallBridge } = page as unknown as { GuildhallBridge: { receive(text: string): void } }
    GuildhallBridge.receive('a')
    expect(() => Object.assign(page, { GuildhallBridge: null })).toThrow()
    expect(() => Object.assign(GuildhallBridge, { receive: null })).toThrow()
    expect([sent, got]).toEqual([['{}'], ['a']])
  },
)

test('a framing page is heard only from the same origin, and nobody beside it', () => {
  const sent: unknown[] = []
  const got: unknown[] = []
  const parent = { postMessage: (...it: unknown[]) => sent.push(it) }
  const page = pageOf({ parent })
  const transport = findTransport(page)!
  transport.listen((text) => got.push(text))
  const say = (source: unknown, origin: string, data: string) =>
    page.dispatchEvent(Object.assign(new Event('message'), { source, origin, data }))
  say(parent, 'https://evil.example', 'foreign parent')
  say({}, 'https://guildhall.example', 'other frame')
  say(page, 'https://guildhall.example', 'the page itself')
  say(parent, 'https://guildhall.example', 'shell')
  transport.post('{}')
  expect(got).toEqual(['shell'])
  expect(sent).toEqual([['{}', 'https://guildhall.example']])
})

test('each call under way has its own time', async () => {
  const end = openEnd()
  const bridge = new Bridge(end.transport)
  const bought = bridge.call('buy_produce_golive', { produce: { id: '1' } })
  const closed = bridge.call('close_webview', {})
  closed.catch(() => undefined)
  await vi.advanceTimersByTimeAsync(SHELL_TIMEOUTS.close_webview)
  await expect(closed).rejects.toMatchObject({ name: 'timeout' })
  end.tell({ id: 1, result: { status: 'success' } })
  expect(await bought).toEqual({ status: 'success' })
})
