import { siteName } from '@guildhall/wire/siteName.ts'
import { type ReactNode, useEffect, useId, useState } from 'react'
import { type NotificationState, notificationState, showNotification } from '../kit/browser/notifications.ts'
import { playQuietSound } from '../kit/browser/quietSound.ts'
import { readStored, type Stored, writeStored } from '../kit/browser/storage.ts'
import { currentText, useText } from '../kit/i18n.ts'
import { here } from '../native/environment.ts'
import { BellIcon, MoonIcon, MusicIcon, UserIcon } from '../ui/icon/laterIcons.tsx'
import menuStyles from '../ui/overlay/Menu.module.css'
import settingStyles from '../ui/SettingRows.module.css'
import styles from './Account.module.css'
import { text } from './notificationRowsText.ts'

type QuietHours = NonNullable<Stored['notifications']['quiet']>

/** The quiet hours that are offered first. */
const NIGHT: QuietHours = { from: '22:00', to: '08:00' }

/** Notifications of the browser on this device. A shell has notifications of its own. */
export default function NotificationRows() {
  return here().hasShell ? null : <Rows />
}

/** Whether there are any, and what they show. The browser is asked by the first tap. */
function Rows() {
  const t = useText(text)
  const noteId = useId()
  const { state, refresh } = useNotificationState()
  const [chosen, setChosen] = useState(() => readStored('notifications') ?? {})
  const [isAsking, setAsking] = useState(false)
  const choose = (more: Stored['notifications']) => {
    const next = { ...chosen, ...more }
    writeStored('notifications', next)
    setChosen(next)
    refresh()
  }
  const turnOn = async () => {
    setAsking(true)
    try {
      // A browser that asks by itself and answers nothing says it by its state.
      if (Notification.permission === 'default') await Notification.requestPermission()
    } finally {
      setAsking(false)
    }
    refresh()
    if (Notification.permission !== 'granted') return
    showNotification(currentText(siteName), {
      body: currentText(text).isOn,
      tag: 'on',
      icon: '/icon-192.png',
    })
    choose({ on: true })
  }
  const canSwitch = state !== 'unsupported' && state !== 'refused'
  return (
    <>
      <SwitchRow
        icon={<BellIcon />}
        label={t.ofBrowser}
        isOn={state === 'on'}
        isDisabled={!canSwitch || isAsking}
        describedBy={noteId}
        onPress={() => (state === 'on' ? choose({ on: false }) : void turnOn())}
      />
      <p className={styles.note} id={noteId} role="status">
        {t[state]}
      </p>
      {state === 'on' && (
        <>
          <SwitchRow
            icon={<UserIcon />}
            label={t.words}
            isOn={!chosen.is_bare}
            onPress={() => choose({ is_bare: !chosen.is_bare })}
          />
          <SwitchRow
            icon={<MusicIcon />}
            label={t.sound}
            isOn={chosen.has_sound === true}
            onPress={() => {
              if (!chosen.has_sound) playQuietSound()
              choose({ has_sound: !chosen.has_sound })
            }}
          />
          <QuietRows quiet={chosen.quiet ?? null} onChange={(quiet) => choose({ quiet })} />
        </>
      )}
    </>
  )
}

/** The hours in which nothing calls: whether there are any, and from when to when. */
function QuietRows(props: { quiet: QuietHours | null; onChange: (quiet: QuietHours | null) => void }) {
  const t = useText(text)
  const { quiet, onChange } = props
  return (
    <>
      <SwitchRow
        icon={<MoonIcon />}
        label={t.quiet}
        isOn={quiet !== null}
        onPress={() => onChange(quiet ? null : NIGHT)}
      />
      {quiet && (
        <fieldset className={styles.times} aria-label={t.quiet}>
          {(['from', 'to'] as const).map((end) => (
            <label key={end}>
              {t[end]}
              <input
                type="time"
                value={quiet[end]}
                // A field that was emptied is no time: what was there before counts, and is shown again.
                onChange={({ target }) => target.value && onChange({ ...quiet, [end]: target.value })}
                onBlur={({ target }) => {
                  target.value = quiet[end]
                }}
              />
            </label>
          ))}
        </fieldset>
      )}
    </>
  )
}

function SwitchRow(props: {
  icon: ReactNode
  label: string
  isOn: boolean
  isDisabled?: boolean
  describedBy?: string
  onPress: () => void
}) {
  return (
    <button
      type="button"
      className={menuStyles.item}
      role="switch"
      aria-checked={props.isOn}
      aria-disabled={props.isDisabled || undefined}
      aria-describedby={props.describedBy}
      onClick={() => !props.isDisabled && props.onPress()}
    >
      {props.icon}
      <span className={menuStyles.label}>{props.label}</span>
      <span className={settingStyles.switch} aria-hidden="true" />
    </button>
  )
}

/** What the browser allows now: it may be changed in the browser's own settings at any time. */
function useNotificationState(): { state: NotificationState; refresh: () => void } {
  const [state, setState] = useState(notificationState)
  const refresh = () => setState(notificationState())
  useEffect(() => {
    const look = () => setState(notificationState())
    let status: PermissionStatus | null = null
    let isGone = false
    void navigator.permissions?.query({ name: 'notifications' }).then(
      (found) => {
        if (isGone) return
        status = found
        found.addEventListener('change', look)
      },
      // Browsers that do not know the name tell it when the page is looked at again.
      () => undefined,
    )
    addEventListener('focus', look)
    return () => {
      isGone = true
      status?.removeEventListener('change', look)
      removeEventListener('focus', look)
    }
  }, [])
  return { state, refresh }
}
