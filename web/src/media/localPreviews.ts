/**
 * Cache of pictures this browser has just uploaded, as object URLs by their stored address. The sender sees
 * them without downloading them again.
 */

/** The oldest preview is revoked beyond this count. */
const PREVIEWS_MAX = 24

const previews = new Map<string, string>()

/** The object URL of an uploaded picture, if this page still has it. */
export const localPreviewOf = (address: string): string | undefined => previews.get(address)

/** Caches an object URL under the stored address and takes over its revocation. */
export function keepLocalPreview(address: string, preview: string): void {
  previews.set(address, preview)
  if (previews.size <= PREVIEWS_MAX) return
  const [oldest] = previews
  if (!oldest) return
  previews.delete(oldest[0])
  URL.revokeObjectURL(oldest[1])
}
