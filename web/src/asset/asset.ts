import { type Uploaded, uploadFile } from '@guildhall/wire/asset/asset.ts'
import { assetKey } from '@guildhall/wire/asset/name.ts'
import { CallFailure, read } from '../kit/call.ts'
import { acceptLanguage, currentText } from '../kit/i18n.ts'
import { recall } from '../kit/storage.ts'
import { text } from '../kit/text.ts'

/** Where this page finds a stored file: its own house, under whatever name that is known. Others stay as they are. */
export function hrefOf(address: string): string {
  const key = assetKey(address)
  return key === null ? address : `/${key}`
}

/**
 * Stores a file. `onProgress` hears the part that has left this phone, 0 to 1. Takes as long as it takes; `signal`
 * ends it. Not fetch: it does not tell how much has been sent.
 * @throws CallFailure with the catalogue's name; `network` when it broke off or was ended
 */
export function upload(
  file: File,
  it: { readonly onProgress: (part: number) => void; readonly signal: AbortSignal },
): Promise<Uploaded> {
  return new Promise((resolve, reject) => {
    const broken = () => reject(new CallFailure('network', currentText(text).network))
    if (it.signal.aborted) return broken()
    const sending = new XMLHttpRequest()
    const form = new FormData()
    form.append('file', file, file.name)
    sending.open(uploadFile.method, uploadFile.path)
    const token = recall('authorization')
    if (token) sending.setRequestHeader('Authorization', token)
    sending.setRequestHeader('Accept-Language', acceptLanguage())
    sending.upload.onprogress = ({ loaded, total, lengthComputable }) => {
      if (lengthComputable && total > 0) it.onProgress(loaded / total)
    }
    sending.onload = () => {
      const answer = new Response(sending.responseText, { status: sending.status || 500 })
      read(uploadFile, answer).then(resolve, reject)
    }
    sending.onerror = broken
    sending.onabort = broken
    it.signal.addEventListener('abort', () => sending.abort())
    sending.send(form)
  })
}
