import { cleanup, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { type } from '../../testing/hands.ts'
import { Field } from './Field.tsx'

afterEach(cleanup)

function Digits() {
  const [value, setValue] = useState('12')
  return (
    <Field
      label="code"
      name="code"
      value={value}
      maxLength={4}
      read={(typed) => typed.replace(/\D/g, '')}
      onChange={setValue}
    />
  )
}

const field = () => screen.getByLabelText('code') as HTMLInputElement

test('what does not belong into a field is not left in it, also when nothing changes by it', () => {
  render(<Digits />)
  type('code', '12x')
  expect(field().value).toBe('12')
  type('code', '12xy')
  expect(field().value).toBe('12')
})

test('what was pasted with spaces is read whole before it is cut', () => {
  render(<Digits />)
  type('code', '1 2 3 4 5')
  expect(field().value).toBe('1234')
})
