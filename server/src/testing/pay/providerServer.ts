/** The identity provider of `outside/login/localProvider.ts` on an address of its own, and with faults. */
import { createServer } from 'node:http'
import { type LocalApps, openLocalProvider } from '../../outside/login/localProvider.ts'
import { listenHere } from '../listen.ts'

/** What it does instead of answering. */
export type ProviderFaultMode =
  | { readonly status: number; readonly body?: string }
  | { readonly json: object }
  | 'huge'
  | 'hang up'
  | 'redirect'
  | 'silent'

export interface ProviderServer {
  readonly url: string
  readonly apps: LocalApps
  /** Requests by path, in order. */
  readonly asked: readonly string[]
  /** The next requests of a path meet this, at most so many; null: none does. */
  faultMode(path: string, faultMode: ProviderFaultMode | null, times?: number): void
  /** A code, as the person of this name agreed to on the page that `authorizeUrl` leads to. */
  codeFor(authorizeUrl: string, person: string): Promise<string>
  close(): Promise<void>
}

export const providerApps: LocalApps = {
  qq: { appId: '101234567', secret: 'qq-key-of-the-test' },
  weixin: {
    account: { appId: 'wxaccount', secret: 'account-secret-of-the-test' },
    site: { appId: 'wxsite', secret: 'site-secret-of-the-test' },
  },
}

/** The variables of a server whose providers are at `url`. */
export const providerVariables = (url: string): Readonly<Record<string, string>> => ({
  QQ_APP_ID: providerApps.qq.appId,
  QQ_APP_KEY: providerApps.qq.secret,
  QQ_ENDPOINT: url,
  WECHAT_APP_ID: providerApps.weixin.account.appId,
  WECHAT_APP_SECRET: providerApps.weixin.account.secret,
  WECHAT_SITE_APP_ID: providerApps.weixin.site.appId,
  WECHAT_SITE_APP_SECRET: providerApps.weixin.site.secret,
  WECHAT_ENDPOINT: url,
})

/** `isCallback`: the addresses that logins may return to. */
export async function openProviderServer(
  isCallback: (redirectUri: string) => boolean = (it) => new URL(it).pathname === '/login',
): Promise<ProviderServer> {
  const provider = openLocalProvider(providerApps, 'http://picture.invalid')
  const faultModes = new Map<string, { readonly faultMode: ProviderFaultMode; times: number }>()
  const asked: string[] = []
  const server = createServer((request, reply) => {
    void (async () => {
      const parts: Buffer[] = []
      for await (const part of request) parts.push(part as Buffer)
      const url = new URL(request.url ?? '/', 'http://provider')
      asked.push(url.pathname)
      const found = faultModes.get(url.pathname)
      if (found) found.times -= 1
      if (found?.times === 0) faultModes.delete(url.pathname)
      const faultMode = found?.faultMode
      if (faultMode === 'silent') return
      if (faultMode === 'hang up') return void request.socket.destroy()
      if (faultMode === 'huge') return void reply.end(`{"access_token":"${'x'.repeat(1_000_000)}"}`)
      if (faultMode === 'redirect') return void reply.writeHead(302, { location: '/oauth2.0/me' }).end()
      if (faultMode && 'json' in faultMode) return void reply.end(JSON.stringify(faultMode.json))
      if (faultMode)
        return void reply.writeHead(faultMode.status).end(faultMode.body ?? '<html>not now</html>')
      const answer = provider.handle(
        {
          method: request.method === 'POST' ? 'POST' : 'GET',
          path: url.pathname,
          query: url.searchParams,
          body: Buffer.concat(parts).toString('utf8'),
        },
        isCallback,
      )
      if ('redirect' in answer) return void reply.writeHead(303, { location: answer.redirect }).end()
      const type = { html: 'text/html; charset=utf-8', json: 'application/json', text: 'text/plain' }[
        answer.type
      ]
      reply.writeHead(answer.status, { 'content-type': type, ...answer.headers }).end(answer.body)
    })()
  })
  const url = await listenHere(server)
  return {
    url,
    apps: providerApps,
    asked,
    faultMode(path, faultMode, times = Number.POSITIVE_INFINITY) {
      if (faultMode) faultModes.set(path, { faultMode, times })
      else faultModes.delete(path)
    },
    async codeFor(authorizeUrl, person) {
      const back = await agree(authorizeUrl, person)
      return back.searchParams.get('code') ?? ''
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Agrees on a page of the provider as a person; the address that the browser is sent back to. */
export async function agree(authorizeUrl: string, person: string, answer = 'yes'): Promise<URL> {
  const page = await (await fetch(authorizeUrl)).text()
  const form = new URLSearchParams({ name: person, answer })
  for (const [, name = '', value = ''] of page.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g))
    form.set(
      name,
      value.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code))),
    )
  const action = /action="([^"]*)"/.exec(page)?.[1] ?? ''
  const at = new URL(action, authorizeUrl)
  const reply = await fetch(at, { method: 'POST', body: form, redirect: 'manual' })
  const location = reply.headers.get('location')
  if (location === null) throw new Error(`the provider does not send back: ${reply.status}`)
  return new URL(location)
}
