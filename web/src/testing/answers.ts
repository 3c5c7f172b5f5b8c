import { Failure, failures } from '@guildhall/wire/failure.ts'
import { failureText } from '@guildhall/wire/failureText.ts'
import type { AnswerOf, InputOf, Route } from '@guildhall/wire/route.ts'

/** Answers a call, or refuses it, given the input as the server would parse it. */
type Handler<R> = (input: InputOf<R>) => AnswerOf<R> | Failure | Promise<AnswerOf<R>>

/** Sets the handler of a call, in place of an earlier one. */
export type On = <R extends Route>(route: R, handler: Handler<R>) => void

/**
 * Answers calls by route, in the envelope of the route's dialect, in place of `fetch`, so that the page's
 * parsing of answers and refusals is in use as well.
 */
export function answers() {
  const handlers: { route: Route; handler: (input: never) => unknown }[] = []
  const calls: { route: Route; input: unknown }[] = []
  const on: On = (route, handler) => void handlers.push({ route, handler })
  return {
    on,
    calls,
    async fetch(address: string, init: RequestInit): Promise<Response> {
      // As the browser does with a call that was given up before it left, or meanwhile.
      init.signal?.throwIfAborted()
      const url = new URL(address, location.origin)
      for (const { route, handler } of handlers.toReversed()) {
        const inPath = match(route.path, url.pathname)
        if (!inPath || route.method !== init.method) continue
        const body = typeof init.body === 'string' ? (JSON.parse(init.body) as object) : {}
        const input = route.input.parse({ ...body, ...Object.fromEntries(url.searchParams), ...inPath })
        calls.push({ route, input })
        const answer = await handler(input as never)
        init.signal?.throwIfAborted()
        return respond(route, answer)
      }
      throw new TypeError(`no handler for ${init.method} ${address}`)
    },
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
  const text = failureText(answer.failure, 'zh-CN', answer.detail)
  const message = field ? { [field]: text } : text
  const more = { error: answer.failure, extra: answer.detail }
  return route.dialect === 'v3'
    ? json(status === 400 ? 200 : status, { code, message, data: more })
    : json(status, { code, message, ...more })
}

const json = (status: number, body: unknown) => new Response(JSON.stringify(body), { status })
