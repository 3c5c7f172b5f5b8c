import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { readStored } from '../kit/browser/storage.ts'
import { useText } from '../kit/i18n.ts'
import { paths } from '../kit/paths.ts'
import { type Shell, type ShellCall, type ShellEvent, shell } from '../native/shell.ts'
import { askShell, hasNativeBar, useNavigationBar } from '../native/shellPage.ts'
import { Button, buttonClass } from '../ui/Button.tsx'
import { Page } from '../ui/page/Page.tsx'
import { useProductTitle } from '../ui/page/useProductTitle.ts'
import { EmptyState } from '../ui/state/EmptyState.tsx'
import styles from './ConformanceScreen.module.css'
import { checksFor, EVENTS, type Outcome, runCheck } from './conformance.ts'
import { PlugDrawing } from './conformanceDrawing.tsx'
import { text } from './conformanceText.ts'

/**
 * /common/jumpapp: every call and event of the native shell, green or red, for whoever writes one.
 * commerce.md §2, docs/native.md.
 */
export default function ConformanceScreen() {
  const t = useText(text)
  const it = shell()
  useProductTitle(t.title)
  if (it) return <Conformance shell={it} />
  return (
    <Page>
      <EmptyState
        page
        icon={<PlugDrawing />}
        title={t.noShell}
        message={t.noShellWhy}
        action={
          <Link className={buttonClass('soft')} to={paths.home()}>
            {t.home}
          </Link>
        }
      />
    </Page>
  )
}

/** The red of the design, for the bar. */
const RED = '#C62B3A'

function Conformance({ shell: it }: { shell: Shell }) {
  const t = useText(text)
  const [isRed, setRed] = useState(false)
  const heard = useHeard(it)
  // The first tap is heard; the next leaves the page.
  const isCaught = !heard.on_click_navigation_left
  const looks = { title: t.title, ...(isRed && { color: RED }) }
  useNavigationBar({
    ...looks,
    action: { text: t.action, enabled: true, onPress: () => undefined },
    ...(isCaught && { onLeft: () => undefined }),
  })
  const checks = checksFor({
    origin: location.origin,
    guildId: readStored('last_guild') ?? '1',
    bar: { ...looks, action: { text: t.action, enabled: true }, ...(isCaught && { catch_left: true }) },
  })
  const { outcomes, run, runAll } = useRuns(it, checks)
  const passed =
    Object.values(outcomes).filter(({ state }) => state === 'passed').length + Object.keys(heard).length
  return (
    <Page>
      <main className={styles.page}>
        <h1 className={hasNativeBar() ? 'unseen' : styles.title}>{t.title}</h1>
        <Facts shell={it} />
        <div className={styles.acts}>
          <Button kind="soft" onPress={() => setRed(!isRed)}>
            {isRed ? t.notRed : t.red}
          </Button>
          <Button kind="soft" onPress={() => void askShell('close_webview', {})}>
            {t.close}
          </Button>
        </div>
        <Button onPress={() => void runAll()}>{t.runAll}</Button>
        <p className={styles.sum} role="status">
          {t.passedOf(passed, checks.filter(({ call }) => it.has(call)).length + EVENTS.length)}
        </p>
        <section aria-labelledby="calls">
          <h2 id="calls">{t.calls}</h2>
          <ul className={styles.rows}>
            {checks.map((check) => (
              <CallRow
                key={check.call}
                call={check.call}
                outcome={outcomes[check.call]}
                onRun={it.has(check.call) ? () => void run(check) : null}
              />
            ))}
          </ul>
        </section>
        <Events heard={heard} />
      </main>
    </Page>
  )
}

type Heard = Partial<Record<ShellEvent, number>>

/** How often each event was heard. */
function useHeard(of: Shell): Heard {
  const [heard, setHeard] = useState<Heard>({})
  useEffect(() => {
    const hear = (event: ShellEvent) => setHeard((all) => ({ ...all, [event]: (all[event] ?? 0) + 1 }))
    const stops = EVENTS.map((event) => of.on(event, () => hear(event)))
    return () => stops.forEach((stop) => void stop())
  }, [of])
  return heard
}

/** How each call ended, and making one, or all that nobody notices. */
function useRuns(of: Shell, checks: ReturnType<typeof checksFor>) {
  const [outcomes, setOutcomes] = useState<Partial<Record<ShellCall, Outcome>>>({})
  const run = async (check: (typeof checks)[number]) => {
    const put = (outcome: Outcome) => setOutcomes((all) => ({ ...all, [check.call]: outcome }))
    put({ state: 'running', detail: '' })
    put(await runCheck(of, check))
  }
  const runAll = async () => {
    for (const check of checks) if (check.isQuiet && of.has(check.call)) await run(check)
  }
  return { outcomes, run, runAll }
}

function Events({ heard }: { heard: Heard }) {
  const t = useText(text)
  return (
    <section aria-labelledby="events">
      <h2 id="events">{t.events}</h2>
      <ul className={styles.rows}>
        {EVENTS.map((event) => {
          const times = heard[event] ?? 0
          return (
            <li key={event} className={styles.row} data-call={event}>
              <div className={styles.what}>
                <code>{event}</code>
                <p className={styles.detail}>{times > 0 ? t.heard(times) : t[event]}</p>
              </div>
              <State state={times > 0 ? 'passed' : 'waiting'} />
            </li>
          )
        })}
      </ul>
    </section>
  )
}

function Facts({ shell: { config } }: { shell: Shell }) {
  const t = useText(text)
  const facts = [
    [t.app, t.version(config.app_plantform, config.version)],
    [t.login, config.token ? t.loggedIn : t.loggedOut],
    [t.theme, config.theme ?? t.notTold],
    [t.language, config.language ?? t.notTold],
  ]
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function CallRow(props: { call: ShellCall; outcome: Outcome | undefined; onRun: (() => void) | null }) {
  const { call, outcome, onRun } = props
  const t = useText(text)
  return (
    <li className={styles.row} data-call={call}>
      <div className={styles.what}>
        <code>{call}</code>
        {outcome?.detail && <p className={styles.detail}>{outcome.detail}</p>}
      </div>
      <State state={outcome?.state ?? (onRun ? 'waiting' : 'missing')} />
      {onRun && (
        <button type="button" className={styles.run} aria-label={t.run(call)} onClick={onRun}>
          {t.runShort}
        </button>
      )}
    </li>
  )
}

function State({ state }: { state: Outcome['state'] | 'waiting' }) {
  const t = useText(text)
  return (
    <span className={styles.state} data-state={state}>
      {t[state]}
    </span>
  )
}
