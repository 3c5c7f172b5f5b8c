import type { CallFailure } from '../../kit/call.ts'
import { useText } from '../../kit/i18n.ts'
import { Button } from '../../ui/Button.tsx'
import { LockIcon } from '../../ui/icon/channelIcons.tsx'
import { ClockIcon, OfflineIcon } from '../../ui/icon/icons.tsx'
import { EmptyState } from '../../ui/state/EmptyState.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import type { Asked } from '../address.ts'
import { NothingFoundDrawing } from '../drawings.tsx'
import { kindText } from '../text.ts'
import { hitsText } from './hitsText.ts'

/** Why nothing can be shown, and what can be done about it. */
export function Failed(props: {
  failure: CallFailure
  asked: Asked
  onRetry: () => void
  onWider: () => void
}) {
  const { failure, onRetry } = props
  const t = useText(hitsText)
  const isNarrow = props.asked.scope !== 'all'
  if (isNarrow && (failure.name === 'forbidden' || failure.name === 'chat.unknown'))
    return (
      <EmptyState
        icon={<LockIcon size={32} />}
        title={t.noMay}
        message={t.noMayWhy}
        action={
          <Button kind="soft" onPress={props.onWider}>
            {t.searchAll}
          </Button>
        }
      />
    )
  if (failure.name === 'too_many')
    return (
      <ErrorState icon={<ClockIcon size={32} />} title={t.tooMany} message={t.tooManyWhy} onRetry={onRetry} />
    )
  if (failure.name === 'network')
    return (
      <ErrorState
        icon={<OfflineIcon size={32} />}
        title={t.offline}
        message={t.offlineWhy}
        onRetry={onRetry}
      />
    )
  return <ErrorState title={t.failed} message={failure.message} onRetry={onRetry} />
}

/** Nothing was found, and what to try. */
export function None({ asked, onWider }: { asked: Asked; onWider: () => void }) {
  const t = useText(hitsText)
  const tKind = useText(kindText)
  const { q } = asked
  const isNarrow = asked.scope !== 'all'
  return (
    <div role="status">
      <EmptyState
        icon={<NothingFoundDrawing />}
        title={q === '' ? t.noneHere(tKind[asked.kind]) : t.none(q)}
        message={q === '' ? '' : isNarrow ? t.noneWider : t.noneWhy}
        action={
          isNarrow && (
            <Button kind="soft" onPress={onWider}>
              {t.searchAll}
            </Button>
          )
        }
      />
    </div>
  )
}
