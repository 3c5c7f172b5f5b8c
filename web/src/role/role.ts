/** What other parts of the page use of roles: how their rights are said, locked and switched. */
export { isAbove, mayActOn } from './locks.ts'
export { RoleDot } from './RoleList.tsx'
export { RIGHT_GROUPS } from './rights.ts'
export { rightsText } from './rightsText.ts'
export { Toggle } from './Toggle.tsx'
