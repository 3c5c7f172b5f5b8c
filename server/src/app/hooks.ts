/**
 * Hooks: what parts that open early ask of parts that open later. Each answers nothing until its part is
 * attached.
 */
import { loginEnded } from '@guildhall/wire/auth/userState.ts'
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import type { Auth } from '../auth/auth.ts'
import type { Gateway } from '../gateway/gateway.ts'
import type { Bus } from '../kit/events/bus.ts'
import { bodyIf } from '../kit/events/eventKind.ts'
import type { Nodes } from '../kit/events/nodes.ts'
import { emptyPresence, type Presence, type PresenceListener } from '../kit/events/presence.ts'
import type { Log } from '../kit/log.ts'

const REVOKED = 'revoked'
const RELEASE = 'let go'
/** How long a connection that moves waits for the node it comes from, which may be dead. */
const RELEASE_WITHIN_MS = 1_500

/** The gateway for those who open before it. */
export class GatewayHook implements Presence {
  #gateway: Gateway | null = null
  readonly #listeners = new Set<PresenceListener>()

  get current(): Gateway | null {
    return this.#gateway
  }

  attach(gateway: Gateway): void {
    this.#gateway = gateway
    gateway.onPresence((userId) => {
      for (const listener of this.#listeners) listener([userId], true)
    })
  }

  isOnline: Presence['isOnline'] = (userId) => (this.#gateway ?? emptyPresence).isOnline(userId)
  osOf: Presence['osOf'] = (userId) => (this.#gateway ?? emptyPresence).osOf(userId)
  isFirstNode: Presence['isFirstNode'] = () => true
  peopleOn: Presence['peopleOn'] = (os) =>
    [...(this.#gateway?.onlinePeople() ?? [])].filter((userId) => this.osOf(userId) === os)
  onChange: Presence['onChange'] = (listener) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
  onlineCount: Presence['onlineCount'] = (guildId) => (this.#gateway ?? emptyPresence).onlineCount(guildId)
}

/** Closes the connections of a login on all nodes. */
export const sessionCloser = (gateway: GatewayHook, nodes: Nodes) => (sessionId: string) => {
  gateway.current?.revoke(sessionId)
  nodes.broadcast(REVOKED, sessionId)
}

/** Forgets logins that end on another node or in another process, and closes their connections here. */
export function followEndedLogins(input: {
  readonly auth: Auth
  readonly gateway: GatewayHook
  readonly nodes: Nodes
  readonly bus: Bus
}): void {
  input.nodes.onMessage(REVOKED, (sessionId) => {
    input.auth.forget(String(sessionId))
    input.gateway.current?.revoke(String(sessionId))
  })
  input.bus.onUnordered((event) => {
    const ended = bodyIf(event, loginEnded)
    if (ended) input.auth.forget(ended.login_id)
  })
}

/**
 * How soon a session that ended by other means than a call or a command, such as a row updated by hand, loses
 * its connections.
 */
const LOGINS_CHECKED_EVERY_MS = 2 * SECOND_MS
const LOGINS_AT_ONCE = 1_000

/**
 * Asks the database every two seconds which logins with connections here ended: on another node whose message
 * was lost, by a row that somebody updated, or because they lapsed. Returns how to stop.
 */
export function watchLogins(input: {
  readonly auth: Pick<Auth, 'endedAmong'>
  readonly gateway: GatewayHook
  readonly log: Log
}): () => void {
  let isChecking = false
  let hasFailed = false
  const check = async () => {
    if (isChecking) return
    isChecking = true
    try {
      await closeEndedLogins(input.auth, input.gateway)
      hasFailed = false
    } catch (error) {
      if (!hasFailed) input.log.warn({ err: error }, 'logins could not be checked; trying again')
      hasFailed = true
    }
    isChecking = false
  }
  const timer = setInterval(() => void check(), LOGINS_CHECKED_EVERY_MS).unref()
  return () => clearInterval(timer)
}

async function closeEndedLogins(
  auth: Pick<Auth, 'endedAmong'>,
  { current: gateway }: GatewayHook,
): Promise<void> {
  if (!gateway) return
  const logins = [...gateway.logins()]
  for (let from = 0; from < logins.length; from += LOGINS_AT_ONCE)
    for (const login of await auth.endedAmong(logins.slice(from, from + LOGINS_AT_ONCE)))
      gateway.revoke(login)
}

/** Asks the node that has a session to hand it over. */
export const requestHandoff = (nodes: Nodes) => async (sessionId: string, node: string) =>
  void (await nodes.request(node, RELEASE, sessionId, RELEASE_WITHIN_MS))

/** Hands sessions over to the nodes that ask for them. */
export function answerHandoffs(nodes: Nodes, gateway: Gateway): void {
  nodes.onRequest(RELEASE, async (id) => ((await gateway.releaseSession(String(id))) ? true : null))
}
