/**
 * Migrations whose files were renamed after they had run somewhere, and the names under which databases and
 * backups know them. That one stays for ever: a server of the version before, which may be put back, looks
 * for it.
 */
export const RENAMED: Readonly<Record<string, string>> = {
  '0001-users-and-sessions.sql': '0001-people.sql',
  '0002-guilds-and-channels.sql': '0002-places.sql',
  '0003-messages-and-events.sql': '0003-talk.sql',
  '0004-demo-cast.sql': '0004-demo.sql',
  '0005-drop-guild-foreign-keys.sql': '0005-lighter-writes.sql',
  '0006-pins-reactions-mentions.sql': '0006-acts.sql',
  '0009-gateway-sessions.sql': '0009-lines.sql',
  '0010-private-chats.sql': '0010-chats.sql',
  '0011-drop-message-foreign-keys.sql': '0011-lighter-messages.sql',
  '0012-guild-emoji.sql': '0012-emoji.sql',
  '0013-member-name-search.sql': '0013-names.sql',
  '0014-who-pinned.sql': '0014-pinners.sql',
  '0015-message-embeds.sql': '0015-embeds.sql',
  '0016-ephemeral-messages.sql': '0016-quiet.sql',
  '0017-staff-rights.sql': '0017-staff.sql',
  '0022-deleted-users-closed-guilds.sql': '0022-acts-of-staff.sql',
  '0023-security-log.sql': '0023-security.sql',
  '0029-third-party-logins.sql': '0029-third-parties.sql',
  '0031-session-devices.sql': '0031-devices.sql',
  '0034-everyone-role-position.sql': '0034-everyone-is-lowest.sql',
  '0041-invite-ids.sql': '0041-invite-numbers.sql',
  '0046-orders-payments-ledger.sql': '0046-money.sql',
  '0051-official-account.sql': '0051-house.sql',
  '0053-custom-numbers-and-ids.sql': '0053-rights.sql',
  '0060-guild-profiles.sql': '0060-profile.sql',
  '0062-role-gradients-and-ends.sql': '0062-gradients.sql',
  '0063-staff-console.sql': '0063-console.sql',
  '0072-word-rules.sql': '0072-words.sql',
  '0076-order-searches.sql': '0076-staff-orders.sql',
  '0077-daily-numbers.sql': '0077-numbers.sql',
}
