import { uploadFile } from '@guildhall/wire/asset/asset.ts'
import { assetKey } from '@guildhall/wire/asset/assetKey.ts'
import { copyAddress, copySidesOf, type Dimensions, sizeIn } from '@guildhall/wire/asset/pictureSize.ts'
import type { AnswerOf, Route } from '@guildhall/wire/route.ts'
import { readStored } from '../kit/browser/storage.ts'
import { type CallFailure, endSession, networkFailure, readAnswer } from '../kit/call.ts'
import { acceptLanguage } from '../kit/i18n.ts'

/**
 * The address of a stored file on this origin, whichever host its address names, with its signature. Other
 * addresses are returned unchanged.
 */
export function hrefOf(address: string): string {
  const key = assetKey(address)
  return key === null ? address : `/${key}${/\?e=\d+&s=[\w-]+/.exec(address)?.[0] ?? ''}`
}

/** The copies of a stored picture, for `srcset`; undefined for other addresses. */
export function copiesOf(address: string): string | undefined {
  const size = isPicture(address) ? sizeIn(address) : null
  if (!size) return
  const long = Math.max(size.width, size.height)
  const widthAt = (side: number) => Math.max(1, Math.round(size.width * Math.min(1, side / long)))
  return copySidesOf(size)
    .map((side) => `${copyAddress(hrefOf(address), side)} ${widthAt(side)}w`)
    .join(', ')
}

/** The width of a picture that covers a box of this size, CSS px, for `sizes`. */
export function coveringWidth(address: string, box: Dimensions): number {
  const { width, height } = sizeIn(address) ?? box
  return Math.ceil(Math.max(box.width, (box.height * width) / height))
}

const isPicture = (address: string): boolean => assetKey(address)?.startsWith('assets/') ?? false

/**
 * An upload of which nothing moved for this long is given up, ms: a dead connection never ends by itself. The
 * server waits as long for the next bytes.
 */
const STALLED_MS = 30_000

interface Sending<R> {
  readonly onProgress: (fraction: number) => void
  readonly signal: AbortSignal
  /** The call that takes the file; by default the one that stores files. */
  readonly route?: R
  /** The other fields of its form. */
  readonly input?: Readonly<Record<string, string>>
}

/**
 * Uploads a file. `onProgress` receives the fraction sent, 0 to 1. It may take any time while bytes move;
 * `signal` aborts it. By XMLHttpRequest, because fetch does not report upload progress.
 * @throws CallFailure with the catalogue's name; `network` when the upload failed or was aborted
 */
export function upload<R extends Route = typeof uploadFile>(
  file: File,
  it: Sending<R>,
): Promise<AnswerOf<R>> {
  const route = it.route ?? (uploadFile as Route as R)
  return new Promise((resolve, reject) => {
    const broken = () => reject(networkFailure())
    if (it.signal.aborted) return broken()
    const sending = new XMLHttpRequest()
    const form = new FormData()
    for (const name in it.input) form.append(name, it.input[name]!)
    form.append(route.form!, file, file.name)
    sending.open(route.method, route.path)
    const token = readStored('authorization')
    if (token) sending.setRequestHeader('Authorization', token)
    sending.setRequestHeader('Accept-Language', acceptLanguage())
    let stalled: ReturnType<typeof setTimeout> | undefined
    const onMoved = () => {
      clearTimeout(stalled)
      stalled = setTimeout(() => sending.abort(), STALLED_MS)
    }
    sending.upload.onprogress = ({ loaded, total }) => {
      onMoved()
      // 0: how much there is, is not known.
      if (total > 0) it.onProgress(loaded / total)
    }
    sending.onload = () => {
      const answer = new Response(sending.responseText, { status: sending.status || 500 })
      readAnswer(route, answer).then(resolve, (failure: CallFailure) => {
        if (failure.name === 'not_logged_in') endSession(token)
        reject(failure)
      })
    }
    sending.onerror = broken
    sending.onabort = broken
    sending.onloadend = () => clearTimeout(stalled)
    it.signal.addEventListener('abort', () => sending.abort())
    sending.send(form)
    onMoved()
  })
}
