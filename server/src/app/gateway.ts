/** The gateway of this node, and what it asks of the nouns. */
import type { Auth } from '../auth/auth.ts'
import { audienceFacts, eventForms } from '../channel/channel.ts'
import { nearOr } from '../gateway/connectionLimit.ts'
import { type Gateway, openGateway } from '../gateway/gateway.ts'
import { openSessionStore } from '../gateway/handoff/sessionStore.ts'
import { NETWORK_HANDSHAKES_MAX } from '../gateway/limit.ts'
import type { GatewayPorts } from '../gateway/ports.ts'
import { clock } from '../kit/clock.ts'
import { catchUp } from '../kit/events/relay.ts'
import { clientAddresses } from '../kit/http/clientAddress.ts'
import type { Http } from '../kit/http/server.ts'
import { ids } from '../kit/ids.ts'
import type { ModuleContext } from '../kit/module.ts'
import { membershipsOf } from '../member/member.ts'
import { readableEvent } from '../message/message.ts'
import { memberRoles } from '../role/role.ts'
import type { Cluster } from './cluster.ts'
import { answerHandoffs, requestHandoff } from './hooks.ts'

/** Opens it on the server that answers calls; from now on events of the bus reach connections. */
export function openAppGateway(
  { config, appContext, log, metrics }: ModuleContext,
  {
    auth,
    cluster,
    server,
  }: { readonly auth: Auth; readonly cluster: Cluster; readonly server: Http['server'] },
): Gateway {
  const { db, bus, addresses } = appContext
  const ports: GatewayPorts = {
    readToken(token) {
      const owner = auth.readGatewayToken(token)
      if (typeof owner === 'string') return owner
      const { userId, sessionId, isBot } = owner
      return { userId, loginId: sessionId, dialect: isBot ? 'public' : 'specification' }
    },
    isLoginAlive: (sessionId) => auth.isSessionLive(sessionId),
    osOfLogin: (sessionId) => auth.systemOfLogin(sessionId),
    membershipsOf: (userId) => membershipsOf(db, userId),
    rolesOf: (guildId, userId) => memberRoles(db, guildId, userId),
    factsOf: (guildId) => audienceFacts(db, guildId),
    channelForms: (guildId, channelIds) => eventForms(db, guildId, channelIds),
    ...(addresses && { readableEvent: (event) => readableEvent(addresses, event) }),
    ...(cluster.redis && { topics: { ...bus, catchUp: (topics) => catchUp(db, bus, topics) } }),
    uuid: ids.uuid,
    now: clock.now,
    sessionStore: {
      ...openSessionStore(db, cluster.nodes.id),
      requestRelease: requestHandoff(cluster.nodes),
    },
    metrics: metrics.gateway,
    log,
  }
  const gateway = openGateway(server, ports, {
    isExempt: nearOr(config.trustedProxies),
    handshakesPerNetwork: NETWORK_HANDSHAKES_MAX * config.rateLimitScale,
    addressOf: clientAddresses(config.trustedProxies),
  })
  cluster.gateway.attach(gateway)
  answerHandoffs(cluster.nodes, gateway)
  bus.subscribe((event) => {
    if (event.to === 'guild') gateway.guildEvent(event)
    else gateway.personEvent(event)
  })
  return gateway
}
