/** WebSocket frames as a server sends them: unmasked and unfragmented. RFC 6455 §5.2. */

/** The first byte of a final text or binary frame. */
export const TEXT_FRAME = 0x81
export const BINARY_FRAME = 0x82

/** A whole WebSocket frame: text for a string, binary for bytes. */
export function webSocketFrame(payload: string | Buffer): Buffer {
  const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload
  const header = headerLength(bytes.length)
  const frame = Buffer.allocUnsafe(header + bytes.length)
  writeHeader(frame, 0, bytes.length, typeof payload === 'string' ? TEXT_FRAME : BINARY_FRAME)
  bytes.copy(frame, header)
  return frame
}

/** The length of the header in front of a payload of `length` bytes. */
export const headerLength = (length: number): number => (length < 126 ? 2 : length < 65_536 ? 4 : 10)

/** Writes the header of a payload of `length` bytes. */
export function writeHeader(bytes: Buffer, at: number, length: number, opcode: number): void {
  bytes[at] = opcode
  if (length < 126) bytes[at + 1] = length
  else if (length < 65_536) {
    bytes[at + 1] = 126
    bytes.writeUInt16BE(length, at + 2)
  } else {
    bytes[at + 1] = 127
    bytes.writeUInt32BE(0, at + 2)
    bytes.writeUInt32BE(length, at + 6)
  }
}
