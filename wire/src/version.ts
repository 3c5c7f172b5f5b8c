/**
 * The contract's version: it is raised with every change that a client or the server could notice.
 * 1: accounts, guilds, channels, messages and the gateway connection of the first release.
 * 2: uploads, and files as messages; edits, deletions, reactions, pins; read marks.
 * 3: cards, sent and edited by bots, with buttons. Accounts and connections of bots; private conversations.
 * 4: emoji of guilds. Search of members by name and pinyin, and the pinyin of the names of roles and channels. History
 *    around a message and after one; who pinned a message; quotes of deleted messages; durations of audio and video;
 *    unread state of all guilds in one call.
 * 5: link previews: `embeds_append` follows a message, and edits remove its embeds. Pictures of cards may have addresses
 *    elsewhere; the server copies them. Ephemeral messages and edits; the failure of an unknown template; welcome
 *    channels. Emoji whose name is a shortcode; nicknames of mentioned members; cover, size and length of videos.
 * 6: codes are sent to allowed countries only (`auth.prefix_refused`); a place that tries too many codes is refused
 *    (`auth.too_many_tries`). Messages to somebody who has never answered are bounded (`chat.unanswered`). Daily limits of
 *    files per person and guild, and the failure of a full disk; files that no message shows are deleted, as are those of
 *    deleted messages; addresses of files in private conversations are signed and end. People delete their account and
 *    export their data. Calls of staff: look people up, suspend, sign out, delete, set a password, delete messages and
 *    files, remove members, revoke invites, close and restore guilds; `deleted_guild`.
 * 7: smaller copies of pictures (`?side=` of a file's address) and `thumbhash` of a message's picture. `avatar` and `vip_avatar`
 *    are the address of a drawn picture for people without one. Quotes have the names of the ids in their content
 *    (`kmarkdown`). The first unread message of a channel. A person as everybody sees them (`user/view`); nicknames of those
 *    who reacted.
 * 8: captchas: `captcha.needed` (code 1002) asks for one, `file/captcha` makes it, `file/check-captcha` answers it, and `sign`
 *    of the calls of logging in takes the value.
 * 9: devices of an account are listed and signed out. Levels of guilds and what they bring (`user/settings`).
 *    `PATCH v2/users` verifies or changes the number, `POST v2/users` and `v3/user/update` change name and password,
 *    `v2/auth/forgot` gives a new one; a password has 6 to 30 characters with letters and numbers. Codes are good for what they were
 *    asked for only (`verify`, `forgot`, `confirm`). `has_password` of a session.
 *    Pages report their errors (`v2/users/log`), and staff with the right `errors` read them.
 *    Codes of users (`promotion/ref-code`, `users/invite-codes`, `auths/invite-code-verification`), which `invite_code` of
 *    `mobile-login` takes too; the header `X-Client-Source`; HTTP 403 has the words of chat.md §8.
 *    Login by QQ and WeChat: `third-part-login`, `third-part-bind-mobile` with 41005 and 41006, `wx-sign`;
 *    `updates/latest-version`; `third_parties` of an export. The cookie `prefixes` tells pages which dialing prefixes get
 *    codes. Who is logged in asks for a code of type `confirm` without naming the number; `extra.owner` of a refusal. Accounts
 *    at third parties are listed and unlinked (`user/third-parties`, `user/unlink-third-party`).
 *    A second factor (`user/second-factor`, …): `second_factor` of the calls of logging in, after `auth.second_factor_needed`.
 *    `avatar` of `v3/user/update`; `user_updated` and `updated_guild_user` tell of a changed name or picture.
 *    Members: `guilds/users-v2`, `guild/user-list`, `guild/nickname`, `guild/kickout`, `guild-mute`, `blacklist`; `os` of users;
 *    `message.muted` of those who may not write, and `muted_until` of a guild's `user_config`.
 *    Roles, channels and overwrites are managed by `guild-role/*`, `channel/*` and `channel-role/*`; guilds are listed and viewed by
 *    `guild/list`, `guild/view` and `guild/index`. `permission_users` in the guild's tree. `sort_channel`; `deleted_channel` and
 *    `added_channel` for those who lose or gain a channel by a role; `from_type` of system events. Slow mode (`message.too_soon`).
 *    Everyone's role has the highest position, being the lowest role. Invites are listed, created and deleted (`invite/list`, …). People
 *    create and leave guilds. What a member is notified of (`v2/messages/notify`, `updated_notify_type`); a guild is marked as read in one
 *    call. `v2/team-members`, `v2/invites`, `v2/channels`, `v2/messages`, `v2/assets`; media by `objectName`.
 * 10: what the operator has set of the native app and of the lines on the pages (`site/info`), and the cookie `apps`.
 *    Orders and payments: `order/*`, `pay/wx-jsapi`, `vip/products`, `user/get-vip-expired`; `updated_order`. Boost packs: `guild-boost/*`,
 *    `boost/use`, `boost/product`, `updated_boost_packs`. Screen sharing: `product/golive-info`, `product/golive-products`. Redeem codes:
 *    `coupon/redeem`. `product_id` of `v3/friend`.
 * 11: what levels and BUFF bring counts: the limits of a guild follow its level, those of a person their membership.
 *    Gifts, renewals and real names: contracts are listed and closed (`renewal/list`, `renewal/close`), `updated_renewal`;
 *    `has_renewal`; `user/real-name`, `cert_name` and `cert_code` of `user/update`. `received_gift`; `spelling` of friends and of the caller's guilds.
 *    `rights` and `custom_id` of guilds; `guild/custom-id`; owners delete and restore guilds (`guild/delete`, `guild/deleted-list`,
 *    `guild/restore`). `identify_num` of `user/update`, pictures that move (`vip_avatar`, `?still=1`), `emoji.elsewhere`.
 *    `banner` and `recommend_info` of guilds. Their profile: `PATCH v2/guilds`, `guild/del-banner`, `guild-recommends`, `guild-recommend/*`,
 *    `reviewed_guild`; `v2/discoverables`.
 * 12: gradients of roles: `color_type` and `color_map` of roles and of `guild-role/update`, `color_list` of members. `is_vip` of `user_updated`
 *    and `updated_guild_user`; `is_sys` and `tag_info` of the official account. `from` of what `order/pay` and `order/create-by-code` answer.
 *    The staff console: sessions of its own (`staff/login`, `staff/me`, `staff/logout`), what waits (`staff/waiting`), roles, and the staff log (`staff/log`).
 *    Orders (`staff/orders`, `staff/order`, `staff/order-refund`, …), differences of bills, products with planned changes
 *    (`staff/products`, `staff/product-change`, …), and numbers by day (`staff/numbers`).
 *    Its people, guilds and codes: `staff/user-find` finds names by how they begin, `staff/user-view`, `staff/buff-*`, `staff/guild-*`,
 *    `staff/code*`; acts of staff take a `reason`. Suspensions end at `until`; `auth.banned` says until when, and why. `coupon.paused`.
 *    Reports (`report/create`), their cases (`staff/report-…`) and changes of recommended guilds (`staff/review-…`); `reason` of
 *    `staff/message-delete`.
 *    Word rules and the review service: `content.refused`, `content.held` and `content.rejected` of what is said and of names;
 *    `content/held`, `content/withdraw`, `reviewed_content`; `staff/words`, `staff/word-*`; held messages are
 *    cases of `staff/review-*`.
 * 13: the level that a guild has on each day of its trend (`kept_level`, `kept_until`). `order/create-by-code` takes any text
 *    as a code, and knows no such order. Codes are redeemed by `coupon/exchange`; `coupon/redeem` stays until 14. `order.lower`: a lower
 *    version beside a better one is not sold. `renewing_ways` of offers, `has_renewal` of `golive-info`, `period_buy` of orders. `read_status` of `message/list`;
 *    a code to log in verifies a number; `GET v3/badge/guild`, a picture. `message.nonce_used`.
 */
export const WIRE_VERSION = 13
