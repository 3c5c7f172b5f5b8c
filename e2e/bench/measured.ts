/**
 * What the benches share that drive a phone: the server, its people, slow devices, and how figures are
 * read.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Browser, CDPSession, Page } from '@playwright/test'
import { freePort } from '../../server/src/testing/port.ts'
import { type ServerLocation, startServerProcess } from '../../server/src/testing/process.ts'
import { openBrowser } from '../phone.ts'

interface Figure {
  readonly name: string
  readonly value: number
  readonly unit: '×' | '%' | 'ms' | 's'
}

/** Where figures go: `scripts/bench/kit/figures.ts`. */
export interface Figures {
  startMeasuring(): void
  report(...figures: readonly Figure[]): void
}

/** What a bench drives: a server with the demo world, and the whole browser. */
export interface Measured {
  readonly location: ServerLocation
  readonly url: string
  readonly browser: Browser
}

/** Opens both for as long as `run` takes. */
export async function withMeasured(run: (all: Measured) => Promise<void>): Promise<void> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'guildhall-bench-'))
  await chmod(dataDir, 0o755)
  const location = { dataDir, port: await freePort(), databaseUrl: null }
  const server = await startServerProcess(location)
  const browser = await openBrowser('whole')
  try {
    await run({ location, url: server.url, browser })
  } finally {
    await browser.close()
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

const numbers = (values: readonly (number | null)[]) => values.filter((each) => each !== null)
export const median = (values: readonly (number | null)[]): number =>
  numbers(values).toSorted((a, b) => a - b)[numbers(values).length >> 1] ?? 0
export const worst = (values: readonly (number | null)[]): number => Math.max(0, ...numbers(values))

/** Posts JSON, or a form, as somebody; `authorization` empty: as nobody. @throws with what was answered */
export async function post<T>(
  url: string,
  authorization: string,
  at: string,
  body: object | FormData,
): Promise<T> {
  const isForm = body instanceof FormData
  const answer = await fetch(`${url}${at}`, {
    method: 'POST',
    headers: {
      ...(authorization && { authorization }),
      ...(!isForm && { 'content-type': 'application/json' }),
    },
    body: isForm ? body : JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${at}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as T
}

/** The token of somebody of the demo world. */
export async function login(
  url: string,
  { mobile, password }: { readonly mobile: string; readonly password: string },
): Promise<string> {
  return (await post<{ token: string }>(url, '', '/api/v2/auth/login', { mobile, password })).token
}

/** Says something in a channel; `type`: the specification's number of its kind, a text by default. */
export const say = (
  url: string,
  token: string,
  channel: string,
  content: string,
  type = 9,
): Promise<unknown> =>
  post(url, token, `/api/v2/channels/${channel}/message`, { content: JSON.stringify({ type, content }) })

/** From now on the page has a part of this machine's speed. */
export async function slowCpu(page: Page, slower: number): Promise<CDPSession> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slower })
  return devtools
}

/** Waits for what a slow page may do late. */
export async function until(is: () => Promise<boolean>): Promise<void> {
  while (!(await is())) await new Promise((later) => setTimeout(later, 100))
}
