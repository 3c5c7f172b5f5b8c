/** The channels of a guild's tree in their order: each category, and behind it what is in it. */
export const flat = <Node extends { readonly channels: readonly unknown[] }>(
  tree: readonly Node[],
): (Node | Node['channels'][number])[] => tree.flatMap((each) => [each, ...each.channels])
