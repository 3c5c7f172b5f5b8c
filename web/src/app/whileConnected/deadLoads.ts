/**
 * Stops what waits for dead connections. A picture or a script that was on its way when the network silently
 * went waits for as long as the system keeps its connection, often minutes after the network is back, and
 * over HTTP/1.1 six of them leave none for calls. Pictures that failed are loaded again when the connection
 * is back. Loaded with the first connection.
 */
import { CALL_TIMEOUT_MS } from '@guildhall/wire/limit.ts'
import { isConnected, onConnected } from '../../gateway/whenConnected.ts'
import { onCallEnd } from '../../kit/call.ts'
import { retryFailedLoads } from '../../kit/picture/useFailedLoad.ts'

/** When the gateway's connection came back; null: a call has been answered since, or all was stopped. */
let cameBackAt: number | null = null
/** Pictures were stopped, and no call has been answered since. */
let hasStopped = false

// It is loaded when the connection is up for the first time.
retryFailedLoads()

onConnected(() => {
  cameBackAt = Date.now()
  hasStopped = false
  retryFailedLoads()
})

onCallEnd((isAnswered) => {
  if (isAnswered && hasStopped) {
    hasStopped = false
    retryFailedLoads()
  }
  if (cameBackAt === null) return
  // A call that began before the connection came back says nothing of the network that is there now.
  if (!isAnswered && (!isConnected() || Date.now() - cameBackAt < CALL_TIMEOUT_MS)) return
  cameBackAt = null
  if (isAnswered) return
  // Scripts, lists and sends are asked for again by themselves, files by a tap; sockets stay.
  window.stop()
  hasStopped = true
})
