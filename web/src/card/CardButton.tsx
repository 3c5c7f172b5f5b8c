import type { Button } from '@guildhall/wire/card/node.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import { clickButton } from '@guildhall/wire/message/card.ts'
import { rolesGuildIn } from '@guildhall/wire/onboarding/rolesAddress.ts'
import { type CSSProperties, type ReactNode, useState } from 'react'
import { useText } from '../kit/i18n.ts'
import { lazy, Suspense } from '../kit/lazy/lazy.tsx'
import { loadPart } from '../kit/lazy/lazyPart.ts'
import { useCall } from '../kit/useCall.ts'
import { MentionTargetsContext } from '../kmarkdown/mentionTargets.ts'
import { textColorOn } from '../ui/contrast.ts'
import { toast } from '../ui/overlay/Toast.tsx'
import { Spinner } from '../ui/state/Spinner.tsx'
import { WebLink } from '../ui/WebLink.tsx'
import styles from './Cards.module.css'
import { CardText } from './CardText.tsx'
import type { CardContext } from './cardContext.ts'
import { text } from './text.ts'

const RolesSheet = lazy(() =>
  loadPart(() => import('../onboarding/onboarding.tsx')).then((it) => ({ default: it.RolesSheet })),
)

/** A button of a card: it opens a page, tells its bot, or does nothing. */
export function CardButton({ button, context }: { button: Button; context: CardContext }) {
  const t = useText(text)
  const click = useCall(clickButton)
  const style = button.color ? { background: button.color, color: textColorOn(button.color) } : undefined
  const label = (
    <MentionTargetsContext value={null}>
      <CardText source={button.text} context={context} />
    </MentionTargetsContext>
  )
  const rolesOf = button.click === 'link' && rolesGuildAt(button.value)
  if (rolesOf)
    return (
      <RolesButton guildId={rolesOf} button={button} style={style}>
        {label}
      </RolesButton>
    )
  if (button.click === 'link')
    return (
      <WebLink className={styles.button} data-tone={button.theme} style={style} href={button.value}>
        {label}
      </WebLink>
    )
  if (button.click === '')
    return (
      <span className={styles.button} data-tone={button.theme} style={style}>
        {label}
      </span>
    )
  const press = async () => {
    const answer = await click.run({ msg_id: context.messageId, value: button.value }, (failure) =>
      toast(failure.message),
    )
    if (answer) toast(t.submitted)
  }
  return (
    <button
      type="button"
      className={styles.button}
      data-tone={button.theme}
      style={style}
      aria-disabled={click.status === 'busy' || undefined}
      onClick={() => void press()}
    >
      {label}
      {click.status === 'busy' && (
        <span className={styles.buttonBusy}>
          <Spinner size={16} />
        </span>
      )}
    </button>
  )
}

/** The guild of this site whose roles an address opens; null: it opens something else. */
function rolesGuildAt(address: string): GuildId | null {
  const url = URL.canParse(address) ? new URL(address) : null
  return url?.origin === location.origin ? rolesGuildIn(url) : null
}

/** Opens the roles of a guild above the room. */
function RolesButton(props: {
  guildId: GuildId
  button: Button
  style: CSSProperties | undefined
  children: ReactNode
}) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        className={styles.button}
        data-tone={props.button.theme}
        style={props.style}
        onClick={() => setOpen(true)}
      >
        {props.children}
      </button>
      {isOpen && (
        <Suspense>
          <RolesSheet guildId={props.guildId} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
