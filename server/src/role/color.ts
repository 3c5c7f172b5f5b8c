/** Colours of roles: what a call makes of them, and those of a name. protocol.md §5.3. */
import { fail } from '@guildhall/wire/failure.ts'
import { colorType, type Role } from '@guildhall/wire/guild/guild.ts'
import type { RoleChange } from './sql.ts'

export interface AskedColors {
  readonly color?: number | undefined
  readonly color_type?: number | undefined
  readonly color_map?: Role['color_map']
}

const solid = (color: number) => ({ color, color_list: null })

/**
 * The colours that a role gets; none where a call names none. A gradient shows its first colour to clients
 * that know none. Another `color` by itself makes a gradient solid, because whoever sends it means to see it;
 * the same one, sent along with other fields, does not.
 * @throws Failure bad_input (a gradient without colours)
 */
export function colorsAsked(
  role: Role,
  { color, color_type, color_map }: AskedColors,
): Partial<Pick<RoleChange, 'color' | 'color_list'>> {
  if (color_type === colorType.solid) return solid(color ?? role.color)
  const list = color_map ?? (color_type === colorType.gradient ? role.color_map : null)
  if (list) return { color: list.color_list[0]!, color_list: list.color_list }
  if (color_type === colorType.gradient) throw fail('bad_input')
  if (color_map === null) return solid(color ?? role.color)
  return color === undefined || color === role.color ? {} : solid(color)
}

/**
 * The colours of a member's name: those of the highest of their roles that has one. `roles`: theirs, the
 * highest first.
 */
export function colorsOf(roles: readonly Role[]): { readonly color: number; readonly color_list?: number[] } {
  const shown = roles.find(({ color }) => color !== 0)
  return {
    color: shown?.color ?? 0,
    ...(shown?.color_map && { color_list: shown.color_map.color_list }),
  }
}
