import type { Fen } from '@guildhall/wire/unit.ts'

/** A sum as people read it: `¥12.30`. `fen` is a whole number; the arithmetic is that of whole numbers, so no fen is lost. */
export function yuan(fen: Fen): string {
  const all = Math.abs(fen)
  const rest = all % 100
  return `${fen < 0 ? '-' : ''}¥${(all - rest) / 100}.${String(rest).padStart(2, '0')}`
}
