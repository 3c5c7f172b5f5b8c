/** Writes GBK, which the platform only reads: its reader is asked for every character once. */
let codes: ReadonlyMap<string, number> | null = null

/** The bytes of a text in GBK; `?` for a character that GBK does not have. */
export function gbk(text: string): Uint8Array {
  codes ??= readCodes()
  const bytes: number[] = []
  for (const char of text) {
    const code = char < '\u0080' ? char.charCodeAt(0) : (codes.get(char) ?? 0x3f)
    if (code > 0xff) bytes.push(code >> 8)
    bytes.push(code & 0xff)
  }
  return Uint8Array.from(bytes)
}

function readCodes(): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  const decoder = new TextDecoder('gbk')
  for (let high = 0x81; high <= 0xfe; high += 1)
    for (let low = 0x40; low <= 0xfe; low += 1) {
      const text = decoder.decode(Uint8Array.of(high, low))
      if (text.length === 1 && text !== '\ufffd' && !found.has(text)) found.set(text, (high << 8) | low)
    }
  return found
}
