/**
 * The messages between page and native shell: texts, each an object as JSON. Loaded where `here().hasShell`
 * alone. docs/native.md.
 */
import { type Out, type Schema, z } from '@guildhall/wire/schema.ts'
import { type AppConfig, type Shell, type ShellCall, type ShellEvent, setShell } from './shell.ts'
import { SHELL_TIMEOUTS, shellCalls, shellEvents } from './shellCalls.ts'
import { ShellFailure } from './shellFailure.ts'

/** How texts get to the shell and back. */
export interface Transport {
  /** Sends a text. @throws whatever the shell throws */
  post(text: string): void
  /** Receives every text from now on. */
  listen(receive: (text: unknown) => void): void
}

interface Postbox {
  postMessage(text: string): void
}

/** What a shell puts into a page, and what the page puts there for it. */
interface BridgeWindow {
  readonly webkit?: { readonly messageHandlers?: { readonly guildhall?: Postbox } }
  readonly GuildhallNative?: Postbox
  GuildhallBridge?: { receive(text: unknown): void }
}

/**
 * The transport of this page; null where there is no sign of a shell. A framing page is a shell only where it
 * is of the page's own origin: others may not frame it at all, and get and give no message if a browser lets
 * them.
 */
export function findTransport(page: Window = window): Transport | null {
  const bridged = page as unknown as BridgeWindow
  const postbox = bridged.webkit?.messageHandlers?.guildhall ?? bridged.GuildhallNative
  if (postbox)
    return {
      post: (text) => postbox.postMessage(text),
      listen: (receive) => {
        // Nothing that runs later may take the shell's answers by writing over it.
        Object.defineProperty(page, 'GuildhallBridge', {
          value: Object.freeze({ receive: (text: unknown) => receive(text) }),
          configurable: true,
          writable: false,
        })
      },
    }
  const { parent } = page
  if (parent === page) return null
  return {
    post: (text) => parent.postMessage(text, page.location.origin),
    listen: (receive) =>
      page.addEventListener('message', ({ source, origin, data }) => {
        if (source === parent && origin === page.location.origin) receive(data)
      }),
  }
}

const answer = z.object({ id: z.int(), result: z.optional(z.unknown()), error: z.optional(z.unknown()) })
const refusal = z.object({ name: z.string(), message: z.optional(z.nullable(z.string())) })
const eventMessage = z.object({ event: z.string(), data: z.optional(z.unknown()) })

interface Waiting {
  readonly call: ShellCall
  readonly settle: (result: { readonly ok: unknown } | { readonly failed: ShellFailure }) => void
}

/** The calls under way, and who listens to events. */
export class Bridge {
  readonly #transport: Transport
  readonly #waiting = new Map<number, Waiting>()
  readonly #listeners = new Map<string, Set<(data: never) => void>>()
  #lastId = 0

  constructor(transport: Transport) {
    this.#transport = transport
    transport.listen((text) => this.#receive(text))
  }

  /** Calls the shell, whether or not it says that it has the call. @throws ShellFailure */
  async call<C extends ShellCall>(
    call: C,
    data: unknown,
    timeoutMs = SHELL_TIMEOUTS[call],
  ): Promise<Out<(typeof shellCalls)[C]['result']>> {
    const checked = (shellCalls[call].data as Schema).safeParse(data)
    if (!checked.success) throw new ShellFailure('bad_data', whyNot(checked.error.issues))
    const id = ++this.#lastId
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#settle(id, { failed: new ShellFailure('timeout') }), timeoutMs)
      this.#waiting.set(id, {
        call,
        settle: (result) => {
          clearTimeout(timer)
          if ('ok' in result) resolve(result.ok as Out<(typeof shellCalls)[C]['result']>)
          else reject(result.failed)
        },
      })
      try {
        this.#transport.post(JSON.stringify({ id, call, data: checked.data }))
      } catch {
        this.#settle(id, { failed: new ShellFailure('unreachable') })
      }
    })
  }

  /** Listens to an event; returns what stops it. */
  on<E extends ShellEvent>(event: E, listener: (data: Out<(typeof shellEvents)[E]>) => void): () => void {
    const all = this.#listeners.get(event) ?? new Set()
    this.#listeners.set(event, all.add(listener))
    return () => all.delete(listener)
  }

  #settle(id: number, result: Parameters<Waiting['settle']>[0]): void {
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    waiting?.settle(result)
  }

  /** Texts that are none of the contract, answers to no call, and answers after the first one are ignored. */
  #receive(text: unknown): void {
    const message = parse(text)
    const event = eventMessage.safeParse(message)
    if (event.success) return this.#tell(event.data)
    const answered = answer.safeParse(message)
    if (answered.success) this.#answer(answered.data)
  }

  #answer({ id, result, error }: Out<typeof answer>): void {
    const waiting = this.#waiting.get(id)
    if (!waiting) return
    const refused = refusal.safeParse(error)
    if (refused.success) {
      const { name, message } = refused.data
      const failure = name === 'unsupported' ? 'unsupported' : 'refused'
      return this.#settle(id, { failed: new ShellFailure(failure, message ?? '', name) })
    }
    const checked = (shellCalls[waiting.call].result as Schema).safeParse(result)
    if (checked.success && error == null) return this.#settle(id, { ok: checked.data })
    const why = checked.success ? 'error: no name' : whyNot(checked.error!.issues)
    const shown = JSON.stringify({ result, error }, (key, value) => (key === 'token' ? '•••' : value))
    const failed = new ShellFailure('bad_answer', why, '', shown.slice(0, SHOWN_ANSWER))
    this.#settle(id, { failed })
  }

  #tell({ event, data }: Out<typeof eventMessage>): void {
    if (!Object.keys(shellEvents).includes(event)) return
    const checked = shellEvents[event as ShellEvent].safeParse(data ?? {})
    if (!checked.success) return
    for (const listener of [...(this.#listeners.get(event) ?? [])]) listener(checked.data as never)
  }
}

/** Characters of a wrong answer that its failure shows. */
const SHOWN_ANSWER = 200

/** What does not fit, for whoever writes the shell. */
const whyNot = (
  issues: readonly { readonly path: readonly PropertyKey[]; readonly code: string }[],
): string => issues.map(({ path, code }) => `${path.map(String).join('.') || '(whole)'}: ${code}`).join('; ')

function parse(text: unknown): unknown {
  if (typeof text !== 'string') return null
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Null where the page cannot listen, because something holds the place of `GuildhallBridge`. */
function bridgeOver(transport: Transport): Bridge | null {
  try {
    return new Bridge(transport)
  } catch {
    return null
  }
}

/**
 * Asks the shell who is logged in and what it can do. Null: it did not answer, so the page is a plain one.
 * Never rejects. chat.md §4 "Native bridge".
 */
export async function connectShell(transport: Transport | null = findTransport()): Promise<Shell | null> {
  if (!transport) return null
  const bridge = bridgeOver(transport)
  let config: AppConfig | null = (await bridge?.call('get_app_config', {}).catch(() => null)) ?? null
  if (!bridge || !config) return null
  const has = (call: ShellCall) => call === 'get_app_config' || config!.calls.includes(call)
  const shell: Shell = {
    get config() {
      return config!
    },
    has,
    async call(call, data) {
      if (!has(call)) throw new ShellFailure('unsupported')
      const result = await bridge.call(call, data)
      if (call === 'get_app_config') config = result as AppConfig
      return result
    },
    on: (event, listener) => bridge.on(event, listener),
  }
  setShell(shell)
  return shell
}
