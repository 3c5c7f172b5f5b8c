/** What somebody changes of a role before they save it. Pure. */
import { colorType, type Role } from '@guildhall/wire/guild/guild.ts'

/** The colours of a role: none, one, or those of a gradient. */
export type Colors = readonly number[]

/**
 * Only what was touched: what somebody else changes meanwhile stays as they left it, and of the rights each
 * by itself.
 */
export interface Draft {
  /** The role as it was when the first change was made. */
  readonly since: Role
  readonly name?: string
  readonly colors?: Colors
  readonly hoist?: number
  readonly mentionable?: number
  /** The rights that are switched on, and off. */
  readonly given: number
  readonly taken: number
}

export const draftOf = (role: Role): Draft => ({ since: role, given: 0, taken: 0 })

export const colorsIn = ({ color, color_map }: Pick<Role, 'color' | 'color_map'>): Colors =>
  color_map?.color_list ?? (color === 0 ? [] : [color])

const colored = (colors: Colors) =>
  colors.length > 1
    ? { color: colors[0]!, color_type: colorType.gradient, color_map: { color_list: [...colors] } }
    : { color: colors[0] ?? 0, color_type: colorType.solid, color_map: null }

/** With one right switched on or off. */
export const withRight = (draft: Draft, right: number, isOn: boolean): Draft => ({
  ...draft,
  given: isOn ? draft.given | right : draft.given & ~right,
  taken: isOn ? draft.taken & ~right : draft.taken | right,
})

/** A role as it will be. */
export function withDraft(role: Role, draft: Draft | undefined): Role {
  if (!draft) return role
  const { colors, since: _, given, taken, ...plain } = draft
  return {
    ...role,
    ...plain,
    ...(colors && colored(colors)),
    permissions: (role.permissions & ~taken) | given,
  }
}

/** The fields of a role that people see change. */
const FIELDS = ['name', 'colors', 'hoist', 'mentionable', 'permissions'] as const
export type Field = (typeof FIELDS)[number]

const shown = (role: Role) => ({ ...role, colors: colorsIn(role).join() })

/** Which fields of two states of a role differ. */
export function differing(before: Role, after: Role): Field[] {
  const [one, other] = [shown(before), shown(after)]
  return FIELDS.filter((field) => one[field] !== other[field])
}

/** What is sent for the change from a role to how it will be; nothing of the fields that stay. */
export function changeOf(role: Role, wanted: Role) {
  const { colors, ...plain } = { ...wanted, colors: colorsIn(wanted) }
  const { color_map, ...solid } = colored(colors)
  const color = color_map ? { color_type: solid.color_type, color_map } : solid
  return Object.assign(
    {},
    ...differing(role, wanted).map((field) => (field === 'colors' ? color : { [field]: plain[field] })),
  ) as Partial<Omit<Role, 'role_id' | 'position'>>
}
