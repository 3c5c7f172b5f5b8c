import { letterColour, letters } from '@guildhall/wire/user/letter.ts'
import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { useId, useState } from 'react'
import { useText } from '../kit/i18n.ts'
import { text } from '../kit/text.ts'
import { AlertIcon, BackIcon, CloseIcon } from './icons.tsx'

/** A whole screen: a bar at the top, the content under it. */
export function Page({ children }: { children: ReactNode }) {
  return <div className="page">{children}</div>
}

/** The bar of a screen. `title` is the page's heading. */
export function TopBar(props: {
  title: ReactNode
  icon?: ReactNode
  onBack?: (() => void) | undefined
  actions?: ReactNode
}) {
  const t = useText(text)
  return (
    <header className="bar">
      {props.onBack && (
        <IconButton label={t.back} onPress={props.onBack}>
          <BackIcon />
        </IconButton>
      )}
      <h1 className="bar-title">
        {props.icon}
        <span>{props.title}</span>
      </h1>
      {props.actions}
    </header>
  )
}

type ButtonKind = 'main' | 'soft' | 'quiet' | 'danger' | 'plain'

/** A button in words. `busy` shows the wheel, keeps the width and stops a second tap. */
export function Button({
  kind = 'main',
  busy = false,
  block = false,
  onPress,
  children,
  ...rest
}: {
  kind?: ButtonKind
  busy?: boolean
  block?: boolean
  onPress?: () => void
  children: ReactNode
} & Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'onClick'>) {
  return (
    <button
      type="button"
      className={`button button-${kind}${block ? ' button-block' : ''}`}
      aria-busy={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onPress}
      {...rest}
    >
      {busy && <Spinner size={18} />}
      {children}
    </button>
  )
}

/** A button that is a picture; its label is heard. */
export function IconButton(props: { label: string; onPress: () => void; children: ReactNode; id?: string }) {
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={props.label}
      title={props.label}
      onClick={props.onPress}
    >
      {props.children}
    </button>
  )
}

/** A text input with its label above, what stands before and after it inside the box, and its error under it. */
export function Field(props: {
  label: string
  name: string
  value: string
  onChange: (value: string) => void
  error?: string | undefined
  type?: 'text' | 'tel' | 'password' | 'search'
  inputMode?: 'text' | 'numeric' | 'tel' | 'search'
  autoComplete?: string
  maxLength?: number
  before?: ReactNode
  after?: ReactNode
  autoFocus?: boolean
}) {
  const id = useId()
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {props.label}
      </label>
      <div className="field-box" data-bad={props.error ? true : undefined}>
        {props.before}
        <input
          id={id}
          name={props.name}
          type={props.type ?? 'text'}
          inputMode={props.inputMode}
          autoComplete={props.autoComplete}
          maxLength={props.maxLength}
          autoCapitalize="off"
          autoCorrect="off"
          spellCheck={false}
          value={props.value}
          data-first={props.autoFocus || undefined}
          aria-invalid={props.error ? true : undefined}
          aria-describedby={`${id}-error`}
          onChange={(event) => props.onChange(event.currentTarget.value)}
        />
        {props.after}
      </div>
      <p className="field-error" id={`${id}-error`} aria-live="polite">
        {props.error}
      </p>
    </div>
  )
}

function Picture(props: { name: string; src: string; seed: string; size: number; shape: string }) {
  const [broken, setBroken] = useState<string | null>(null)
  const showPicture = props.src !== '' && broken !== props.src
  return (
    <span
      className={`avatar ${props.shape}${showPicture ? '' : ` letter-${letterColour(props.seed, 8)}`}`}
      style={{ width: props.size, height: props.size, fontSize: props.size * 0.4 }}
      aria-hidden="true"
    >
      {showPicture ? (
        <img src={props.src} alt="" loading="lazy" decoding="async" onError={() => setBroken(props.src)} />
      ) : (
        letters(props.name) || '?'
      )}
    </span>
  )
}

/** A person's picture, or the letters of the name on the person's colour. Decoration: the name stands beside it. */
export function Avatar(props: { id: string; name: string; src: string; size: number }) {
  return <Picture name={props.name} src={props.src} seed={props.id} size={props.size} shape="" />
}

/** A guild's picture, or its letters. */
export function GuildIcon(props: { id: string; name: string; src: string; size: number }) {
  return <Picture name={props.name} src={props.src} seed={props.id} size={props.size} shape="avatar-guild" />
}

/** A turning wheel; the words beside it say what is awaited. */
export function Spinner({ size = 22 }: { size?: number }) {
  return <span className="spinner" style={{ width: size, height: size }} aria-hidden="true" />
}

/** Holds the place of what is coming, in its size. */
export function Skeleton({ width, height = 14 }: { width: number | string; height?: number }) {
  return <span className="skeleton" style={{ display: 'block', width, height }} aria-hidden="true" />
}

/** The middle of a screen, or of a part of one. With `page` it is all the screen has: its main part and heading. */
function State(props: { page: boolean | undefined; role?: 'status' | 'alert'; children: ReactNode }) {
  const Tag = props.page ? 'main' : 'div'
  return (
    <Tag className="state-place">
      <div className="state" role={props.role}>
        {props.children}
      </div>
    </Tag>
  )
}

/** Something is awaited, in words. */
export function LoadingState({ words, page }: { words?: string; page?: boolean }) {
  const t = useText(text)
  const Title = page ? 'h1' : 'p'
  return (
    <State page={page} role="status">
      <Spinner size={28} />
      <Title className="state-wait">{words ?? t.loading}</Title>
    </State>
  )
}

/** There is nothing here, and what to do about it. */
export function EmptyState(props: {
  icon: ReactNode
  title: string
  words?: string
  action?: ReactNode
  page?: boolean
  /** The screen has no other heading. */
  top?: boolean
}) {
  const Title = props.page || props.top ? 'h1' : 'h2'
  return (
    <State page={props.page}>
      <div className="state-art">{props.icon}</div>
      <Title className="state-title">{props.title}</Title>
      {props.words && <p className="state-words">{props.words}</p>}
      {props.action}
    </State>
  )
}

/** It did not work, why, and a way to try again. */
export function ErrorState(props: {
  title: string
  words?: string
  onRetry?: () => void
  icon?: ReactNode
  page?: boolean
  /** The screen has no other heading. */
  top?: boolean
}) {
  const t = useText(text)
  const Title = props.page || props.top ? 'h1' : 'h2'
  return (
    <State page={props.page} role="alert">
      <div className="state-art state-art-bad">{props.icon ?? <AlertIcon size={32} />}</div>
      <Title className="state-title">{props.title}</Title>
      {props.words && <p className="state-words">{props.words}</p>}
      {props.onRetry && (
        <Button kind="soft" onPress={props.onRetry}>
          {t.retry}
        </Button>
      )}
    </State>
  )
}

/** A notice along the top of a screen. */
export function Banner(props: { children: ReactNode; action?: ReactNode; onClose?: () => void }) {
  const t = useText(text)
  return (
    <div className="banner" role="status">
      <div className="banner-words">{props.children}</div>
      {props.action}
      {props.onClose && (
        <IconButton label={t.close} onPress={props.onClose}>
          <CloseIcon size={18} />
        </IconButton>
      )}
    </div>
  )
}

/** A count on a small red ground; more than 99 reads 99+. */
export function Badge({ count }: { count: number }) {
  return <span className="badge">{count > 99 ? '99+' : count}</span>
}
