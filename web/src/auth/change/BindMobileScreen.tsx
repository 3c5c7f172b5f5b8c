import { contactWords } from '@guildhall/wire/auth/contactWords.ts'
import { thirdPartBindMail } from '@guildhall/wire/auth/mail.ts'
import { thirdPartBindMobile } from '@guildhall/wire/auth/thirdParty.ts'
import { useState } from 'react'
import { Navigate, useLocation, useNavigate } from 'react-router'
import { readStored, type Stored, writeStored } from '../../kit/browser/storage.ts'
import type { CallFailure } from '../../kit/call.ts'
import { useLocale, useText } from '../../kit/i18n.ts'
import { paths } from '../../kit/paths.ts'
import { safeRedir } from '../../kit/redir.ts'
import { useCall } from '../../kit/useCall.ts'
import { sourceHeaders } from '../../native/openApp/source.ts'
import { Agreement } from '../../ui/form/Agreement.tsx'
import { Form } from '../../ui/form/Form.tsx'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { toast } from '../../ui/overlay/Toast.tsx'
import { Page } from '../../ui/page/Page.tsx'
import { TopBar } from '../../ui/page/TopBar.tsx'
import { usePageTitle } from '../../ui/page/usePageTitle.ts'
import pageStyles from '../FormPage.module.css'
import styles from '../LoginScreen.module.css'
import { text } from '../text.ts'
import { thirdPartyText } from '../thirdParty/thirdPartyText.ts'
import { useAuthForm } from '../useAuthForm.ts'
import { type AcceptInvite, useProceed } from '../useProceed.ts'
import { CONTACT_FIELDS, ContactFields, useContact } from '../ways/contact.tsx'
import { useWay } from '../ways/useWay.ts'
import { wayText } from '../ways/wayText.ts'

/**
 * /bindmobile: binds an account at a third party to a number. Without one it leads to the login. chat.md §2,
 * §4, §5.
 */
export default function BindMobileScreen({ acceptInvite }: { acceptInvite: AcceptInvite }) {
  const { search } = useLocation()
  const [info] = useState(() => readStored('bind_info'))
  if (!info) return <Navigate to={paths.login(redirIn(search))} replace />
  return <BindForm info={info} acceptInvite={acceptInvite} />
}

const redirIn = (search: string): string | undefined =>
  safeRedir(new URLSearchParams(search).get('redir')) ?? undefined

function BindForm({ info, acceptInvite }: { info: Stored['bind_info']; acceptInvite: AcceptInvite }) {
  const t = useText(thirdPartyText)
  const tWay = useText(wayText)
  const isMail = useWay(['sms', 'email']).way === 'email'
  const title = isMail ? tWay.bindTitle : t.title
  const navigate = useNavigate()
  const { search } = useLocation()
  const toLogin = () => void navigate(paths.login(redirIn(search)), { replace: true })

  usePageTitle(title)

  return (
    <Page>
      <TopBar title={title} onBack={toLogin} />
      <main className={`${pageStyles.page} ${styles.login}`}>
        <p className={styles.who}>{t.who(t[info.token_type], info.nickname)}</p>
        <p className={styles.joining}>{isMail ? tWay.bindWhy : t.why}</p>
        <NumberForm info={info} acceptInvite={acceptInvite} toLogin={toLogin} />
        <Agreement className={styles.agreement} />
      </main>
    </Page>
  )
}

function NumberForm(props: { info: Stored['bind_info']; acceptInvite: AcceptInvite; toLogin: () => void }) {
  const t = useText(thirdPartyText)
  const content = useText(text)
  const typed = useContact('bindmobile', content)
  const locale = useLocale()
  const form = useAuthForm(CONTACT_FIELDS, content)
  const [asks, setAsks] = useState(false)
  const { proceed, proceeding } = useProceed(props.acceptInvite)
  const bind = useCall(thirdPartBindMobile, sourceHeaders)
  const bindMail = useCall(thirdPartBindMail, sourceHeaders)

  const refused = (failure: CallFailure) => {
    if (failure.name === 'auth.bind_other') return setAsks(true)
    if (failure.name !== 'auth.bind_expired') return void form.refused(failure)
    writeStored('bind_info', null)
    toast(failure.message)
    props.toLogin()
  }
  const submit = async (replace: boolean) => {
    setAsks(false)
    if (!form.show(typed.missing)) return
    const { bind_info } = props.info
    const rest = { bind_info, remember: true, replace }
    const session = typed.isMail
      ? await bindMail.run({ ...typed.mail.input, ...rest }, refused)
      : await bind.run({ ...typed.number.input, ...rest }, refused)
    if (!session) return
    writeStored('bind_info', null)
    await proceed(session)
  }
  return (
    <>
      <Form
        className={styles.bind}
        form={form}
        button={t.bind}
        busy={bind.status === 'busy' || bindMail.status === 'busy' || proceeding}
        onSubmit={() => void submit(false)}
      >
        <ContactFields of={typed} form={form} type="login" onFailure={refused} />
      </Form>
      {asks && (
        <Dialog
          title={t.promptTitle}
          message={t.prompt(contactWords([typed.isMail ? 'email' : 'sms'], locale).contact)}
          confirm={t.goOn}
          onConfirm={() => void submit(true)}
          onClose={() => setAsks(false)}
        />
      )}
    </>
  )
}
