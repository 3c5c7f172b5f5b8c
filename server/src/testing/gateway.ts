/**
 * Test doubles for the gateway: an event with a text, a recording connection, and every transport by name.
 */
import { encodeData } from '../gateway/encodeEvent.ts'
import { BatchedTransport } from '../gateway/transport/batchedTransport.ts'
import type { EncodedEvent } from '../gateway/transport/encodedEvent.ts'
import type { Connection, Transport, TransportOptions } from '../gateway/transport/transport.ts'
import { PlainTransport } from './plainTransport.ts'

export interface TestTransportOptions extends TransportOptions {
  /** Called when broadcast events begin to wait. The plain transport never calls it. */
  readonly scheduleFlush?: () => void
}

/** The implementations that every observable behaviour is tested with. */
export const TRANSPORTS: readonly {
  readonly name: 'batched' | 'plain'
  open(options: TestTransportOptions): Transport
}[] = [
  { name: 'batched', open: (options) => new BatchedTransport(options) },
  { name: 'plain', open: (options) => new PlainTransport(options) },
]

/** Flushes only on request, and throws when an event cannot be encoded. */
export const MANUAL: TestTransportOptions = {
  scheduleFlush: () => undefined,
  onError(error) {
    throw error
  },
}

/** A message with a text. */
export const textEvent = (content: string): EncodedEvent =>
  encodeData(() => ({
    channel_type: 'GROUP',
    type: 9,
    target_id: '2001',
    author_id: '100000001',
    content,
    msg_id: '26af7ebe-0000-4000-8000-000000000001',
    msg_timestamp: 0,
    nonce: '',
    extra: {},
  }))

/**
 * A connection without a socket: calls `onFrame` with each uncompressed frame, and `onClose` with the code.
 */
export function fakeConnection(
  onFrame: (frame: string) => void = () => undefined,
  onClose: (code: number) => void = () => undefined,
): Connection {
  return {
    send: onFrame,
    sendEvent: (event, sn) => onFrame(event.plain(sn)),
    flush: () => undefined,
    close: onClose,
    isBlockedFor: () => false,
    terminate: () => undefined,
  }
}
