import type { ChangedSelf } from '@guildhall/wire/auth/owner.ts'
import { userState } from '@guildhall/wire/auth/userState.ts'
import type { Address } from '@guildhall/wire/pages.ts'
import type { ReactNode } from 'react'
import { Link, useNavigate } from 'react-router'
import { useText } from '../../kit/i18n.ts'
import { paths } from '../../kit/paths.ts'
import { useRouteQuery } from '../../kit/routeQuery.ts'
import { buttonClass } from '../../ui/Button.tsx'
import { toast } from '../../ui/overlay/Toast.tsx'
import { Page } from '../../ui/page/Page.tsx'
import { TopBar } from '../../ui/page/TopBar.tsx'
import { usePageTitle } from '../../ui/page/usePageTitle.ts'
import { EmptyState } from '../../ui/state/EmptyState.tsx'
import { Loaded } from '../../ui/state/Loaded.tsx'
import { useMe } from '../auth.ts'
import { PasswordField } from '../fields.tsx'
import { keepSelf } from './changedSelf.ts'
import { changeText } from './changeText.ts'
import { PasswordDrawing } from './drawings.tsx'

const SET_PASSWORD: Address = '/account/password'

/** Leads back to the account's page, which led here. */
export function useBackToAccount(): () => void {
  const navigate = useNavigate()
  return () =>
    history.state?.idx > 0 ? void navigate(-1) : void navigate(paths.account(), { replace: true })
}

/** What follows a change of one's own account: it shows, a toast says so, and the page is left. */
export function useChanged(): (changed: ChangedSelf, message: string) => void {
  const leave = useBackToAccount()
  return (changed, message) => {
    keepSelf(changed)
    toast(message)
    leave()
  }
}

/** A page on which something of one's own account is changed. */
export function ChangePage(props: { title: string; onBack?: () => void; children: ReactNode }) {
  const { title, children } = props
  const leave = useBackToAccount()
  usePageTitle(title)
  return (
    <Page>
      <TopBar title={title} onBack={props.onBack ?? leave} />
      {children}
    </Page>
  )
}

/**
 * Shows what is for those who can prove who they are: by a password or, without one, by a code sent to their
 * number. Who has neither is led to set a password.
 */
export function WithOwner({ children }: { children: (hasPassword: boolean) => ReactNode }) {
  const t = useText(changeText)
  const me = useMe()
  const session = useRouteQuery(userState, {})
  return (
    <Loaded of={session} title={t.failed} page>
      {({ has_password }) =>
        has_password || me.address || me.mobile ? children(has_password) : <PasswordFirst />
      }
    </Loaded>
  )
}

function PasswordFirst() {
  const t = useText(changeText)
  return (
    <EmptyState
      page
      icon={<PasswordDrawing />}
      title={t.passwordFirst}
      message={t.passwordFirstWhy}
      action={
        <Link className={buttonClass('main')} to={SET_PASSWORD}>
          {t.setPassword}
        </Link>
      }
    />
  )
}

/** The password that the account has. */
export function CurrentPasswordField(props: {
  value: string
  onChange: (value: string) => void
  error: string | undefined
  shown: boolean
  onShown: (shown: boolean) => void
}) {
  const t = useText(changeText)
  return <PasswordField label={t.current} name="current-password" kind="current-password" {...props} />
}
