/** Acts on members, for the card of a person. */
export { MemberActs } from './MemberActs.tsx'
