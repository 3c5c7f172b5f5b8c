import { type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'

const SERVER_PATHS = /^\/(api|gateway|dev(?!\/gallery)|healthz|readyz)(\/|\?|$)/

/**
 * True when the server handles this request in development; Vite serves the pages, the sources and the public
 * files.
 */
export function isForServer(
  asked: { method: string; url: string; accept: string },
  isPublicFile: boolean,
): boolean {
  if (SERVER_PATHS.test(asked.url)) return true
  if (isPublicFile || /^\/(@|src\/|node_modules\/|wire\/)/.test(asked.url)) return false
  const isPage = asked.method === 'GET' && asked.accept.includes('text/html')
  return !isPage && asked.url !== '/index.html'
}

/** Proxies a request to the server on a loopback port. */
export function forward(asked: IncomingMessage, reply: ServerResponse, port: number): void {
  const { method, url: path } = asked
  const onward = request({ host: '127.0.0.1', port, method, path, headers: withClient(asked) })
  onward.on('response', (answer) => {
    reply.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
    answer.pipe(reply)
  })
  onward.on('error', () => {
    if (!reply.headersSent) reply.writeHead(502)
    reply.end()
  })
  asked.pipe(onward)
}

/**
 * The headers, with the client's address when it is another machine: that one may not read what only this
 * machine may.
 */
function withClient({ headers, socket }: IncomingMessage): IncomingHttpHeaders {
  const from = socket.remoteAddress ?? ''
  return /^(?:::ffff:)?127\.|^::1$/.test(from) ? headers : { ...headers, 'x-forwarded-for': from }
}

/** Proxies an upgrade request: repeats it to the server and joins the two sockets. */
export function forwardUpgrade(asked: IncomingMessage, socket: Duplex, head: Buffer, port: number): void {
  const onward = connect(port, '127.0.0.1', () => {
    const lines = [`${asked.method} ${asked.url} HTTP/1.1`]
    for (let at = 0; at < asked.rawHeaders.length; at += 2)
      lines.push(`${asked.rawHeaders[at]}: ${asked.rawHeaders[at + 1]}`)
    onward.write(`${lines.join('\r\n')}\r\n\r\n`)
    onward.write(head)
    onward.pipe(socket).pipe(onward)
  })
  for (const end of [onward, socket])
    end.on('error', () => {
      onward.destroy()
      socket.destroy()
    })
}
