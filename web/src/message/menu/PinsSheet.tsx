import type { ChannelId } from '@guildhall/wire/id.ts'
import type { Names } from '@guildhall/wire/kmarkdown/kmarkdown.ts'
import { attachmentOf } from '@guildhall/wire/message/attachment.ts'
import { kindOf } from '@guildhall/wire/message/kind.ts'
import type { Message } from '@guildhall/wire/message/message.ts'
import { listPins, type Pin } from '@guildhall/wire/message/pin.ts'
import { canManageMessages } from '@guildhall/wire/permission/permission.ts'
import { useMemo } from 'react'
import { copiesOf, hrefOf } from '../../asset/asset.ts'
import { timeLabel } from '../../kit/format/time.ts'
import { useLocale, useText } from '../../kit/i18n.ts'
import { useFailedLoad } from '../../kit/picture/useFailedLoad.ts'
import { invalidateRoute, type RouteQuery, useRouteQuery } from '../../kit/routeQuery.ts'
import { text as commonText } from '../../kit/text.ts'
import { namesIn } from '../../kmarkdown/names.ts'
import type { RoomController } from '../../roomStore/roomController.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { CloseIcon } from '../../ui/icon/icons.tsx'
import { Sheet } from '../../ui/overlay/Sheet.tsx'
import { Avatar } from '../../ui/picture/Avatar.tsx'
import { BuffMark } from '../../ui/picture/BuffMark.tsx'
import { EmptyState } from '../../ui/state/EmptyState.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import type { MessageContext } from '../messageContext.ts'
import { useMessageLine } from '../Quoted.tsx'
import type { Rights } from '../rights.ts'
import { text } from '../text.ts'
import { toastFailure } from '../toastFailure.ts'
import { PinsDrawing } from './drawings.tsx'
import styles from './PinsSheet.module.css'
import { sheetText } from './sheetText.ts'

/** The sheet of pinned messages, the latest pin first: jump to them, and unpin them with the right to. */
export default function PinsSheet(props: {
  channelId: ChannelId
  context: MessageContext
  rights: Rights
  actions: RoomController
  onJump: (id: string) => void
  onClose: () => void
}) {
  const { channelId, context, rights, actions } = props
  const tRow = useText(text)
  const pins = useRouteQuery(listPins, { id: channelId })
  const mayUnpin = canManageMessages(rights.permissions)
  const unpin = async ({ message }: Pin): Promise<void> => {
    const failure = await actions.act(message.id, { kind: 'unpin' })
    toastFailure(failure)
    invalidateRoute(listPins, { id: channelId })
  }
  return (
    <Sheet popover="wide" title={tRow.pins} onClose={props.onClose}>
      <Pins
        pins={pins}
        context={context}
        onJump={props.onJump}
        onUnpin={mayUnpin ? (pin) => void unpin(pin) : null}
      />
    </Sheet>
  )
}

/** The content of the sheet. */
export function Pins(props: {
  pins: RouteQuery<Pin[]>
  context: MessageContext
  onJump: (id: string) => void
  onUnpin: ((pin: Pin) => void) | null
}) {
  const { pins, onUnpin } = props
  const t = useText(sheetText)
  const tCommon = useText(commonText)
  if (pins.status === 'failed')
    return <ErrorState title={t.pinsFailed} message={pins.failure.message} onRetry={pins.refetch} />
  if (pins.status === 'loading')
    return (
      <div className={styles.pins} role="status" aria-label={tCommon.loading}>
        {[70, 45, 60].map((width) => (
          <div className={styles.pin} key={width}>
            <Skeleton className={styles.face} />
            <div className={styles.text}>
              <Skeleton width={80} height={12} />
              <Skeleton width={`${width}%`} height={16} />
            </div>
          </div>
        ))}
      </div>
    )
  if (pins.answer.length === 0)
    return <EmptyState icon={<PinsDrawing />} title={t.pinsNone} message={t.pinsNoneWhy} />
  return (
    <ul className={styles.pins}>
      {pins.answer.map((pin) => (
        <PinRow
          key={pin.message.id}
          pin={pin}
          context={props.context}
          onJump={() => props.onJump(pin.message.id)}
          onUnpin={onUnpin && (() => onUnpin(pin))}
        />
      ))}
    </ul>
  )
}

/** A pinned message in one to three lines: the name of a file, the first text of cards. */
function usePinLine(message: Message, names: Names): string {
  const line = useMessageLine(message, names)
  const kind = kindOf(message.type, 'specification')
  if (kind === 'file' || kind === 'video')
    return [line, attachmentOf(message)?.name].filter(Boolean).join(' ')
  if (kind !== 'card') return line
  return message.kmarkdown.raw_content.split('\n').find((it) => it.trim() !== '') ?? line
}

/** A thumbnail; the kind as text when it cannot be shown. */
function Thumb({ address, word }: { address: string; word: string }) {
  const { hasFailed, fail } = useFailedLoad(address)
  if (hasFailed)
    return (
      <span className={styles.line} data-part="pin-text">
        {word}
      </span>
    )
  return (
    <>
      <span className="unseen">{word}</span>
      <img
        className={styles.thumb}
        data-part="pin-thumb"
        sizes="64px"
        srcSet={copiesOf(address)}
        src={hrefOf(address)}
        alt=""
        width={64}
        height={64}
        loading="lazy"
        decoding="async"
        onError={fail}
      />
    </>
  )
}

function PinRow(props: {
  pin: Pin
  context: MessageContext
  onJump: () => void
  onUnpin: (() => void) | null
}) {
  const { message, pinned_at, pinned_by } = props.pin
  const t = useText(sheetText)
  const locale = useLocale()
  const { guild } = props.context
  const names = useMemo(() => namesIn(message.kmarkdown, guild, locale), [message, guild, locale])
  const line = usePinLine(message, names)
  const isPicture = kindOf(message.type, 'specification') === 'image'
  const { author } = message
  const name = author.nickname || author.username
  const when = timeLabel(pinned_at, Date.now(), locale)
  return (
    <li className={styles.pin}>
      <button type="button" className={styles.jump} data-part="pin-jump" onClick={props.onJump}>
        <Avatar of={author} size={32} />
        <span className={styles.text}>
          <span className="unseen">{t.showPinned(name)}</span>
          <span className="named">
            <b className={styles.name}>{name}</b>
            {author.is_vip && <BuffMark />}
          </span>
          {isPicture ? (
            <Thumb address={message.content} word={line} />
          ) : (
            <span className={styles.line} data-part="pin-text">
              {line}
            </span>
          )}
          <span className={styles.pinnedBy}>
            {pinned_by ? t.pinnedBy(pinned_by.name, when) : t.pinnedAt(when)}
          </span>
        </span>
      </button>
      {props.onUnpin && (
        <IconButton label={t.unpinOf(name)} onPress={props.onUnpin}>
          <CloseIcon size={18} />
        </IconButton>
      )}
    </li>
  )
}
