/** `GET /dev/shell`: a phone around any page of this server, which answers it as the app does. Never in production. docs/native.md. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Config } from '../config.ts'
import type { Page } from '../kit/http/endpoints.ts'

const DIR = path.join(import.meta.dirname, '../../../web/src/testing/shell')

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** The page, whole. It is read at each request, so that a change of it shows. */
function draw(): { readonly body: string; readonly policy: string } {
  const [html, css, js] = ['shell.html', 'shell.css', 'shell.js'].map((name) =>
    readFileSync(path.join(DIR, name), 'utf8'),
  ) as [string, string, string]
  const body = html.replace('/*css*/', () => css).replace('/*js*/', () => js)
  const script = /<script>(.*?)<\/script>/s.exec(body)?.[1] ?? ''
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    "style-src 'unsafe-inline'",
    "frame-src 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')
  return { body, policy }
}

/** None in production. */
export const referenceShellPages = ({ production }: Pick<Config, 'production'>): Page[] =>
  production
    ? []
    : [
        {
          path: '/dev/shell',
          async run() {
            const { body, policy } = draw()
            return { status: 200, type: 'html', body, headers: { 'content-security-policy': policy } }
          },
        },
      ]
