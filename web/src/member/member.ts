/** Acts on members, for the card of a person. */
export { GoneActs, MemberActs } from './MemberActs.tsx'
