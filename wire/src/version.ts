/**
 * The contract's version: it moves with every change that someone on the other end could notice.
 * 1: accounts, places, talk and the line of the first release.
 * 2: files are uploaded, and sent as messages; messages change, go, are reacted to and pinned; read marks.
 * 3: cards, checked, sent by bots and changed; their buttons are pressed. Bots have accounts and lines of their own, and
 *    conversations of two people.
 * 4: guilds have emoji of their own. Members are found by name and pinyin; a guild says how the names of its roles and
 *    channels are spelled. The past of a channel is read around a message and onwards, with who pinned what; what answers
 *    a removed message says so; sounds and videos tell how long they play; what waits is told of all guilds at once.
 * 5: what addresses in a message lead to comes after it, as `embeds_append`, and goes when its words change; pages of the
 *    web are embeds too. Pictures of cards may be elsewhere: they are brought into the house.
 *    Words for one person alone, and other words of a message for one; a template is refused by name. Guilds have a channel
 *    that welcomes newcomers.
 *    A guild's emoji says when unicode's has its name; who is called on is told with their nickname; a video is sent with its
 *    cover, sides and length.
 */
export const WIRE_VERSION = 5
