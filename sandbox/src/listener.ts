/** The sandbox's side of HTTP. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { ControlRefused, controlInput } from './control.ts'
import { type ActDeps, act } from './controlActions.ts'
import type { SandboxAnswer, SandboxRequest } from './dialogue.ts'

/** The longest body of a request, bytes. */
const BODY_MAX = 256 * 1024

export interface Listener {
  readonly acts: ActDeps
  readonly token: string
  readonly pages: (request: SandboxRequest) => Promise<SandboxAnswer | null>
}

/** Answers whoever calls the sandbox: people, the control, and the merchant in the dialogue of each way. */
export function listener(input: Listener): (request: IncomingMessage, reply: ServerResponse) => void {
  return (raw, reply) => {
    void (async () => {
      const request = await read(raw)
      const answer = request === null ? text(413, 'too long') : await answerTo(input, request)
      if (answer === null) reply.destroy()
      else reply.writeHead(answer.status, answer.headers).end(answer.body)
    })().catch((error: unknown) => {
      console.error(error)
      if (reply.headersSent) reply.destroy()
      else reply.writeHead(500).end()
    })
  }
}

/** Null: the connection ends without an answer. */
async function answerTo(input: Listener, request: SandboxRequest): Promise<SandboxAnswer | null> {
  if (request.path === '/control') return control(input, request)
  const page = await input.pages(request)
  if (page) return page
  for (const dialogue of input.acts.dialogues) {
    if (!dialogue.isMine(request.path)) continue
    const end = await input.acts.faults.meet(dialogue.way)
    if (end === 'hang up') return null
    if (end === 'busy') return dialogue.busy(request)
    const answer = await dialogue.handle(request)
    return end === 'lost answer' ? null : answer
  }
  return text(404, 'not found')
}

async function control({ acts, token }: Listener, request: SandboxRequest): Promise<SandboxAnswer> {
  if (request.method !== 'POST') return text(405, 'only POST')
  if (!isSame(String(request.headers.authorization ?? ''), `Bearer ${token}`))
    return text(401, 'another token')
  let input: unknown
  try {
    input = JSON.parse(request.body.toString('utf8'))
  } catch {
    return text(400, 'that is no JSON')
  }
  const parsed = controlInput.safeParse(input)
  if (!parsed.success)
    return text(
      400,
      parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '),
    )
  try {
    const body = JSON.stringify(await act(acts, parsed.data))
    return { status: 200, headers: { 'content-type': 'application/json' }, body }
  } catch (error) {
    if (error instanceof ControlRefused) return text(409, error.message)
    throw error
  }
}

const text = (status: number, body: string): SandboxAnswer => ({
  status,
  body,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
})

/** Compares without telling by its time how much is right. */
const isSame = (a: string, b: string): boolean => {
  const digest = (it: string) => createHash('sha256').update(it).digest()
  return timingSafeEqual(digest(a), digest(b))
}

/** Null: the body is too long. */
async function read(raw: IncomingMessage): Promise<SandboxRequest | null> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of raw) {
    bytes += (part as Buffer).length
    if (bytes > BODY_MAX) return null
    parts.push(part as Buffer)
  }
  const target = raw.url ?? '/'
  const mark = target.indexOf('?')
  return {
    method: raw.method ?? 'GET',
    path: mark === -1 ? target : target.slice(0, mark),
    search: mark === -1 ? '' : target.slice(mark),
    headers: raw.headers,
    body: Buffer.concat(parts),
  }
}
