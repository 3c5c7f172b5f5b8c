import { qrRows } from './qrRows.ts'

/** A text as a QR code, dark on light in both themes: not all readers take the reverse. */
export default function QrPicture({ text, label }: { text: string; label: string }) {
  const rows = qrRows(text)
  const path = rows.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width="100%" height="100%" fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
