import { mobileLogin } from '@guildhall/wire/auth/auth.ts'
import { hasOtherWays } from '@guildhall/wire/auth/otherWays.ts'
import type { InviteCode } from '@guildhall/wire/id.ts'
import type { ReactNode } from 'react'
import { isLoggedIn, saveSession, WaysRegister } from '../auth/auth.ts'
import type { CallFailure } from '../kit/call.ts'
import { useText } from '../kit/i18n.ts'
import { useCall } from '../kit/useCall.ts'
import { sourceHeaders } from '../native/openApp/source.ts'
import { Button } from '../ui/Button.tsx'
import { Agreement } from '../ui/form/Agreement.tsx'
import { Form } from '../ui/form/Form.tsx'
import { MobileCodeFields, useMobileCode } from '../ui/form/MobileCode.tsx'
import { useForm } from '../ui/form/useForm.ts'
import { Sheet } from '../ui/overlay/Sheet.tsx'
import { Toasts } from '../ui/overlay/Toast.tsx'
import { useAcceptInvite } from './invite.ts'
import styles from './RegisterSheet.module.css'
import { registerText } from './registerText.ts'

/** Registers a guest and accepts the invite into a guild. */
export default function RegisterSheet(props: {
  code: InviteCode
  guildName: string
  onClose: () => void
  onLogin: () => void
  onAccepted: (path: string) => void
  /** The invite cannot be used any more. */
  onInvalid: (failure: CallFailure) => void
}) {
  const t = useText(registerText)
  const { isBusy, accept } = useAcceptInvite(props.onAccepted)
  return (
    <Sheet title={t.join(props.guildName)} onClose={props.onClose}>
      <RegisterForm
        code={props.code}
        page="invite"
        why={t.why}
        submit={t.submit}
        busy={isBusy}
        onRegistered={(refused) => void accept({ id: props.code }, refused)}
        onInvalid={props.onInvalid}
      >
        <Button kind="plain" onPress={props.onLogin}>
          {t.haveAccount}
        </Button>
      </RegisterForm>
      <Toasts />
    </Sheet>
  )
}

/**
 * Registers a guest by phone with the code of an invite. When the account is made but what follows fails, the
 * next tap only repeats that. chat.md §5 "Invite registration".
 */
export function RegisterForm(props: Registering) {
  const sms = <PhoneForm {...props} />
  return hasOtherWays(document.cookie) ? <WaysRegister {...props} sms={sms} /> : sms
}

interface Registering {
  code: InviteCode
  /** Names the countdown of the code button. */
  page: string
  why: string
  submit: string
  /** What follows the registration is under way. */
  busy?: boolean
  /** The account is made; `refused` shows why what follows failed. */
  onRegistered: (refused: (failure: CallFailure) => void) => void
  /** The invite cannot be used any more. */
  onInvalid?: (failure: CallFailure) => void
  /** Further ways, below the button. */
  children?: ReactNode
}

function PhoneForm(props: Registering) {
  const text = useText(registerText)
  const typed = useMobileCode(props.page, text)
  const form = useForm(['mobile', 'code'])
  const register = useCall(mobileLogin, sourceHeaders)

  const refused = (failure: CallFailure) => {
    if (props.onInvalid && failure.name.startsWith('invite.')) props.onInvalid(failure)
    else form.refused(failure)
  }
  const submit = async () => {
    if (!form.show(isLoggedIn() ? {} : typed.missing)) return
    if (!isLoggedIn()) {
      const { number, code } = typed
      const session = await register.run(
        { type: 'invite_reg', ...number, code, remember: true, invite_code: props.code },
        refused,
      )
      if (!session) return
      saveSession(session)
    }
    props.onRegistered(refused)
  }

  return (
    <Form
      form={form}
      button={props.submit}
      busy={register.status === 'busy' || !!props.busy}
      className={styles.form}
      onSubmit={() => void submit()}
      below={
        <>
          {props.children}
          <Agreement />
        </>
      }
    >
      <p className={styles.formReason}>{props.why}</p>
      <MobileCodeFields of={typed} form={form} type="invite-h5" onFailure={refused} />
    </Form>
  )
}
