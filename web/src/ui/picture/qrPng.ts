import { qrRows } from './qrRows.ts'

/** How large one square of the code is, px: phones read a picture of it from their album. */
const SQUARE = 12

/** A text as a QR code that can be saved: the `data:` address of a PNG. */
export function qrPng(text: string): string {
  const rows = qrRows(text)
  const canvas = document.createElement('canvas')
  canvas.width = rows.length * SQUARE
  canvas.height = canvas.width
  const pen = canvas.getContext('2d')!
  pen.fillStyle = '#fff'
  pen.fillRect(0, 0, canvas.width, canvas.height)
  pen.fillStyle = '#000'
  rows.forEach((row, y) => {
    row.forEach((isDark, x) => {
      if (isDark) pen.fillRect(x * SQUARE, y * SQUARE, SQUARE, SQUARE)
    })
  })
  return canvas.toDataURL('image/png')
}
