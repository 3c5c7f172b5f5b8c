/** Whether this browser copies pictures. */
export const canCopyPictures = (): boolean =>
  typeof ClipboardItem === 'function' && typeof navigator.clipboard?.write === 'function'

/**
 * Copies a picture of this origin as PNG; of an animated one the first frame. False where that is refused.
 */
export async function copyPicture(address: string): Promise<boolean> {
  try {
    // Safari allows it only in the same step as the tap, so the item waits for the picture.
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': pngOf(address) })])
    return true
  } catch {
    return false
  }
}

/** @throws Error when the picture cannot be read */
async function pngOf(address: string): Promise<Blob> {
  const image = new Image()
  image.src = address
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = image.naturalWidth
  canvas.height = image.naturalHeight
  canvas.getContext('2d')?.drawImage(image, 0, 0)
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/png'),
  )
}
