/** What the contract's declarations say of an event. */
import type { AccessChange, BodyOf, EventKind } from '@guildhall/wire/event.ts'
import { events } from '@guildhall/wire/events.ts'

/** The body of an event of this kind; null for an event of any other kind. */
export const bodyIf = <Kind extends EventKind>(
  event: { readonly kind: string; readonly body: unknown },
  kind: Kind,
): BodyOf<Kind> | null => (event.kind === kind.name ? (event.body as BodyOf<Kind>) : null)

/** What an event changes of access; a message, which is no system event, nothing. */
export const accessChangeOf = (kind: string): AccessChange => events.get(kind)?.access ?? 'none'
