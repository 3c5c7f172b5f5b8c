/**
 * A file size for people: bytes below 1024, then KB, MB and GB with two decimals. chat.md §9. `size` is in
 * bytes.
 */
export function sizeLabel(size: number): string {
  if (size < 1024) return `${size} B`
  if (size < 1024 ** 2) return `${(size / 1024).toFixed(2)} KB`
  if (size < 1024 ** 3) return `${(size / 1024 ** 2).toFixed(2)} MB`
  return `${(size / 1024 ** 3).toFixed(2)} GB`
}
