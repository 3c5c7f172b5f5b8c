/**
 * Payment providers for development and tests: they speak the dialogues of WeChat Pay and Alipay on an
 * address of their own, so that the server's adapters do not know that they are not the real ones. Written
 * after the providers' documents, not after our adapters.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import type { AlipayConfig, WechatPayConfig } from '@guildhall/server/config/pay.ts'
import { makePrivateDirectory, PRIVATE_FILE } from '@guildhall/server/kit/files/directory.ts'
import { acquireLock } from '@guildhall/server/kit/process.ts'
import type { PayWay } from '@guildhall/server/outside/payment/payProvider.ts'
import { openAlipayDialogue } from './alipay.ts'
import { openBook, type Refund, type Trade } from './book.ts'
import { openContractNotifier } from './contractNotifier.ts'
import { type Contract, ContractBook } from './contracts.ts'
import { ControlRefused, controlInput } from './control.ts'
import { type ActDeps, act } from './controlActions.ts'
import type { Dialogue, DialogueDeps, SandboxAnswer, SandboxRequest } from './dialogue.ts'
import { alipayConfigOf, type Keys, openKeys, wechatConfigOf } from './keys.ts'
import { openNotifier } from './notifier.ts'
import { openPages } from './pages.ts'
import { openProviderFaults } from './providerFaults.ts'
import { openWechatDialogue } from './wechat.ts'

export interface SandboxOptions {
  /** Where keys, book and port are kept. */
  readonly dir: string
  readonly host: string
  /** 0: the one of the last time, or a free one. */
  readonly port: number
  /** The host of its addresses, when that is another than the one it listens on. */
  readonly name?: string
  /**
   * Where browsers and the server reach it, when that is another address than where it listens; without a
   * slash at its end.
   */
  readonly url?: string
  /** Makes the keys of a directory that has none, in place of the sandbox. */
  readonly makeKeys?: (() => Promise<Keys>) | undefined
  /**
   * How much of the providers' waiting times before they repeat a message is waited; 1, if nothing is said.
   */
  readonly waitFactor?: number
}

export interface Sandbox {
  /** Without a slash at its end. */
  readonly url: string
  /** What the server is configured with. */
  readonly wechat: WechatPayConfig
  readonly alipay: AlipayConfig
  /** WeChat's public key, which the server may use in place of certificates. */
  readonly wechatPublicKey: NonNullable<WechatPayConfig['publicKey']>
  /** Of `POST /control`. */
  readonly token: string
  close(): Promise<void>
}

/** What the server needs to know of a sandbox. */
export type SandboxAccess = Omit<Sandbox, 'close'>

const URL_FILE = 'url'

/**
 * A sandbox that this or another process has open in the directory, or had; null: none was ever opened there.
 */
export async function findSandbox(dir: string): Promise<SandboxAccess | null> {
  const url = await readFile(path.join(dir, URL_FILE), 'utf8').catch(() => null)
  return url === null ? null : accessOf((await openKeys(dir)).now, url)
}

const accessOf = (keys: Keys, url: string): SandboxAccess => ({
  url,
  token: keys.controlToken,
  wechat: wechatConfigOf(keys, url),
  alipay: alipayConfigOf(keys, url),
  wechatPublicKey: { id: keys.wechat.publicKey.id, pem: keys.wechat.publicKey.publicKey },
})

/** The longest body of a request, bytes. */
const BODY_MAX = 256 * 1024

/**
 * @throws Error when another process has the directory open, and the system's error for an address that is
 *   taken
 */
