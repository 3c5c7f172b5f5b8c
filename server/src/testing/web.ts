/** The web beside a test: a server of its own, under whatever names the test gives it, and the way that leads there. */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openSafeFetch, type SafeFetch } from '../outside/safeFetch.ts'

export type Stand = (response: ServerResponse) => void

export interface Web {
  /** What stands at a path, from now on; whatever is asked for besides is not there. */
  stand(path: string, stand: Stand): void
  /** The address of a path, by a name that leads here. */
  at(path: string, host?: string): string
  /** How often a path was asked for. */
  asked(path: string): number
  /** A way that leads here, and to no address that is not public. */
  way(): SafeFetch
  close(): Promise<void>
}

const HOST = 'web.example'

/** `inside`: names that lead to addresses which are not public. */
export async function openWeb(inside: Readonly<Record<string, string>> = {}): Promise<Web> {
  const stands = new Map<string, Stand>()
  const asked = new Map<string, number>()
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://web')
    asked.set(pathname, (asked.get(pathname) ?? 0) + 1)
    const stand = stands.get(pathname)
    if (stand) stand(response)
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    stand: (path, stand) => void stands.set(path, stand),
    at: (path, host = HOST) => `http://${host}:${port}${path}`,
    asked: (path) => asked.get(path) ?? 0,
    way: () =>
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

/** A page of the web with this head. */
export const pageWith =
  (head: string): Stand =>
  (response) =>
    void response
      .setHeader('content-type', 'text/html; charset=utf-8')
      .end(`<html><head>${head}</head></html>`)

/** A file of the web. */
export const fileOf =
  (content: Buffer, mime: string): Stand =>
  (response) =>
    void response.setHeader('content-type', mime).end(content)
