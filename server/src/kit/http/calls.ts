/** The JSON calls and the uploads: each binding becomes a Fastify route. protocol.md §1. */
import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import multipart from '@fastify/multipart'
import { Failure, fail } from '@guildhall/wire/failure.ts'
import type { Route } from '@guildhall/wire/route.ts'
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import type { Spool } from '../files/spool.ts'
import { networkOf } from '../limits/network.ts'
import type { Limits } from '../limits/rateLimit.ts'
import type { Binding, Caller, Context } from './binding.ts'
import { readForm } from './form.ts'
import { parseBody, readInput } from './input.ts'
import { CALLS_PER_GUEST_NETWORK, CALLS_PER_NETWORK, CALLS_PER_PERSON } from './limit.ts'
import { bucketOf, type CallRateLimit } from './rateLimit.ts'
import type { Refuse } from './refusal.ts'
import { checkAnswer, sendJson } from './reply.ts'
import { callerOf, contextOf, type RequestSources } from './request.ts'
import { httpText } from './text.ts'

/** Judges calls of staff and writes them down. Made by `staff/gate.ts`. */
export interface StaffGate {
  /** @throws Failure forbidden, staff.session_over, staff.address */
  admit(
    caller: Caller,
    input: { readonly right: NonNullable<Route['right']>; readonly ip: string },
  ): Promise<void>
  /** Writes a call down before it runs; one that cannot be written down does not run. */
  record(
    caller: Caller,
    input: { readonly path: string; readonly network: string; readonly input: unknown },
  ): Promise<void>
}

/** What calls are answered with. */
export interface CallDeps extends RequestSources {
  readonly staff: StaffGate
  readonly rateLimit: CallRateLimit
  readonly limits: Limits
  readonly refuse: Refuse
  /** Check each answer against its route's schema. */
  readonly checkAnswers: boolean
  readonly spool?: Spool | undefined
}

/** Does the work of a call on an admitted request. */
type Work = (request: FastifyRequest, context: Context) => Promise<unknown>

export async function registerCalls(
  app: FastifyInstance,
  bindings: readonly Binding[],
  deps: CallDeps,
): Promise<void> {
  for (const binding of bindings) if (!binding.admit) registerCall(app, binding, deps)
  // Only these routes parse forms: for all others a form is a body like any other.
  await app.register(async (child) => {
    await child.register(multipart, { throwFileSizeLimit: false })
    for (const binding of bindings) if (binding.admit) registerUpload(child, binding, binding.admit, deps)
  })
}

function registerCall(app: FastifyInstance, binding: Binding, deps: CallDeps): void {
  const { route, run } = binding
  // Reads may be called by either method. protocol.md §1.1.
  const method = route.dialect === 'v3' && route.method === 'GET' ? ['GET', 'POST'] : [route.method]
  const handler = handlerOf(route, deps, async (request, context) => {
    const body = parseBody(request.body, context.locale)
    const input = readInput(route, request, body, context.locale)
    const { caller, network } = context
    if (route.who === 'staff' && caller) await deps.staff.record(caller, { path: route.path, network, input })
    return run(context, input, null)
  })
  for (const url of pathsOf(route)) app.route({ method, url, handler })
}

function registerUpload(
  app: FastifyInstance,
  binding: Binding,
  admit: NonNullable<Binding['admit']>,
  deps: CallDeps,
): void {
  const { route, run } = binding
  const handler = handlerOf(route, deps, async (request, context) => {
    const maxBytes = await admit(context)
    if (request.inFlight) request.inFlight.since = Number.POSITIVE_INFINITY
    const { fields, file } = await readForm(request, binding, deps.spool, maxBytes)
    try {
      return await run(context, readInput(route, request, fields, context.locale), file)
    } finally {
      if (file) await rm(file.path, { force: true })
    }
  })
  for (const url of pathsOf(route)) app.route({ method: route.method, url, handler })
}

const UPLOAD_REFUSED_AFTER_MS = SECOND_MS
/** Refusals of an upload that close its connection, because they can be repeated without bound. */
const ENDS_UPLOAD: ReadonlySet<string> = new Set(['not_logged_in', 'too_many', 'asset.daily_limit'])

/** Authenticates, counts against the rate limit, authorizes, does the work, answers. */
function handlerOf(route: Route, deps: CallDeps, work: Work): RouteHandlerMethod {
  return async (request, reply) => {
    try {
      const session = await callerOf(request, deps.sessionOf)
      const caller = session?.isConsole && route.who !== 'staff' ? null : session
      request.caller = caller ?? undefined
      await limitRate(route, request, reply, caller, deps)
      await authorize(route, caller, request.ip, deps)
      const context = { ...contextOf(request, deps), caller }
      const answer = await work(request, context)
      if (deps.checkAnswers) checkAnswer(route, answer)
      const message = httpText[context.locale].done
      return sendJson(reply, 200, route.dialect === 'v2' ? answer : { code: 0, message, data: answer })
    } catch (error) {
      // Nobody keeps the server busy by files that go on after such a refusal.
      if (route.form && error instanceof Failure && ENDS_UPLOAD.has(error.failure)) {
        void reply.header('connection', 'close')
        // The file is not read meanwhile. Without the wait, clients would come again at once.
        await sleep(UPLOAD_REFUSED_AFTER_MS)
      }
      return deps.refuse(request, reply, error, route)
    }
  }
}

/**
 * The protocol's window of each v3 route, then the limits of a person and a network over all calls. Bots have
 * the former alone: it bounds all that they do.
 * @throws Failure too_many
 */
async function limitRate(
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  caller: Caller | null,
  { rateLimit, limits }: CallDeps,
): Promise<void> {
  const network = networkOf(request.ip)
  if (route.dialect === 'v3') {
    const who = caller ? `session ${caller.sessionId}` : `place ${network}`
    if (!(await rateLimit.spend(reply, bucketOf(route.path), who))) throw fail('too_many')
  }
  if (caller?.isBot) return
  const kind = route.method === 'GET' ? 'read' : 'write'
  if (!caller) return limits.use(CALLS_PER_GUEST_NETWORK[kind], network)
  await Promise.all([
    limits.use(CALLS_PER_PERSON[kind], caller.userId),
    limits.use(CALLS_PER_NETWORK[kind], network),
  ])
}

/** @throws Failure not_logged_in, forbidden, staff.session_over, staff.address */
async function authorize(route: Route, caller: Caller | null, ip: string, deps: CallDeps): Promise<void> {
  if (route.who !== 'anyone' && !caller) throw fail('not_logged_in')
  // The specification's own calls are closed to bots. protocol.md §9.6.
  if (caller?.isBot && (route.dialect === 'v2' || route.who === 'person')) throw fail('forbidden')
  if (route.who !== 'staff' || !caller) return
  if (caller.isBot || !route.right) throw fail('forbidden')
  await deps.staff.admit(caller, { right: route.right, ip })
}

/** The version may be left out and is then 3. protocol.md §1.1. `/api/file/…` has none. */
const pathsOf = (route: Route): string[] =>
  route.dialect === 'v3' && route.path.startsWith('/api/v3/')
    ? [route.path, route.path.replace('/api/v3/', '/api/')]
    : [route.path]
