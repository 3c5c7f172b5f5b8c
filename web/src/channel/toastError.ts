import { CallFailure } from '../kit/call.ts'
import { toast } from '../ui/overlay/Toast.tsx'

/** Shows why a call failed. @throws what is not a call's failure */
export const toastError = (error: unknown): void => {
  if (!(error instanceof CallFailure)) throw error
  toast(error.message)
}
