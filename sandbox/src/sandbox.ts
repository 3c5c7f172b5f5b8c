/**
 * Payment providers for development and tests: they speak the dialogues of WeChat Pay and Alipay on an
 * address of their own, so that the server's adapters do not know that they are not the real ones. Written
 * after the providers' documents, not after our adapters.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import type { AlipayConfig, WechatPayConfig } from '@guildhall/server/config/pay.ts'
import { makePrivateDirectory, PRIVATE_FILE } from '@guildhall/server/kit/files/directory.ts'
import { acquireLock } from '@guildhall/server/kit/process.ts'
import type { PayWay } from '@guildhall/wire/payWay.ts'
import { AlipayDialogue } from './alipay/alipay.ts'
import { ContractStore } from './contractStore.ts'
import { ControlRefused } from './control.ts'
import type { ActDeps } from './controlActions.ts'
import type { Dialogue, DialogueDeps } from './dialogue.ts'
import { alipayConfigOf, type Keys, openKeys, wechatConfigOf } from './keys.ts'
import { listener } from './listener.ts'
import { Notifier } from './notifier.ts'
import { outboxOfContracts, outboxOfTrades, untold } from './outbox.ts'
import { openPages } from './pages.ts'
import { ProviderFaults } from './providerFaults.ts'
import { TradeStore } from './tradeStore.ts'
import { WechatDialogue } from './wechat/wechat.ts'

export interface SandboxOptions {
  /** Where keys, store and port are kept. */
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

/**
 * @throws Error when another process has the directory open, and the system's error for an address that is
 *   taken
 */
export async function openSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { dir, waitFactor = 1 } = options
  await makePrivateDirectory(dir)
  const lock = await acquireLock(path.join(dir, 'lock'))
  if ('heldBy' in lock) throw new Error(`process ${lock.heldBy} has the sandbox in ${dir} open`)
  const store = new TradeStore(path.join(dir, 'book.jsonl'))
  const contracts = new ContractStore(path.join(dir, 'contracts.jsonl'))
  const server = createServer()
  // The server’s calls come at any moment: a connection that is closed just then would fail one.
  server.keepAliveTimeout = 0
  const closeFiles = async () => {
    store.close()
    contracts.close()
    await lock.release()
  }
  try {
    const keys = await openKeys(dir, options.makeKeys)
    const url = await listen(server, options)
    const acts = openActs({ store, contracts, keys, url, waitFactor })
    server.on('request', listener({ acts, token: keys.now.controlToken, pages: openPages(acts) }))
    return {
      ...accessOf(keys.now, url),
      async close() {
        await new Promise((closed) => {
          server.close(closed)
          server.closeAllConnections()
        })
        await Promise.all([acts.notifier.close(), acts.contractNotifier.close()])
        await closeFiles()
      },
    }
  } catch (error) {
    server.close()
    await closeFiles()
    throw error
  }
}

/** The dialogues, and what people do at them. They tell the server of what is in the stores. */
function openActs({
  waitFactor,
  ...it
}: Pick<DialogueDeps, 'store' | 'contracts' | 'keys' | 'url'> & { readonly waitFactor: number }): ActDeps {
  const dialogueOf = (way: PayWay): Dialogue => {
    const found = dialogues.find((dialogue) => dialogue.way === way)
    if (!found) throw new ControlRefused(`there is no ${way} here`)
    return found
  }
  const notifier = new Notifier(outboxOfTrades(it.store), dialogueOf, { waitFactor })
  const contractNotifier = new Notifier(outboxOfContracts(it.contracts), dialogueOf, { waitFactor })
  const faults = new ProviderFaults()
  const deps: DialogueDeps = {
    ...it,
    faults,
    cashier: ({ token }) => `${it.url}/cashier/${token}`,
    contractPage: ({ token }) => `${it.url}/contract/${token}`,
    notify(trade, refund) {
      const refundNo = refund?.refundNo ?? ''
      void notifier.notify(trade, notifier.add(trade, { refundNo, tamper: {} }))
    },
    notifyContract(contract, says) {
      void contractNotifier.notify(contract, contractNotifier.add(contract, { says, tamper: {} }))
    },
  }
  const dialogues: readonly Dialogue[] = [new WechatDialogue(deps), new AlipayDialogue(deps)]
  for (const trade of it.store.all())
    for (const refundNo of untold(trade)) notifier.add(trade, { refundNo, tamper: {} })
  return { ...deps, faults, notifier, contractNotifier, dialogues, dialogueOf }
}

/**
 * Listens on the port of the last time where none is asked for, so that addresses in the server stay right.
 * Resolves to the sandbox's own address.
 */
async function listen(
  server: Server,
  { dir, host, port, name = host, url }: SandboxOptions,
): Promise<string> {
  const file = path.join(dir, 'port')
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
  const own = url ?? `http://${name.includes(':') && !name.startsWith('[') ? `[${name}]` : name}:${at}`
  await writeFile(path.join(dir, URL_FILE), own, { mode: PRIVATE_FILE })
  return own
}
