import type { Fen } from '@guildhall/wire/unit.ts'

/** A sum as people read it: `¥12.30`. `fen` is a whole number; the arithmetic is that of whole numbers, so no fen is lost. */
export function yuan(fen: Fen): string {
  const all = Math.abs(fen)
  const rest = all % 100
  return `${fen < 0 ? '-' : ''}¥${(all - rest) / 100}.${String(rest).padStart(2, '0')}`
}

/** A sum that somebody typed in yuan, `12`, `12.3` or `12.30`, in fen; null: it is none. */
export function fenOf(typed: string): Fen | null {
  const [, whole, rest = ''] = /^(\d{1,7})(?:\.(\d{0,2}))?$/.exec(typed.trim()) ?? []
  return whole === undefined ? null : Number(whole) * 100 + Number(rest.padEnd(2, '0'))
}
