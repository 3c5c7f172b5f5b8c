/** What the hands of a person do on a screen. */
import { fireEvent, screen } from '@testing-library/react'

type Name = string | RegExp

/** Presses the button of this name, which is there. */
export const press = (name: Name): boolean => fireEvent.click(screen.getByRole('button', { name }))

/** Presses the button of this name once it is there. */
export const pressSoon = async (name: Name): Promise<boolean> =>
  fireEvent.click(await screen.findByRole('button', { name }))

/** Types into the field of this label, which is there. */
export const type = (label: Name, value: string): boolean =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } })

/** Types into the field of this label once it is there. */
export const typeSoon = async (label: Name, value: string): Promise<boolean> =>
  fireEvent.change(await screen.findByLabelText(label), { target: { value } })
