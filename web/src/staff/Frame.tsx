import { type StaffSelf, staffLogout } from '@guildhall/wire/staff/session.ts'
import { staffWaiting, type Waiting } from '@guildhall/wire/staff/waiting.ts'
import { type ReactNode, useEffect, useState } from 'react'
import { NavLink, Route, Routes, useLocation } from 'react-router'
import { useIsWide } from '../kit/browser/useIsWide.ts'
import { call } from '../kit/call.ts'
import { timeLabel } from '../kit/format/time.ts'
import { useLocale, useText } from '../kit/i18n.ts'
import { Suspense } from '../kit/lazy/lazy.tsx'
import { invalidateRoute, useRouteQuery } from '../kit/routeQuery.ts'
import { Button } from '../ui/Button.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { LockIcon } from '../ui/icon/channelIcons.tsx'
import { Sheet } from '../ui/overlay/Sheet.tsx'
import { Avatar } from '../ui/picture/Avatar.tsx'
import { EmptyState } from '../ui/state/EmptyState.tsx'
import { LoadingState } from '../ui/state/LoadingState.tsx'
import styles from './Frame.module.css'
import { Switches } from './Switches.tsx'
import { SECTIONS, type Section } from './sections.ts'
import { Self } from './self.ts'
import { HomeIcon, MenuIcon } from './staffIcons.tsx'
import { StartPage } from './start/StartPage.tsx'
import { roleText, sectionText, text } from './text.ts'
import { countLabel, countOf } from './waiting.ts'

/** The frame of the console: who is logged in, the sections that their rights open, and one of them. */
export function Frame({ self, onLeave }: { self: StaffSelf; onLeave: () => void }) {
  const t = useText(text)
  const open = SECTIONS.filter(({ rights }) => rights.some((right) => self.rights.includes(right)))
  const waiting = useWaitingCounts()
  const isWide = useIsWide()
  const logOut = async () => {
    await call(staffLogout, {}).catch(() => undefined)
    onLeave()
  }
  const personal = (
    <>
      <Person self={self} />
      <Switches className={styles.switches} />
      <Button kind="quiet" onPress={() => void logOut()}>
        {t.logOut}
      </Button>
    </>
  )
  return (
    <Self value={self}>
      <div className={styles.frame}>
        <header className={styles.header}>
          {!isWide && (
            <FoldedNav sections={open} waiting={waiting}>
              {personal}
            </FoldedNav>
          )}
          <p className={styles.title}>{t.title}</p>
          {isWide ? personal : <Avatar of={self} size={32} />}
        </header>
        {isWide && (
          <nav className={styles.nav} aria-label={t.nav}>
            <Links sections={open} waiting={waiting} />
          </nav>
        )}
        <main className={styles.main}>
          <Suspense fallback={<LoadingState />}>
            <Routes>
              {open.map(({ name, Part }) => (
                <Route key={name} path={`/staff/${name}/*`} element={<Part />} />
              ))}
              <Route
                path="/staff"
                element={open.length > 0 ? <StartPage sections={open} /> : <Nothing title={t.nothingHere} />}
              />
              <Route path="*" element={<Nothing title={t.notFound} />} />
            </Routes>
          </Suspense>
        </main>
      </div>
    </Self>
  )
}

/** Who is logged in, and as what. */
function Person({ self }: { self: StaffSelf }) {
  const t = useText(text)
  const roles = useText(roleText)
  const locale = useLocale()
  return (
    <div className={styles.self} title={t.ends(timeLabel(self.ends_at, Date.now(), locale))}>
      <Avatar of={self} size={32} />
      <span className={styles.name}>{self.username}</span>
      <span className={styles.role}>{self.role === '' ? t.noRole : roles[self.role]}</span>
    </div>
  )
}

interface NavProps {
  readonly sections: readonly Section[]
  readonly waiting: Waiting | null
}

/** The start page and the sections, each with how much waits in it. */
function Links({ sections, waiting, onPress }: NavProps & { onPress?: () => void }) {
  const names = useText(sectionText)
  return (
    <ul className={styles.links}>
      <li>
        <NavLink className={styles.link!} to="/staff" end onClick={onPress}>
          <HomeIcon size={20} />
          {names.start}
        </NavLink>
      </li>
      {sections.map(({ name, Icon }) => (
        <li key={name}>
          <NavLink className={styles.link!} to={`/staff/${name}`} onClick={onPress}>
            <Icon size={20} />
            {names[name]}
            <Count of={countOf(name, waiting)} />
          </NavLink>
        </li>
      ))}
    </ul>
  )
}

/** On a phone the navigation is a button with how much waits in all; it opens the sections and the rest. */
function FoldedNav({ sections, waiting, children }: NavProps & { children: ReactNode }) {
  const t = useText(text)
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <nav className={styles.folded} aria-label={t.nav}>
      <IconButton label={t.menu} onPress={() => setOpen(true)}>
        <MenuIcon />
      </IconButton>
      <Count of={sections.reduce((sum, { name }) => sum + countOf(name, waiting), 0)} />
      {isOpen && (
        <Sheet title={t.nav} onClose={close}>
          <Links sections={sections} waiting={waiting} onPress={close} />
          <div className={styles.personal}>{children}</div>
        </Sheet>
      )}
    </nav>
  )
}

/** How much waits. */
function Count({ of }: { of: number }) {
  const t = useText(text)
  if (of === 0) return null
  const shown = countLabel(of)
  return (
    <span className={styles.count}>
      <span aria-hidden="true">{shown}</span>
      <span className="unseen">{t.waits(shown)}</span>
    </span>
  )
}

/**
 * Counted anew with every page of the console and every act; not by a timer, which would keep the session
 * alive.
 */
function useWaitingCounts(): Waiting | null {
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page, another count
  useEffect(() => invalidateRoute(staffWaiting), [pathname])
  return useRouteQuery(staffWaiting, {}).answer
}

const Nothing = ({ title }: { title: string }) => <EmptyState top icon={<LockIcon />} title={title} />
