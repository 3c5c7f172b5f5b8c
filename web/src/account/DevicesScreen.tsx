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
  /** What is asked about: one device, or all others. */
  const [asked, setAsked] = useState<Device | 'others' | null>(null)
  const one = useCall(signOutDevice)
  const all = useCall(signOutOthers)
  const others = items.filter(({ current }) => !current)
  const nameOf = useDeviceName()

  const signOut = async (which: Device | 'others') => {
    setAsked(null)
    const refused = ({ message }: { message: string }) => toast(message)
    const answer = which === 'others' ? await all.run({}, refused) : await one.run({ id: which.id }, refused)
    if (answer) toast(which === 'others' ? t.allOthersDone(Number(answer.count)) : t.signedOut)
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
                <Row key={device.id} device={device} onSignOut={() => setAsked(device)} />
              ))}
            </ul>
            <p className={styles.hint}>{t.devicesWhy}</p>
            <div className={styles.last}>
              <Button kind="danger" block busy={all.status === 'busy'} onPress={() => setAsked('others')}>
                {t.allOthers}
              </Button>
            </div>
          </>
        )}
      </section>
      {asked && (
        <Dialog
          title={asked === 'others' ? t.allOthersTitle : t.signOutTitle}
          message={asked === 'others' ? t.allOthersWords : t.signOutWords(nameOf(asked))}
          confirm={t.signOut}
          danger
          onConfirm={() => void signOut(asked)}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  )
}

const HANDHELD = /^(?:iOS|Android|HarmonyOS|Windows Phone)$/

function Row({ device, onSignOut }: { device: Device; onSignOut?: () => void }) {
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
      {onSignOut && (
        <Button kind="plain" aria-label={t.signOutOf(name)} onPress={onSignOut}>
          {t.signOut}
        </Button>
      )}
    </li>
  )
}

function useDeviceName(): (device: Device) => string {
  const t = useText(text)
  return ({ os, app }) => [app, os].filter(Boolean).join(' · ') || t.unknownDevice
}
