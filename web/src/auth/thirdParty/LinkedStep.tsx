import { linkThirdParty, listThirdParties, unlinkThirdParty } from '@guildhall/wire/auth/linked.ts'
import type { ThirdPartyName } from '@guildhall/wire/auth/thirdPartyNames.ts'
import type { CallFailure } from '../../kit/call.ts'
import { useText } from '../../kit/i18n.ts'
import { invalidateRoute } from '../../kit/routeQuery.ts'
import { WithOwner } from '../change/ChangePage.tsx'
import { ProofStep } from '../owner/ProofStep.tsx'
import { linkedText } from './linkedText.ts'
import type { Returned } from './thirdPartyReturn.ts'

interface StepProps {
  /** What is unlinked; null: the account of the answer is linked. */
  readonly chosen: ThirdPartyName | null
  readonly returned: Returned
  readonly onDone: () => void
}

/** The proof of the owner before an account at a third party is linked or unlinked. */
export default function LinkedStep({ chosen, returned, onDone }: StepProps) {
  const t = useText(linkedText)
  return (
    <WithOwner>
      {(hasPassword) =>
        chosen ? (
          <ProofStep
            route={unlinkThirdParty}
            input={{ token_type: chosen }}
            page="linked"
            why={t.unlinkWhy(t[chosen])}
            button={t.unlinkOf(t[chosen])}
            danger
            hasPassword={hasPassword}
            onDone={onDone}
          />
        ) : (
          <Link returned={returned} hasPassword={hasPassword} onDone={onDone} />
        )
      }
    </WithOwner>
  )
}

/** The proof that links the account of an answer. */
function Link(props: { returned: Returned; hasPassword: boolean; onDone: () => void }) {
  const t = useText(linkedText)
  const { answer, clear } = props.returned
  if (!answer) return null
  const { provider, code, state } = answer
  const name = t[provider]
  const problemOf = (failure: CallFailure): string | null => {
    if (failure.name === 'auth.third_part_state') return t.expired
    if (failure.name === 'auth.third_part_refused') return t.refused(name)
    if (failure.name === 'auth.bind_other') return t.other(name)
    return failure.name.startsWith('auth.third_part') ? failure.message : null
  }
  return (
    <ProofStep
      route={linkThirdParty}
      input={{ token_type: provider, auth_code: code, state }}
      page="linked"
      why={t.linkWhy(name)}
      button={t.linkOf(name)}
      hasPassword={props.hasPassword}
      onDone={props.onDone}
      onRefused={(failure) => {
        const problem = problemOf(failure)
        if (problem === null) return false
        // An earlier try may have linked it, whose answer was lost on the way.
        invalidateRoute(listThirdParties)
        clear(problem, failure.name === 'auth.third_part_state' ? provider : undefined)
        return true
      }}
    />
  )
}
