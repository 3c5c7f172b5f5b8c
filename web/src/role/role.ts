/** Which roles somebody may give to others. */
export { grantable } from './grantable.ts'
