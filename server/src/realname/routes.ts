/** The call that shows whether one is verified; verifying is part of `user/update`. */
import { viewRealName } from '@guildhall/wire/realname/realname.ts'
import { type Binding, bindUser } from '../kit/http/binding.ts'
import { type RealNameDeps, realNameOf } from './realname.ts'

export const realNameRoutes = (deps: RealNameDeps): Binding[] => [
  bindUser(viewRealName, ({ caller }) => realNameOf(deps, caller.userId)),
]
