import { updateSelf } from '@guildhall/wire/auth/owner.ts'
import { userState } from '@guildhall/wire/auth/userState.ts'
import { upload } from '../asset/asset.ts'
import { call } from '../kit/call.ts'
import { useUpload } from '../kit/picture/useUpload.ts'
import { invalidateRoute } from '../kit/routeQuery.ts'

/** Uploads a picture and makes it the user's. */
export function useSaveAvatar(onSaved: () => void) {
  const uploading = useUpload(upload)
  const save = async (avatar: string, signal: AbortSignal): Promise<void> => {
    await call(updateSelf, { avatar }, { signal })
    invalidateRoute(userState)
    if (!signal.aborted) onSaved()
  }
  return { ...uploading, run: (file: File) => uploading.run(file, save) }
}
