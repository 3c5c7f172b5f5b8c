import { type Device, listDevices, signOutDevice, signOutOthers } from '@guildhall/wire/auth/devices.ts'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { timeLabel } from '../kit/format/time.ts'
import { useLocale, useText } from '../kit/i18n.ts'
import { paths } from '../kit/paths.ts'
import { invalidateRoute, useRouteQuery } from '../kit/routeQuery.ts'
import { useCall } from '../kit/useCall.ts'
import { Button } from '../ui/Button.tsx'
import { PhoneIcon, ScreenIcon } from '../ui/icon/laterIcons.tsx'
import { Dialog } from '../ui/overlay/Dialog.tsx'
import { toast } from '../ui/overlay/Toast.tsx'
import { TitledPage } from '../ui/page/TitledPage.tsx'
import { Loaded } from '../ui/state/Loaded.tsx'
import styles from './Account.module.css'
import { text } from './text.ts'

/**
 * /account/devices: where the account is logged in. A device that its owner does not know is signed out here.
 */
export default function DevicesScreen() {
  const t = useText(text)
  const navigate = useNavigate()
  const devices = useRouteQuery(listDevices, {})
  return (
    <TitledPage title={t.devices} onBack={() => void navigate(paths.account())}>
      <main className={styles.account}>
        <Loaded of={devices} title={t.failed}>
          {({ items }) => <Devices items={items} />}
        </Loaded>
      </main>
    </TitledPage>
  )
}

function Devices({ items }: { items: readonly Device[] }) {
  const t = useText(text)
  const [isAsked, setAsked] = useState(false)
  const signingOut = useCall(signOutOthers)
  const others = items.filter(({ current }) => !current)
  const signOut = async () => {
    setAsked(false)
    const answer = await signingOut.run({}, ({ message }) => toast(message))
    if (answer) toast(t.allOthersDone(Number(answer.count)))
    invalidateRoute(listDevices)
  }
  return (
    <>
      <ul className={styles.card}>
        {items
          .filter(({ current }) => current)
          .map((device) => (
            <Row key={device.id} device={device} />
          ))}
      </ul>
      <section className={styles.group} aria-labelledby="other-devices">
        <h2 className={styles.groupTitle} id="other-devices">
          {t.others}
        </h2>
        {others.length === 0 ? (
          <p className={styles.hint}>{t.noOthers}</p>
        ) : (
          <>
            <ul className={styles.card}>
              {others.map((device) => (
                <Row key={device.id} device={device} />
              ))}
            </ul>
            <p className={styles.hint}>{t.devicesWhy}</p>
            <div className={styles.last}>
              <Button kind="danger" block busy={signingOut.status === 'busy'} onPress={() => setAsked(true)}>
                {t.allOthers}
              </Button>
            </div>
          </>
        )}
      </section>
      {isAsked && (
        <Dialog
          title={t.allOthersTitle}
          message={t.allOthersWords}
          confirm={t.signOut}
          danger
          onConfirm={() => void signOut()}
          onClose={() => setAsked(false)}
        />
      )}
    </>
  )
}

const HANDHELD = /^(?:iOS|Android|HarmonyOS|Windows Phone)$/

function Row({ device }: { device: Device }) {
  const t = useText(text)
  const locale = useLocale()
  const name = useDeviceName()(device)
  const when = (at: number) => timeLabel(at, Date.now(), locale)
  const Icon = HANDHELD.test(device.os) ? PhoneIcon : ScreenIcon
  return (
    <li className={styles.device} data-part="device">
      <Icon />
      <div className={styles.deviceText}>
        <p className={styles.deviceName}>
          {name}
          {device.current && <span className={styles.here}>{t.here}</span>}
        </p>
        {device.network && <p className={styles.deviceFacts}>{t.network(device.network)}</p>}
        <p className={styles.deviceFacts}>
          {device.current ? t.began(when(device.created_at)) : t.lastUsed(when(device.seen_at))}
        </p>
      </div>
      {!device.current && <SignOut device={device} name={name} />}
    </li>
  )
}

function SignOut({ device, name }: { device: Device; name: string }) {
  const t = useText(text)
  const [isAsked, setAsked] = useState(false)
  const signingOut = useCall(signOutDevice)
  const signOut = async () => {
    setAsked(false)
    if (await signingOut.run({ id: device.id }, ({ message }) => toast(message))) toast(t.signedOut)
    invalidateRoute(listDevices)
  }
  return (
    <>
      <Button
        kind="plain"
        aria-label={t.signOutOf(name)}
        busy={signingOut.status === 'busy'}
        onPress={() => setAsked(true)}
      >
        {t.signOut}
      </Button>
      {isAsked && (
        <Dialog
          title={t.signOutTitle}
          message={t.signOutWords(name)}
          confirm={t.signOut}
          danger
          onConfirm={() => void signOut()}
          onClose={() => setAsked(false)}
        />
      )}
    </>
  )
}

function useDeviceName(): (device: Device) => string {
  const t = useText(text)
  return ({ os, app }) => [app, os].filter(Boolean).join(' · ') || t.unknownDevice
}
