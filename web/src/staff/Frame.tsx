import { type StaffSelf, staffLogout } from '@guildhall/wire/staff/session.ts'
import { staffWaiting, WAITING_COUNT_MAX, type Waiting } from '@guildhall/wire/staff/waiting.ts'
import { Suspense, useEffect, useRef } from 'react'
import { Navigate, NavLink, Route, Routes, useLocation } from 'react-router'
import { call } from '../kit/call.ts'
import { timeLabel } from '../kit/format/time.ts'
import { useLocale, useText } from '../kit/i18n.ts'
import { invalidateRoute, useRouteQuery } from '../kit/routeQuery.ts'
import { Button } from '../ui/Button.tsx'
import { LockIcon } from '../ui/icon/channelIcons.tsx'
import { Avatar } from '../ui/picture/Avatar.tsx'
import { EmptyState } from '../ui/state/EmptyState.tsx'
import { LoadingState } from '../ui/state/LoadingState.tsx'
import styles from './Frame.module.css'
import { Switches } from './Switches.tsx'
import { SECTIONS, type Section } from './sections.ts'
import { Self } from './self.ts'
import { roleText, sectionText, text } from './text.ts'

/** The frame of the console: who is logged in, the sections that their rights open, and one of them. */
export function Frame({ self, onLeave }: { self: StaffSelf; onLeave: () => void }) {
  const t = useText(text)
  const roles = useText(roleText)
  const names = useText(sectionText)
  const locale = useLocale()
  const open = SECTIONS.filter(({ rights }) => rights.some((right) => self.rights.includes(right)))
  const [first] = open
  const nav = useOpenSectionInView()
  const waiting = useWaitingCounts()
  const logOut = async () => {
    await call(staffLogout, {}).catch(() => undefined)
    onLeave()
  }
  return (
    <Self value={self}>
      <div className={styles.frame}>
        <header className={styles.header}>
          <p className={styles.title}>{t.title}</p>
          <div className={styles.self} title={t.ends(timeLabel(self.ends_at, Date.now(), locale))}>
            <Avatar id={self.id} name={self.username} src={self.avatar} size={32} />
            <span className={styles.name}>{self.username}</span>
            <span className={styles.role}>{self.role === '' ? t.noRole : roles[self.role]}</span>
          </div>
          <Switches className={styles.switches} />
          <Button kind="quiet" onPress={() => void logOut()}>
            {t.logOut}
          </Button>
        </header>
        <nav className={styles.nav} aria-label={t.nav} ref={nav}>
          <ul>
            {open.map(({ path, name }) => (
              <li key={path}>
                <NavLink className={styles.link!} to={`/staff/${path}`}>
                  {names[name]}
                  <Count of={countOf(name, waiting)} />
                </NavLink>
              </li>
            ))}
          </ul>
        </nav>
        <main className={styles.main}>
          <Suspense fallback={<LoadingState />}>
            <Routes>
              {open.map(({ path, Part }) => (
                <Route key={path} path={`/staff/${path}/*`} element={<Part />} />
              ))}
              <Route
                path="/staff"
                element={
                  first ? <Navigate to={`/staff/${first.path}`} replace /> : <Nothing title={t.nothingHere} />
                }
              />
              <Route path="*" element={<Nothing title={t.notFound} />} />
            </Routes>
          </Suspense>
        </main>
      </div>
    </Self>
  )
}

const countOf = (name: Section['name'], waiting: Waiting | null): number =>
  (waiting && name in waiting && waiting[name as keyof Waiting]) || 0

/** How much waits in a section. */
function Count({ of }: { of: number }) {
  const t = useText(text)
  if (of === 0) return null
  const shown = of < WAITING_COUNT_MAX ? String(of) : `${WAITING_COUNT_MAX - 1}+`
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

/**
 * The ref of the navigation: on a phone it is wider than the screen, and scrolls to the section that is open.
 */
function useOpenSectionInView() {
  const nav = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another path is another section
  useEffect(() => {
    const link = nav.current?.querySelector<HTMLElement>('[aria-current]')
    if (nav.current && link)
      nav.current.scrollLeft = link.offsetLeft - (nav.current.clientWidth - link.offsetWidth) / 2
  }, [pathname])
  return nav
}

const Nothing = ({ title }: { title: string }) => (
  <EmptyState top icon={<LockIcon size={32} />} title={title} />
)
