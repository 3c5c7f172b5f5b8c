/** Distinguishes kinds of events by the contract's declarations. */
import type { BodyOf, EventKind } from '@guildhall/wire/event.ts'
import type { SystemEventName } from '@guildhall/wire/events.ts'

/** The body of an event of this kind; null for an event of any other kind. */
export const bodyIf = <Kind extends EventKind>(
  event: { readonly kind: string; readonly body: unknown },
  kind: Kind,
): BodyOf<Kind> | null => (event.kind === kind.name ? (event.body as BodyOf<Kind>) : null)

/** The events that a table of all events marks with `mark`. */
export const eventsMarked = <Mark>(
  table: Readonly<Record<SystemEventName, Mark>>,
  mark: Mark,
): ReadonlySet<string> =>
  new Set(Object.entries<Mark>(table).flatMap(([name, marked]) => (marked === mark ? name : [])))
