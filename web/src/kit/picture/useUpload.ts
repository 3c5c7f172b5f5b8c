import { useEffect, useRef, useState } from 'react'
import { CallFailure } from '../call.ts'

type Upload = (
  file: File,
  options: { readonly onProgress: (fraction: number) => void; readonly signal: AbortSignal },
) => Promise<{ readonly url: string }>

/**
 * The uploading of a form, one file at a time; it ends with the form. A file that was uploaded is not sent
 * again by a second try. `sent`: the part of it that is sent, 0 to 1; null: nothing is. `failure`: of the
 * last try. `upload` is that of `asset/asset.ts`, which this folder does not know.
 */
export function useUpload(upload: Upload) {
  const [sent, setSent] = useState<number | null>(null)
  const [failure, setFailure] = useState<CallFailure | null>(null)
  const running = useRef<AbortController | null>(null)
  const stored = useRef<{ readonly file: File; readonly url: string } | null>(null)
  useEffect(() => () => running.current?.abort(), [])

  /**
   * Uploads a file and passes its address to `use`, which belongs to it: its failures are those of the try.
   * Returns the address; null when it failed, was cancelled, or another file is being uploaded.
   */
  const run = async (
    file: File,
    use?: (url: string, signal: AbortSignal) => void | Promise<void>,
  ): Promise<string | null> => {
    if (running.current) return null
    const end = new AbortController()
    const { signal } = end
    running.current = end
    setFailure(null)
    setSent(0)
    try {
      if (stored.current?.file !== file)
        stored.current = { file, url: (await upload(file, { onProgress: setSent, signal })).url }
      const { url } = stored.current
      if (signal.aborted) return null
      await use?.(url, signal)
      return url
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error
      // The file may be gone by now.
      if (error.name === 'asset.unknown') stored.current = null
      if (!signal.aborted) setFailure(error)
      return null
    } finally {
      if (running.current === end) {
        running.current = null
        setSent(null)
      }
    }
  }
  const cancel = () => {
    running.current?.abort()
    running.current = null
    setSent(null)
  }
  const clearFailure = () => setFailure(null)
  return { sent, failure, run, cancel, clearFailure }
}
