/**
 * A web server for tests, reachable under host names of the test's choice, and a `SafeFetch` that resolves
 * them to it.
 */
import { createServer, type ServerResponse } from 'node:http'
import { openSafeFetch, type SafeFetch } from '../outside/safeFetch.ts'
import { listenHere } from './listen.ts'

export type Responder = (response: ServerResponse) => void

export interface TestWebServer {
  /** Sets the response of a path; other paths are 404. */
  serve(path: string, responder: Responder): void
  /** The address of a path, under a host name that resolves to this server. */
  at(path: string, host?: string): string
  /** How often a path was requested. */
  requestCount(path: string): number
  /** A `SafeFetch` that reaches this server and no private address. */
  safeFetch(): SafeFetch
  close(): Promise<void>
}

const HOST = 'web.example'

/** `inside`: host names that resolve to private addresses. */
export async function openTestWebServer(
  inside: Readonly<Record<string, string>> = {},
): Promise<TestWebServer> {
  const responders = new Map<string, Responder>()
  const asked = new Map<string, number>()
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://web')
    asked.set(pathname, (asked.get(pathname) ?? 0) + 1)
    const responder = responders.get(pathname)
    if (responder) responder(response)
    else response.writeHead(404).end()
  })
  const port = Number(new URL(await listenHere(server)).port)
  return {
    serve: (path, responder) => void responders.set(path, responder),
    at: (path, host = HOST) => `http://${host}:${port}${path}`,
    requestCount: (path) => asked.get(path) ?? 0,
    safeFetch: () =>
      openSafeFetch({
        resolve: async (name) => [inside[name] ?? '127.0.0.1'],
        isAllowed: (ip, at) => ip === '127.0.0.1' && at === port,
      }),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Responds with a page with this head. */
export const pageWith =
  (head: string): Responder =>
  (response) =>
    void response
      .setHeader('content-type', 'text/html; charset=utf-8')
      .end(`<html><head>${head}</head></html>`)

/** Responds with a file. */
export const fileOf =
  (content: Buffer, mime: string): Responder =>
  (response) =>
    void response.setHeader('content-type', mime).end(content)
