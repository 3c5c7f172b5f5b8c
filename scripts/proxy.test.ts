import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { connect } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { forward, forwardUpgrade, isForServer } from './proxy.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

async function listen(server: Server): Promise<number> {
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}

it.each([
  ['GET', '/api/v2/guilds', 'text/html', true],
  ['GET', '/gateway?compress=1', '*/*', true],
  ['GET', '/dev/outbox?mobile=1', 'text/html', true],
  ['GET', '/dev/shell?path=/', 'text/html', true],
  ['GET', '/developers', 'text/html', false],
  ['GET', '/dev/gallery', 'text/html', false],
  ['GET', '/channels/1/2', 'text/html,*/*', false],
  ['GET', '/uploads/a.png', 'image/*', true],
  ['POST', '/anything', '*/*', true],
  ['GET', '/src/main.tsx', '*/*', false],
  ['GET', '/@vite/client', '*/*', false],
])('%s %s (%s) is for the server: %s', (method, url, accept, answer) => {
  expect(isForServer({ method, url, accept }, false)).toBe(answer)
})

it('Vite serves public files', () => {
  expect(isForServer({ method: 'GET', url: '/icon.svg', accept: 'image/*' }, true)).toBe(false)
})

it('forwards a request and its response completely', async () => {
  const port = await listen(
    createServer(async (asked, reply) => {
      let body = ''
      for await (const chunk of asked) body += chunk
      reply
        .writeHead(418, { 'x-received': asked.headers['x-sent'] ?? '' })
        .end(`${asked.method} ${asked.url} ${body}`)
    }),
  )
  const front = await listen(createServer((asked, reply) => forward(asked, reply, port)))
  const answer = await fetch(`http://127.0.0.1:${front}/a?b=1`, {
    method: 'POST',
    body: '你好',
    headers: { 'x-sent': 'yes' },
  })
  expect([answer.status, answer.headers.get('x-received'), await answer.text()]).toEqual([
    418,
    'yes',
    'POST /a?b=1 你好',
  ])
})

it('responds with 502 when the server is down', async () => {
  const away = await listen(createServer())
  servers.pop()?.close()
  const front = await listen(createServer((asked, reply) => forward(asked, reply, away)))
  expect((await fetch(`http://127.0.0.1:${front}/`)).status).toBe(502)
})

it('an upgraded connection carries bytes both ways', async () => {
  const behind = createServer()
  behind.on('upgrade', (asked, socket) => {
    socket.write(`HTTP/1.1 101 Switching Protocols\r\n\r\n${asked.url} `)
    socket.pipe(socket)
  })
  const port = await listen(behind)
  const before = createServer()
  before.on('upgrade', (asked, socket, head) => forwardUpgrade(asked, socket, head, port))
  const socket = connect(await listen(before), '127.0.0.1')
  socket.write('GET /gateway HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
  let output = ''
  socket.on('data', (chunk) => {
    output += chunk
    if (output.endsWith('/gateway ')) socket.write('ping')
    if (output.endsWith('ping')) socket.end()
  })
  await once(socket, 'close')
  expect(output).toMatch(/^HTTP\/1\.1 101 .*\/gateway ping$/s)
})
