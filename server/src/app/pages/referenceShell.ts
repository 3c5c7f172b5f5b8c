/**
 * `GET /dev/shell`: a phone around any page of this server, which answers it as the app does; beside it the
 * pages that stand for the app's pages in the stores, and the cashier of its purchases. Never in production.
 * docs/native.md.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { ControlRefused, controlInput, openControl } from '@guildhall/sandbox/control.ts'
import type { SandboxAccess } from '@guildhall/sandbox/sandbox.ts'
import type { Config } from '../../config.ts'
import { STORE_PATHS } from '../../demo/showcase.ts'
import type { Endpoint, EndpointReply, Page } from '../../kit/http/endpoints.ts'

const DIR = path.join(import.meta.dirname, '../../../../web/src/testing/shell')

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Files are read at each request, so that a change of them shows. */
const read = (name: string): string => readFileSync(path.join(DIR, name), 'utf8')

/** A page, whole, that may run its own script alone. */
function draw(name: string): EndpointReply {
  const body = read(name)
    .replace('/*css*/', () => read('shell.css'))
    .replace('/*js*/', () => read('shell.js'))
  const script = /<script>(.*?)<\/script>/s.exec(body)?.[1] ?? ''
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    "style-src 'unsafe-inline'",
    "frame-src 'self'",
    "connect-src 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')
  return { status: 200, type: 'html', body, headers: { 'content-security-policy': policy } }
}

const pageOf = (at: string, name: string): Page => ({ path: at, run: async () => draw(name) })

/** None in production. */
export const referenceShellPages = ({ production }: Pick<Config, 'production'>): Page[] =>
  production
    ? []
    : [
        pageOf('/dev/shell', 'shell.html'),
        pageOf(STORE_PATHS.ios, 'store.html'),
        pageOf(STORE_PATHS.android, 'store.html'),
      ]

/**
 * `POST /dev/shell/pay`: where the reference shell pays, as an app does by the SDK of the provider. It takes
 * what `order/pay` answered and answers when the sandbox has told the server. None without a sandbox, which
 * is never in production.
 */
export const shellCashier = (sandbox: SandboxAccess | null): Endpoint[] =>
  sandbox === null
    ? []
    : [
        {
          method: 'POST',
          path: '/dev/shell/pay',
          async run({ body }) {
            const input = controlInput.safeParse({ open: jsonOf(body) })
            if (!input.success) return answer(400, 'that is nothing to pay')
            try {
              const { trade } = await openControl(sandbox)(input.data)
              return answer(200, trade?.state ?? '')
            } catch (error) {
              if (error instanceof ControlRefused) return answer(409, error.message)
              throw error
            }
          },
        },
      ]

const answer = (status: number, state: string): EndpointReply => ({
  status,
  type: 'json',
  body: JSON.stringify({ state }),
})

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return null
  }
}
