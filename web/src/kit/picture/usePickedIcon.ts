import { useEffect, useState } from 'react'
import { cut, prepare, type Unreadable } from './picturePrepared.ts'
import { useUpload } from './useUpload.ts'

/**
 * The picked picture as a square; `store` uploads it once and answers its address, `''` without one, null
 * when it failed. `upload` is that of `asset/asset.ts`, which this folder does not know.
 */
export function usePickedIcon(upload: Parameters<typeof useUpload>[0]) {
  const [picked, setPicked] = useState<{ readonly file: File; readonly url: string } | null>(null)
  const [problem, setProblem] = useState<Unreadable | null>(null)
  const { sent, failure, run, clearFailure } = useUpload(upload)
  useEffect(() => () => URL.revokeObjectURL(picked?.url ?? ''), [picked])

  const pick = async (file: File | undefined) => {
    if (!file) return
    clearFailure()
    const prepared = await prepare(file)
    if (typeof prepared === 'string') return setProblem(prepared)
    const { width, height } = prepared.canvas
    const side = Math.min(width, height)
    const square = await cut(prepared, { x: (width - side) / 2, y: (height - side) / 2, width: side })
    prepared.close()
    setProblem(square ? null : 'notPicture')
    if (square) setPicked({ file: square, url: URL.createObjectURL(square) })
  }
  const store = async (): Promise<string | null> => (picked ? run(picked.file) : '')
  return { url: picked?.url ?? null, problem, failure, sent, pick, store }
}
