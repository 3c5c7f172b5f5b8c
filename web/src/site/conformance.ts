/** What the conformance page asks of a native shell, call by call. docs/native.md. */
import type { Shell, ShellCall, ShellData, ShellEvent } from '../native/shell.ts'
import { ShellFailure } from '../native/shellFailure.ts'

/**
 * `passed`: the answer fits the contract; `refused`: the shell refused as the contract allows; `missing`:
 * this version says that it does not have the call; `failed`: red.
 */
export interface Outcome {
  readonly state: 'running' | 'passed' | 'refused' | 'missing' | 'failed'
  /** What was answered. */
  readonly detail: string
}

/** What `new_page` hands to the page that it opens. */
export const PAGE_DATA = { from: 'conformance', number: 7, text: '公会' }

const PRODUCE = { produce_id: 'conformance', produce_info: { id: 'conformance', name: '测试', price: 100 } }

/**
 * A call with what it sends. `isQuiet`: it needs nobody and leaves the page as it is, so it runs by itself.
 */
interface Check<C extends ShellCall = ShellCall> {
  readonly call: C
  readonly data: ShellData<C>
  readonly isQuiet?: boolean
}

const check = <C extends ShellCall>(it: Check<C>) => it as Check

/**
 * Every call of the contract, in the order in which a person tries them. `bar`: what the page has asked for
 * before.
 */
export const checksFor = (page: {
  origin: string
  guildId: string
  bar: ShellData<'show_navigation_bar'>
}): readonly Check[] => [
  check({ call: 'get_app_config', data: {}, isQuiet: true }),
  check({ call: 'get_page_data', data: {}, isQuiet: true }),
  check({ call: 'hide_navigation_bar', data: {}, isQuiet: true }),
  check({ call: 'show_navigation_bar', data: page.bar, isQuiet: true }),
  check({ call: 'new_page', data: { url: `${page.origin}/common/jumpapp`, data: PAGE_DATA } }),
  check({ call: 'upload_file', data: { type: 'image', max_size: 5 * 1024 * 1024 } }),
  check({ call: 'prize_animate', data: { products: [{ type: 'buff' }] } }),
  check({ call: 'jump_guild', data: { guild_id: page.guildId } }),
  check({ call: 'join_audio', data: { guild_id: page.guildId, channel_id: '1' } }),
  check({ call: 'buy_produce_boost', data: { ...PRODUCE, count: 1 } }),
  check({ call: 'buy_produce_vip', data: PRODUCE }),
  check({ call: 'buy_produce_golive', data: { produce: { id: 'conformance', price: 100 } } }),
  check({ call: 'present_pop', data: { ...PRODUCE, user_id: '1' } }),
  check({ call: 'present_golive', data: { ...PRODUCE, user_id: '1' } }),
  check({ call: 'close_webview', data: {} }),
]

/** The events, in the order in which a person causes them. */
export const EVENTS: readonly ShellEvent[] = [
  'on_click_navigation_right',
  'on_click_navigation_left',
  'on_webview_show',
]

/** Makes a call and judges the answer. Never rejects. */
export async function runCheck(shell: Shell, { call, data }: Check): Promise<Outcome> {
  if (!shell.has(call)) return { state: 'missing', detail: '' }
  try {
    return { state: 'passed', detail: JSON.stringify(withoutToken(await shell.call(call, data))) }
  } catch (error) {
    if (!(error instanceof ShellFailure)) throw error
    const { name, reason, message, answered } = error
    const detail = [name, reason, message, answered].filter(Boolean).join(': ')
    return { state: name === 'refused' ? 'refused' : 'failed', detail }
  }
}

/** People send pictures of this page to each other. */
const withoutToken = (answer: object) =>
  'token' in answer && answer.token ? { ...answer, token: '•••' } : answer
