/** For the card of a person: acts on members, and what is known of people besides. */
export { GoneActs, MemberActs } from './MemberActs.tsx'
export { BuffSince } from './person/BuffSince.tsx'
export { PersonMore } from './person/PersonMore.tsx'
