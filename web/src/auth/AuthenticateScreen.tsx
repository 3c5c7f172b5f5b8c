import { contactWords } from '@guildhall/wire/auth/contactWords.ts'
import { verifyMail } from '@guildhall/wire/auth/mail.ts'
import { updateSelf, verifyMobile } from '@guildhall/wire/auth/owner.ts'
import { userState } from '@guildhall/wire/auth/userState.ts'
import { foldCode } from '@guildhall/wire/typed.ts'
import type { Self } from '@guildhall/wire/user/user.ts'
import { useEffect, useRef, useState } from 'react'
import { Navigate, useLocation, useNavigate } from 'react-router'
import { useLocale, useText } from '../kit/i18n.ts'
import { paths } from '../kit/paths.ts'
import { safeRedir } from '../kit/redir.ts'
import { useRouteQuery } from '../kit/routeQuery.ts'
import { useCall } from '../kit/useCall.ts'
import { Field } from '../ui/form/Field.tsx'
import { leaveLayers } from '../ui/overlay/layers.ts'
import { toast } from '../ui/overlay/Toast.tsx'
import { Page } from '../ui/page/Page.tsx'
import { TopBar } from '../ui/page/TopBar.tsx'
import { usePageTitle } from '../ui/page/usePageTitle.ts'
import { Loaded } from '../ui/state/Loaded.tsx'
import { LoadingState } from '../ui/state/LoadingState.tsx'
import { isLoggedIn } from './auth.ts'
import { keepSelf } from './change/changedSelf.ts'
import {
  NewPasswordFields,
  type NewPasswordName,
  useNewPassword,
  useNewPasswordText,
} from './newPassword.tsx'
import { OwnerForm } from './owner/OwnerForm.tsx'
import { ownerText } from './owner/ownerText.ts'
import { text } from './text.ts'
import { useAuthForm } from './useAuthForm.ts'
import { CONTACT_FIELDS, ContactFields, useContact } from './ways/contact.tsx'
import { wayText } from './ways/wayText.ts'

/** Reads the code of a personal invite that this device keeps. */
type KeptInviteCode = () => Promise<string | null>

/**
 * /authenticate: verifies the number, then sets a password. `keptInviteCode` fills in the invite code.
 * chat.md §2 "Authenticate page", §4 and §5.
 */
export default function AuthenticateScreen({ keptInviteCode }: { keptInviteCode: KeptInviteCode }) {
  const { pathname, search } = useLocation()
  if (!isLoggedIn()) return <Navigate to={paths.login(pathname + search)} replace />
  return <Inside keptInviteCode={keptInviteCode} />
}

function Inside({ keptInviteCode }: { keptInviteCode: KeptInviteCode }) {
  const t = useText(ownerText)
  const session = useRouteQuery(userState, {})
  const leave = useLeave()
  const [mobile, setMobile] = useState('')
  usePageTitle(t.verification)
  const { answer } = session
  const isDone = answer?.user.mobile_verified === true && answer.has_password
  useEffect(() => {
    if (isDone) leave()
  }, [isDone, leave])
  return (
    <Page>
      <TopBar title={t.verification} onBack={leave} />
      <Loaded of={session} title={t.failed} page>
        {({ user }) =>
          isDone ? (
            <LoadingState page />
          ) : user.mobile_verified ? (
            <PasswordStep
              user={user}
              username={mobile || user.address || user.mobile || nameOf(user)}
              isNext={mobile !== ''}
              keptInviteCode={keptInviteCode}
            />
          ) : (
            <NumberStep onVerified={setMobile} />
          )
        }
      </Loaded>
    </Page>
  )
}

/** Leads to the `redir` of the address when it stays on this site, else back, else to the guilds; once. */
function useLeave(): () => void {
  const navigate = useNavigate()
  const { search } = useLocation()
  const latest = useRef({ navigate, search, isLeaving: false })
  Object.assign(latest.current, { navigate, search })
  const [leave] = useState(() => async () => {
    const page = latest.current
    if (page.isLeaving) return
    page.isLeaving = true
    const redir = safeRedir(new URLSearchParams(page.search).get('redir'))
    await leaveLayers()
    // These pages would lead to themselves.
    if (redir && !/^\/(?:login|authenticate)/.test(redir)) void page.navigate(redir, { replace: true })
    else if (history.state?.idx > 0) void page.navigate(-1)
    else void page.navigate(paths.channels(), { replace: true })
  })
  return leave
}

