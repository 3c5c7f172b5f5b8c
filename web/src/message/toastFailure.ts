import type { CallFailure } from '../kit/call.ts'
import { toast } from '../ui/overlay/Toast.tsx'

/** Shows why an action failed; null means that it succeeded and shows nothing. */
export const toastFailure = (failure: CallFailure | null): void => {
  if (failure) toast(failure.message)
}
