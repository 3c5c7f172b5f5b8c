/** HTTP endpoints beside the JSON calls: pages, raw callbacks with their exact bytes, redirects, files. */
import { fail } from '@guildhall/wire/failure.ts'
import type { Bytes } from '@guildhall/wire/unit.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import { planFile, type Servable } from '../files/file.ts'
import type { RequestContext } from './binding.ts'
import { readParams } from './input.ts'
import type { Refuse } from './refusal.ts'
import { mediaTypes } from './reply.ts'
import { bearerOf, contextOf, isLocal, type RequestSources } from './request.ts'

/** A request to an endpoint. */
export interface EndpointRequest extends RequestContext {
  /** The path without the query, as it was sent. */
  readonly path: string
  /** Path and query parameters that are strings. */
  readonly params: Readonly<Record<string, string>>
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** The exact bytes that were sent; empty for GET. */
  readonly body: Buffer
}

/** The answer of an endpoint: content, a redirect, or a stored file. */
export type EndpointReply =
  | (MoreHeaders & {
      readonly status: number
      readonly type: keyof typeof mediaTypes
      readonly body: string | Buffer
    })
  | (MoreHeaders & { readonly redirect: string; readonly status?: 302 | 303 | 307 })
  | { readonly file: Servable }

interface MoreHeaders {
  /** Further headers, or others instead of the usual ones. */
  readonly headers?: Readonly<Record<string, string>>
}

/** The client of an endpoint that is not public. */
export interface Reader {
  /** The request was made on this machine, and not forwarded by a proxy on it. */
  readonly isLocal: boolean
  /** The token of `Authorization: Bearer TOKEN`. */
  readonly bearer: string | null
  /** The parameter `token` of the query. */
  readonly queryToken: string | null
}

export interface Endpoint {
  /** GET also answers HEAD. */
  readonly method: 'GET' | 'POST'
  /** As the router writes it: `/assets/:month/:name`. */
  readonly path: string
  /** Who may use it; for everybody else it does not exist. Absent: anybody. */
  readonly mayRead?: (from: Reader) => boolean
  /** The longest body, bytes; by default that of a call. */
  readonly bodyMax?: Bytes
  /** A failure it throws is answered as plain text with the failure's status. */
  readonly run: (request: EndpointRequest) => Promise<EndpointReply>
}

/** A GET endpoint. */
export type Page = Omit<Endpoint, 'method' | 'bodyMax'>

/**
 * Stored files by the patterns of their paths; `find` gets the whole path and the parameters, and answers
 * null when there is no file.
 */
export const fileEndpoints = (
  paths: readonly string[],
  find: (path: string, params: EndpointRequest['params']) => Promise<Servable | null>,
): Endpoint[] =>
  paths.map((path) => ({
    method: 'GET',
    path,
    async run(request) {
      const file = await find(request.path, request.params)
      if (!file) throw fail('not_found')
      return { file }
    },
  }))

export function registerEndpoints(
  app: FastifyInstance,
  endpoints: readonly Endpoint[],
  deps: AnswerOptions & RequestSources & { readonly refuse: Refuse },
): void {
  for (const endpoint of endpoints) {
    const { method, path, mayRead, bodyMax, run } = endpoint
    const handler: RouteHandlerMethod = async (request, reply) => {
      try {
        if (mayRead && !mayRead(readerOf(request))) throw fail('not_found')
        return await answer(request, reply, await run(endpointRequest(request, deps)), deps)
      } catch (error) {
        return deps.refuse(request, reply, error)
      }
    }
    const bodyLimit = bodyMax === undefined ? {} : { bodyLimit: bodyMax }
    app.route({ method: method === 'GET' ? ['GET', 'HEAD'] : [method], url: path, handler, ...bodyLimit })
  }
}

export const readerOf = (request: FastifyRequest): Reader => ({
  isLocal: isLocal(request),
  bearer: bearerOf(request),
  queryToken: readParams(request).token ?? null,
})

const NO_BYTES = Buffer.alloc(0)

export const endpointRequest = (request: FastifyRequest, sources: RequestSources): EndpointRequest => ({
  ...contextOf(request, sources),
  path: request.url.split('?')[0]!,
  params: readParams(request),
  headers: request.headers,
  body: Buffer.isBuffer(request.body) ? request.body : NO_BYTES,
})

/** What the operator says of answers. */
export interface AnswerOptions {
  /** Origins of other sites whose pages may show files; none by default. */
  readonly embedOrigins?: readonly string[]
}

export function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  input: EndpointReply,
  { embedOrigins = [] }: AnswerOptions,
) {
  if ('file' in input) return sendFile(request, reply, input.file, embedOrigins)
  void reply.header('cache-control', 'private, no-store').headers(input.headers ?? {})
  if ('redirect' in input) return reply.redirect(input.redirect, input.status ?? 302)
  return reply.code(input.status).type(mediaTypes[input.type]).send(input.body)
}

/** @throws Failure not_found, when the file went away meanwhile */
async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: Servable,
  embedOrigins: readonly string[],
) {
  const { range, 'if-range': ifRange, 'if-none-match': ifNoneMatch, origin, referer } = request.headers
  const wanted = { range, ifRange: ifRange as string | undefined, ifNoneMatch, origin, referer }
  const plan = planFile(file, wanted, embedOrigins)
  // The body of a HEAD is not sent, so the file is not opened.
  const isRead = plan.body !== null && request.method === 'GET'
  const body = isRead ? await file.open(plan.body?.range) : null
  if (isRead && !body) throw fail('not_found')
  void reply.code(plan.status).headers(plan.headers)
  if (body) request.raw.once('close', () => body.destroy())
  return reply.send(body ?? '')
}
