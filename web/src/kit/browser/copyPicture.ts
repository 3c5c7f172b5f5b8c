/** Copies a picture of this site to the clipboard; false where it cannot be loaded or the browser refuses. */
export async function copyPicture(src: string): Promise<boolean> {
  try {
    // Asked for at once: some browsers allow it only while the tap is handled.
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': pngOf(src) })])
    return true
  } catch {
    return false
  }
}

/** The only kind of picture that every browser takes. */
async function pngOf(src: string): Promise<Blob> {
  const picture = await createImageBitmap(await (await fetch(src)).blob())
  const canvas = document.createElement('canvas')
  canvas.width = picture.width
  canvas.height = picture.height
  canvas.getContext('2d')?.drawImage(picture, 0, 0)
  return new Promise((done, failed) =>
    canvas.toBlob((png) => (png ? done(png) : failed(new Error('no picture')))),
  )
}
