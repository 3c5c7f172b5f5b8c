/** The native shell around the page. docs/native.md. */
import type { Out } from '@guildhall/wire/schema.ts'
import type { appConfig, shellCalls, shellEvents } from './shellCalls.ts'

export type AppConfig = Out<typeof appConfig>
export type ShellCall = keyof typeof shellCalls
export type ShellEvent = keyof typeof shellEvents
export type ShellData<C extends ShellCall> = Out<(typeof shellCalls)[C]['data']>
export type ShellResult<C extends ShellCall> = Out<(typeof shellCalls)[C]['result']>

export interface Shell {
  readonly config: AppConfig
  /** Whether this version of the shell has a call. */
  has(call: ShellCall): boolean
  /** Calls the shell. @throws ShellFailure unsupported, timeout, refused or bad_answer */
  call<C extends ShellCall>(call: C, data: ShellData<C>): Promise<ShellResult<C>>
  /** Listens to an event of the shell; returns what stops it. */
  on<E extends ShellEvent>(event: E, listener: (data: Out<(typeof shellEvents)[E]>) => void): () => void
}

let current: Shell | null = null

/** The shell that answered before the page rendered; null: the page is a plain one. */
export const shell = (): Shell | null => current

export function setShell(answered: Shell | null): void {
  current = answered
}