export async function openSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { dir, host, port, waitFactor = 1 } = options
  await makePrivateDirectory(dir)
  const lock = await acquireLock(path.join(dir, 'lock'))
  if ('heldBy' in lock) throw new Error(`process ${lock.heldBy} has the sandbox in ${dir} open`)
  const book = openBook(path.join(dir, 'book.jsonl'))
  const contracts = new ContractBook(path.join(dir, 'contracts.jsonl'))
  const server = createServer()
  // The server’s calls come at any moment: a connection that is closed just then would fail one.
  server.keepAliveTimeout = 0
  try {
    const keys = await openKeys(dir, options.makeKeys)
    const at = await listen(server, host, port, path.join(dir, 'port'))
    const name = options.name ?? host
    const url =
      options.url ?? `http://${name.includes(':') && !name.startsWith('[') ? `[${name}]` : name}:${at}`
    await writeFile(path.join(dir, URL_FILE), url, { mode: PRIVATE_FILE })
    const cashier = (trade: Trade) => `${url}/cashier/${trade.token}`
    const faults = openProviderFaults()
    const contractPage = ({ token }: Contract) => `${url}/contract/${token}`
    const tellContract: DialogueDeps['tellContract'] = (contract, says) => {
      void contractNotifier.tell(contract, contractNotifier.note(contract, { says, evil: {} }))
    }
    const tell = (trade: Trade, refund: Refund | null) => {
      void notifier.tell(trade, notifier.note(trade, { refund, evil: {} }))
    }
    const deps: DialogueDeps = {
      book,
      contracts,
      keys,
      faults,
      url,
      cashier,
      contractPage,
      tell,
      tellContract,
    }
    const dialogues: readonly Dialogue[] = [openWechatDialogue(deps), openAlipayDialogue(deps)]
    const dialogueOf = (way: PayWay): Dialogue => {
      const found = dialogues.find((it) => it.way === way)
      if (!found) throw new ControlRefused(`there is no ${way} here`)
      return found
    }
    const notifier = openNotifier(book, dialogueOf, { waitFactor })
    const contractNotifier = openContractNotifier(contracts, dialogueOf, { waitFactor })
    const acts: ActDeps = {
      book,
      notifier,
      faults,
      dialogues,
      dialogueOf,
      cashier,
      contracts,
      contractNotifier,
      contractPage,
    }
    const token = keys.now.controlToken
    server.on('request', listener({ acts, token, pages: openPages(acts) }))
    return {
      ...accessOf(keys.now, url),
      async close() {
        await new Promise((closed) => {
          server.close(closed)
          server.closeAllConnections()
        })
        await Promise.all([notifier.close(), contractNotifier.close()])
        book.close()
        contracts.close()
        await lock.release()
      },
    }
  } catch (error) {
    server.close()
    book.close()
    contracts.close()
    await lock.release()
    throw error
  }
}

/**
 * Listens on the port of the last time where none is asked for, so that addresses in the server stay right.
 */
async function listen(server: Server, host: string, port: number, file: string): Promise<number> {
  const last = Number(await readFile(file, 'utf8').catch(() => '0')) || 0
  const bound = (wanted: number): Promise<void> =>
    new Promise((done, failed) => {
      server.once('error', failed)
      server.listen(wanted, host, () => {
        server.off('error', failed)
        done()
      })
    })
  if (port !== 0 || last === 0) await bound(port)
  else await bound(last).catch(() => bound(0))
  const at = (server.address() as AddressInfo).port
  await writeFile(file, String(at), { mode: PRIVATE_FILE })
  return at
}

interface Listener {
  readonly acts: ActDeps
  readonly token: string
  readonly pages: (request: SandboxRequest) => Promise<SandboxAnswer | null>
}

function listener(it: Listener): (request: IncomingMessage, reply: ServerResponse) => void {
  return (raw, reply) => {
    void (async () => {
      const request = await read(raw)
      const answer = request === null ? text(413, 'too long') : await answerTo(it, request)
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
async function answerTo(it: Listener, request: SandboxRequest): Promise<SandboxAnswer | null> {
  if (request.path === '/control') return control(it, request)
  const page = await it.pages(request)
  if (page) return page
  for (const dialogue of it.acts.dialogues) {
    if (!dialogue.isMine(request.path)) continue
    const end = await it.acts.faults.meet(dialogue.way)
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
