/** What the hands of a person do on a screen. */
import { fireEvent, screen } from '@testing-library/react'

type Name = string | RegExp

/** Presses the button of this name, which is there. */
export const press = (name: Name): boolean => fireEvent.click(screen.getByRole('button', { name }))

/** Presses the button of this name once it is there. */
export const pressSoon = async (name: Name): Promise<boolean> =>
  fireEvent.click(await screen.findByRole('button', { name }))

/** Gives a field a value as a browser does: it says `input`, and `change` of what is chosen. */
export const fill = (field: Element, value: object): boolean => {
  fireEvent.input(field, { target: value })
  return fireEvent.change(field)
}

/** Types into the field of this label, which is there. */
export const type = (label: Name, value: string): boolean => fill(screen.getByLabelText(label), { value })

/** Types into the field of this label once it is there. */
export const typeSoon = async (label: Name, value: string): Promise<boolean> =>
  fill(await screen.findByLabelText(label), { value })
