import { Failure, failures } from '@guildhall/wire/failure.ts'
import { failureText } from '@guildhall/wire/failureText.ts'
import type { AnswerOf, InputOf, Route } from '@guildhall/wire/route.ts'
import { vi } from 'vitest'

/** The input as the server would read it, and its answer or its refusal. */
type Door<R> = (input: InputOf<R>) => AnswerOf<R> | Failure | Promise<AnswerOf<R>>

/**
 * A server for a screen's test: answers calls by route, in the envelope of the route's dialect, through `fetch`, so
 * that the screen's own reading of answers and refusals is part of what is tested.
 */
export function fakeServer() {
  const doors: { route: Route; door: (input: never) => unknown }[] = []
  const heard: { route: Route; input: unknown }[] = []

  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    const url = new URL(address, location.origin)
    for (const { route, door } of doors.toReversed()) {
      const inPath = match(route.path, url.pathname)
      if (!inPath || route.method !== init.method) continue
      const body = typeof init.body === 'string' ? (JSON.parse(init.body) as object) : {}
      const input = route.input.parse({ ...body, ...Object.fromEntries(url.searchParams), ...inPath })
      heard.push({ route, input })
      return respond(route, await door(input as never))
    }
    throw new TypeError(`no door for ${init.method} ${address}`)
  })

  return {
    /** Sets who answers a call; the last one set is the one. */
    on<R extends Route>(route: R, door: Door<R>) {
      doors.push({ route, door })
    },
    /** The inputs a call was made with so far. */
    heard: <R extends Route>(route: R): InputOf<R>[] =>
      heard.filter((one) => one.route === route).map((one) => one.input as InputOf<R>),
  }
}

function match(pattern: string, path: string): Record<string, string> | null {
  const names = [...pattern.matchAll(/:(\w+)/g)].map((found) => found[1] ?? '')
  const found = new RegExp(`^${pattern.replace(/:\w+/g, '([^/]+)')}$`).exec(path)
  return found
    ? Object.fromEntries(names.map((name, i) => [name, decodeURIComponent(found[i + 1] ?? '')]))
    : null
}

function respond(route: Route, answer: unknown): Response {
  if (!(answer instanceof Failure))
    return json(200, route.dialect === 'v3' ? { code: 0, message: '', data: answer } : answer)
  const { code, status, field } = failures[answer.failure]
  const words = failureText(answer.failure, 'zh-CN', answer.detail)
  const message = field ? { [field]: words } : words
  const more = { error: answer.failure, extra: answer.detail }
  return route.dialect === 'v3'
    ? json(status === 400 ? 200 : status, { code, message, data: more })
    : json(status, { code, message, ...more })
}

const json = (status: number, body: unknown) => new Response(JSON.stringify(body), { status })
