import type { AppConfig, Shell, ShellEvent } from '../native/shell.ts'
import { shellCalls } from '../native/shellCalls.ts'
import { ShellFailure } from '../native/shellFailure.ts'

/** A shell for tests of pages: notes its calls, and answers each with `{}` or what `answers` has for it. */
export function fakeShell(config: Partial<AppConfig> = {}, answers: Readonly<Record<string, unknown>> = {}) {
  const calls: [string, unknown][] = []
  const listeners = new Map<string, Set<() => void>>()
  const whole: AppConfig = {
    app_plantform: 'IOS',
    version: '1.42.0',
    calls: Object.keys(shellCalls),
    ...config,
  }
  const shell: Shell = {
    config: whole,
    has: (call) => whole.calls.includes(call),
    async call(call, data) {
      if (!whole.calls.includes(call)) throw new ShellFailure('unsupported')
      calls.push([call, data])
      const answer = answers[call] ?? (call === 'get_app_config' ? whole : {})
      if (answer instanceof Error) throw answer
      return answer as never
    },
    on(event, listener) {
      const all = listeners.get(event) ?? new Set()
      listeners.set(event, all.add(listener as () => void))
      return () => all.delete(listener as () => void)
    },
  }
  return {
    shell,
    calls,
    tell: (event: ShellEvent) => {
      for (const listener of listeners.get(event) ?? []) listener()
    },
  }
}
