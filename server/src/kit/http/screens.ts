/** The built page: its files, and the paths on which it draws a screen itself. */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { mediaTypes } from './reply.ts'
import { localeOf } from './request.ts'
import { httpText } from './text.ts'

const HASHED_FILE_MAX_AGE_S = 31_536_000

/** Paths that answer with a served page, by the file of the page; `/channels/*` covers all below. */
export type Screens = Readonly<Record<string, string>>

/**
 * Screens that may lead on at once, by path: the address; null: the screen is shown. The query is as it was
 * sent.
 */
export type Passes = Readonly<Record<string, (query: Readonly<Record<string, unknown>>) => string | null>>

/** Writes what the operator's is into a served page. Absent: the built pages are sent as they are. */
export type Dress = (html: string) => string

/** A page of the build, dressed; null: it is not built. */
export function dressedPage(webDir: string, file: string, dress: Dress = (html) => html): string | null {
  const at = path.join(webDir, file)
  return existsSync(at) ? dress(readFileSync(at, 'utf8')) : null
}

/** Answers 503 while the page is not built. Dressed pages are those of the start. */
export async function registerScreens(
  app: FastifyInstance,
  screens: Screens,
  webDir: string,
  { passes = {}, dress }: { readonly passes?: Passes | undefined; readonly dress?: Dress | undefined } = {},
): Promise<void> {
  const isBuilt = existsSync(path.join(webDir, 'index.html'))
  const dressed = dress && isBuilt ? dressedFiles(webDir, Object.values(screens), dress) : null
  if (isBuilt) await registerPageFiles(app, webDir)
  for (const [screen, file] of Object.entries(screens)) {
    app.get(screen, (request, reply) => {
      const target = passes[screen]?.(request.query as Readonly<Record<string, unknown>>)
      if (target) return reply.header('cache-control', 'no-store').redirect(target, 302)
      const page = dressed?.get(file)
      if (page) return sendDressed(request, reply, page)
      if (isBuilt) return reply.sendFile(file)
      return reply.code(503).type(mediaTypes.text).send(httpText[localeOf(request)].notBuilt)
    })
  }
}

/**
 * The inline scripts of the built page as sources of a content policy: `'sha256-…'` each. All served pages
 * have the same ones (`web/pages.ts`). Empty while the page is not built.
 */
export function inlineScriptSources(webDir: string): readonly string[] {
  const index = path.join(webDir, 'index.html')
  if (!existsSync(index)) return []
  return [...readFileSync(index, 'utf8').matchAll(/<script>(.*?)<\/script>/gs)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  )
}

/** True for an address that is opened in a browser's tab. */
export const isOpened = ({ method, url, headers }: FastifyRequest): boolean =>
  method === 'GET' && Boolean(headers.accept?.includes('text/html')) && !url.startsWith('/api/')

/**
 * True for an address that may be a link of somebody's: robots that draw previews of links often name no
 * type.
 */
export const isFollowed = ({ method, url }: FastifyRequest): boolean =>
  (method === 'GET' || method === 'HEAD') && !url.startsWith('/api/')

/** The page, which says itself that there is nothing at this path; null while the page is not built. */
export const pageForUnknown = (webDir: string, dress: Dress = (html) => html): Promise<string | null> =>
  readFile(path.join(webDir, 'index.html'), 'utf8').then(dress, () => null)

interface Dressed {
  readonly body: string
  readonly etag: string
}

function dressedFiles(webDir: string, files: readonly string[], dress: Dress): ReadonlyMap<string, Dressed> {
  const dressed = [...new Set(files)].flatMap((file) => {
    const body = dressedPage(webDir, file, dress)
    const etag = `W/"${createHash('sha256')
      .update(body ?? '')
      .digest('base64url')
      .slice(0, 22)}"`
    return body === null ? [] : [[file, { body, etag }] as const]
  })
  return new Map(dressed)
}

function sendDressed(request: FastifyRequest, reply: FastifyReply, { body, etag }: Dressed): FastifyReply {
  void reply.header('cache-control', 'no-cache').header('etag', etag).type(mediaTypes.html)
  return request.headers['if-none-match'] === etag ? reply.code(304).send() : reply.send(body)
}

async function registerPageFiles(app: FastifyInstance, webDir: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: webDir,
    // A file is looked up at each request, so that a rebuilt page is served without a restart.
    wildcard: true,
    index: false,
    preCompressed: true,
    dotfiles: 'ignore',
    cacheControl: false,
    setHeaders(reply, file) {
      const isHashed = path.relative(webDir, file).split(path.sep)[0] === 'assets'
      reply.header(
        'cache-control',
        isHashed ? `public, max-age=${HASHED_FILE_MAX_AGE_S}, immutable` : 'no-cache',
      )
    },
  })
}
