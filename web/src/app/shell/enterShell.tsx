/**
 * The start of a page inside of a native shell: loaded there alone. chat.md §4 "Native bridge", decision 64.
 */
import { userState } from '@guildhall/wire/auth/userState.ts'
import { pickLocale } from '@guildhall/wire/locale.ts'
import type { Root } from 'react-dom/client'
import { saveSession } from '../../auth/auth.ts'
import { clearUserStorage, readStored, writeStored } from '../../kit/browser/storage.ts'
import { setTheme } from '../../kit/browser/theme.ts'
import { CallFailure, call } from '../../kit/call.ts'
import { setLocale } from '../../kit/i18n.ts'
import { connectShell } from '../../native/bridge.ts'
import type { AppConfig, Shell } from '../../native/shell.ts'
import { ShellWait } from './ShellWait.tsx'
import { followBars } from './shellBars.ts'

/** A shell answers within some milliseconds: what the served page shows stays until then. */
const SHOW_WAIT_MS = 400

/**
 * Says that the shell is waited for. An invite that the server drew says nothing of who is logged in, so it
 * stays, with its button, until somebody taps it. Returns what stops it.
 */
function sayWait(root: Root): () => void {
  const button = document.querySelector('button.invite-accept')
  let timer = 0
  const say = () => {
    timer = window.setTimeout(() => root.render(<ShellWait />), SHOW_WAIT_MS)
  }
  // `earlyTap`: as `beforePaint.ts` leaves it.
  if (!button || 'earlyTap' in window) say()
  else button.addEventListener('click', say, { once: true })
  return () => {
    clearTimeout(timer)
    button?.removeEventListener('click', say)
  }
}

/**
 * Waits for the shell, at most ten seconds, and takes over its token, theme and language. Without an answer
 * the page is a plain one. Never rejects.
 */
export async function enterShell(root: Root): Promise<void> {
  // It would take the place of the page.
  const stop = sayWait(root)
  try {
    const shell = await connectShell()
    if (!shell) return
    takeLook(shell.config)
    await takeToken(shell.config.token || null)
    shell.on('on_webview_show', () => void comeBack(shell))
    followBars(shell)
  } finally {
    stop()
  }
}

function takeLook({ theme, language }: AppConfig): void {
  if (theme) setTheme(theme)
  if (language) setLocale(pickLocale(language))
}

/** What the shell said last of who is logged in, as a mark; in this web view alone. */
const TAKEN = 'shell_token'
/** The mark of the login that a shell gave; all web views share it, as they share the login. */
const GIVEN = 'shell_login'
/** The same for this page, where storage is refused. */
const inMemory = new Map<string, string>()

function readMark(key: typeof TAKEN | typeof GIVEN): string | null {
  try {
    return inMemory.get(key) ?? (key === TAKEN ? sessionStorage : localStorage).getItem(key)
  } catch {
    return null
  }
}

function keepMark(key: typeof TAKEN | typeof GIVEN, mark: string): void {
  try {
    ;(key === TAKEN ? sessionStorage : localStorage).setItem(key, mark)
    inMemory.delete(key)
  } catch {
    // Each page of the web view takes it anew.
    inMemory.set(key, mark)
  }
}

/**
 * Tells tokens apart and says nothing of them: a token must not outlive a logout. FNV-1a, 32 bits; empty for
 * none.
 */
function markOf(token: string | null): string {
  if (!token) return ''
  let hash = 0x811c9dc5
  for (const character of token) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return (hash >>> 0).toString(36)
}

/**
 * Whether the login is one that a shell gave to another web view, and that the shell does not mean any more.
 */
function isOutdated(token: string | null): boolean {
  const stored = readStored('authorization')
  return stored !== null && stored !== token && readMark(GIVEN) === markOf(stored)
}

/**
 * Logs in with the shell's token, or nobody when it has none, and deletes what somebody else has left. A
 * token that this web view has taken before is not taken again: a logout in the page, or a refusal of the
 * server, would not last until the next page. Resolves to whether the person may be another than before.
 */
export async function takeToken(token: string | null): Promise<boolean> {
  if (readMark(TAKEN) === markOf(token) && !isOutdated(token)) return false
  keepMark(TAKEN, markOf(token))
  keepMark(GIVEN, markOf(token))
  if (token !== null && readStored('authorization') === token) return false
  const owner = readStored('auth')?.id
  if (token === null || owner === undefined) {
    clearUserStorage()
    writeStored('authorization', token)
    return true
  }
  writeStored('authorization', token)
  const asked = await call(userState, {}).catch((error: unknown) => error)
  // The server refused it, and the call has deleted everything.
  if (asked instanceof CallFailure && asked.code === 401) return true
  const session =
    asked instanceof Error ? null : (asked as Awaited<ReturnType<typeof call<typeof userState>>>)
  const isOther = session?.user.id !== owner
  if (isOther) {
    clearUserStorage()
    writeStored('authorization', token)
  }
  if (session) saveSession(session)
  return isOther
}

/** The web view is shown again: another one may have changed anything, and the person may be another. */
async function comeBack(shell: Shell): Promise<void> {
  const config = await shell.call('get_app_config', {}).catch(() => null)
  if (config && (await takeToken(config.token || null))) return location.reload()
  if (config) takeLook(config)
  const { invalidateAnswers } = await import('../../kit/routeQuery.ts')
  invalidateAnswers()
}
