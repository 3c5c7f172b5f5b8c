import type { Role } from '@guildhall/wire/guild/guild.ts'
import type { CSSProperties } from 'react'
import { readableColor, readableGradient } from '../contrast.ts'

/** The colour of a name, 0: none, and the colours of its gradient, `color` being the first. */
export interface NameColors {
  readonly color: number
  readonly color_list?: readonly number[] | undefined
}

/** The colours of a role. */
export const colorsOf = ({ color, color_map }: Pick<Role, 'color' | 'color_map'>): NameColors => ({
  color,
  color_list: color_map?.color_list,
})

interface NameLook {
  readonly style?: CSSProperties
  readonly 'data-gradient'?: true
}

const plain: NameLook = {}
const known = new Map<string, NameLook>()
const KNOWN_MAX = 500

/**
 * The attributes of an element that shows a name in the colours of a role, readable on the theme's grounds. A
 * gradient is drawn by base.css; its first colour is there for everything that draws none.
 */
export function nameLook({ color, color_list }: NameColors, theme: 'light' | 'dark'): NameLook {
  if (color === 0) return plain
  const key = `${theme} ${color_list?.join() ?? color}`
  const found = known.get(key)
  if (found) return found
  const look = makeLook(color, color_list, theme)
  if (known.size >= KNOWN_MAX) known.clear()
  known.set(key, look)
  return look
}

function makeLook(color: number, list: readonly number[] | undefined, theme: 'light' | 'dark'): NameLook {
  const first = readableColor(color, theme)
  if (first === null) return plain
  const gradient = list && readableGradient(list, theme)
  if (!gradient) return { style: { color: first } }
  return { style: { color: first, '--gradient': gradient } as CSSProperties, 'data-gradient': true }
}

/** The ground of a mark in the colours of a role; undefined: it has none. */
export function markGround({ color, color_list }: NameColors, theme: 'light' | 'dark'): string | undefined {
  return (color_list && readableGradient(color_list, theme)) ?? readableColor(color, theme) ?? undefined
}