/** Step 1: the number and its code. */
function NumberStep({ onVerified }: { onVerified: (mobile: string) => void }) {
  const t = useText(ownerText)
  const content = useText(text)
  const tWay = useText(wayText)
  const typed = useContact('authenticate', content)
  const form = useAuthForm(CONTACT_FIELDS, content)
  const verification = useCall(verifyMobile)
  const byMail = useCall(verifyMail)

  const submit = async () => {
    if (!form.show(typed.missing)) return
    const answer = typed.isMail
      ? await byMail.run(typed.mail.input, form.refused)
      : await verification.run({ mobile: typed.number.input }, form.refused)
    if (!answer) return
    onVerified(typed.isMail ? typed.mail.address : typed.number.mobile)
    keepSelf(answer)
  }
  return (
    <OwnerForm
      step={t.step(1)}
      title={typed.isMail ? tWay.verifyTitle : t.verifyTitle}
      why={t.verifyWhy}
      form={form}
      button={t.verify}
      busy={verification.status === 'busy' || byMail.status === 'busy'}
      onSubmit={() => void submit()}
    >
      <ContactFields of={typed} form={form} type="verify" onFailure={form.refused} />
    </OwnerForm>
  )
}

/** The code of a personal invite: the kept one, until another is typed. */
function useInviteCode(keptInviteCode: KeptInviteCode) {
  const [code, setCode] = useState('')
  useEffect(() => {
    let isGone = false
    void keptInviteCode().then((kept) => {
      if (kept && !isGone) setCode((typed) => typed || kept)
    })
    return () => {
      isGone = true
    }
  }, [keptInviteCode])
  return [code, setCode] as const
}

/** What logs somebody in who has neither a number nor an address. */
const nameOf = ({ username, identify_num }: Self): string => `${username}#${identify_num}`

/** What somebody logs in with, as a sentence says it. */
function useLoginName(user: Self): string {
  const locale = useLocale()
  if (!user.address && !user.mobile) return locale === 'zh-CN' ? ` ${nameOf(user)} ` : nameOf(user)
  return contactWords([user.address ? 'email' : 'sms'], locale).contact
}

/** Step 2: a password. `isNext`: after step 1, so the first field takes the focus. */
function PasswordStep(props: {
  user: Self
  username: string
  isNext: boolean
  keptInviteCode: KeptInviteCode
}) {
  const { username, isNext, keptInviteCode } = props
  const t = useNewPasswordText()
  const loginName = useLoginName(props.user)
  const password = useNewPassword()
  const [inviteCode, setInviteCode] = useInviteCode(keptInviteCode)
  const form = useAuthForm<NewPasswordName | 'invite_code'>(['password', 'invite_code'], t)
  const update = useCall(updateSelf)

  useEffect(() => {
    if (isNext) form.ref.current?.querySelector<HTMLElement>('input[type=password]')?.focus()
  }, [isNext, form.ref])
  const submit = async () => {
    if (!form.show(password.missing)) return
    const input = { password: password.value, invite_code: inviteCode }
    const answer = await update.run(input, form.refused)
    if (!answer) return
    toast(t.finished)
    keepSelf(answer)
  }
  return (
    <OwnerForm
      step={t.step(2)}
      title={t.passwordTitle}
      why={t.passwordWhy(loginName)}
      form={form}
      button={t.finish}
      busy={update.status === 'busy'}
      onSubmit={() => void submit()}
    >
      {/* Password managers store the password under it. */}
      <input
        type="text"
        className="unseen"
        name="username"
        autoComplete="username"
        value={username}
        readOnly
        tabIndex={-1}
        aria-hidden="true"
      />
      <NewPasswordFields of={password} errors={form.errors} />
      <Field
        label={t.inviteCode}
        name="invite-code"
        autoComplete="off"
        maxLength={32}
        read={foldCode}
        value={inviteCode}
        onChange={setInviteCode}
        error={form.errors.invite_code}
      />
    </OwnerForm>
  )
}
