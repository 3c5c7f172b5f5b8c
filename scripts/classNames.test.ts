import { expect, it } from 'vitest'
import { animationsOf, withoutNames } from '../web/classNames.ts'

it('an animation is no class, unless a class has its name', () => {
  const css =
    '.spinner { animation: spin 1s } @keyframes spin {} .pop { animation: pop 1s } @keyframes pop {} @keyframes line-in {}'
  expect(animationsOf(css)).toEqual(['spin', 'line-in'])
})

it('the names of animations are left out of what scripts get, and classes stay', () => {
  const code =
    'export default {\n\tspinner: "Spinner_spinner",\n\tspin: "Spinner_spin",\n\t"line-in": "Spinner_line-in"\n};'
  expect(withoutNames(code, ['spin', 'line-in'])).toBe('export default {\n\tspinner: "Spinner_spinner",\n};')
})
